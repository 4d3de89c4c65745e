import type { FreeTimeOutcome } from '#shared/domain/analytics/free-time-outcome.ts';
import { readLane } from '#shared/domain/analytics/lane.ts';
import { findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { isDay } from '#shared/domain/events/local-day.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import type { ClockState } from '#shared/domain/record/free-time.ts';
import type {
  ExceptionCode,
  Freshness,
  Punctuality,
  Status,
  TrackingMode,
  TrackingReason,
  TrackingState,
} from '#shared/domain/record/shipment.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { Contradiction } from '../input/parse-query.ts';
import { readInstant } from '../input/read-instant.ts';
import { type IdentifierFilterKey, identifierFilterKeys } from './filter-fields.ts';

/** The output of the filter schemas. */
export type FilterInput = Partial<
  Record<
    | 'reference'
    | 'tag'
    | 'assignee'
    | 'vessel'
    | 'origin'
    | 'destination'
    | 'identifier'
    | 'carrier'
    | IdentifierFilterKey,
    string[] | undefined
  >
> &
  Partial<Record<MomentName | 'q', string | undefined>> & {
    status?: (Status | 'exception')[] | undefined;
    transport_mode?: TransportMode[] | undefined;
    tracking_state?: TrackingState[] | undefined;
    tracking_reason?: TrackingReason[] | undefined;
    tracking_mode?: TrackingMode[] | undefined;
    freshness?: Freshness[] | undefined;
    exception?: ExceptionCode[] | undefined;
    metadata?: Record<string, string[]> | undefined;
    container_status?: Status[] | undefined;
    stale?: boolean | undefined;
    has_exception?: boolean | undefined;
    needs_attention?: boolean | undefined;
    delayed_min_hours?: number | undefined;
    overdue_min_hours?: number | undefined;
    late?: boolean | undefined;
    last_free_day_from?: string | undefined;
    last_free_day_to?: string | undefined;
    free_time?: ClockState[] | undefined;
    on_time?: Punctuality[] | undefined;
    transit_known?: boolean | undefined;
    transit_min_hours?: number | undefined;
    delay_cause?: string[] | undefined;
    free_time_outcome?: FreeTimeOutcome[] | undefined;
    lane?: string[] | undefined;
    country_lane?: string[] | undefined;
    has_events?: boolean | undefined;
    archived?: 'false' | 'true' | 'any' | undefined;
  };

type MomentName = `${RangeName}_${'from' | 'to'}` | 'updated_since';
type RangeName = (typeof rangeNames)[number];

const rangeNames = ['eta', 'departed', 'arrived', 'delivered', 'created'] as const;

/** Filters that exclude each other, so that nothing could ever match. */
export function contradictionsOf(input: FilterInput): Contradiction[] {
  const found: Contradiction[] = [];
  for (const name of rangeNames) {
    const [from, to] = [boundOf(input, `${name}_from`), boundOf(input, `${name}_to`)];
    // A local day and an instant can't be compared without the place.
    if (from !== undefined && to !== undefined && isDay(from) === isDay(to) && from > to)
      found.push({ field: `${name}_to`, detail: `${name}_to is before ${name}_from.` });
  }
  const { last_free_day_from: firstDay, last_free_day_to: lastDay } = input;
  if (firstDay !== undefined && lastDay !== undefined && firstDay > lastDay)
    found.push({ field: 'last_free_day_to', detail: 'last_free_day_to is before last_free_day_from.' });
  if (input.status?.includes('exception')) {
    if (input.status.some((status) => status !== 'exception')) {
      found.push({
        field: 'status',
        detail: 'status=exception cannot be combined with other statuses. Use has_exception=true instead.',
      });
    }
    if (input.has_exception === false)
      found.push({ field: 'has_exception', detail: 'has_exception=false contradicts status=exception.' });
  }
  if (input.exception !== undefined && input.has_exception === false)
    found.push({
      field: 'has_exception',
      detail: 'has_exception=false contradicts exception, which requires an open one.',
    });
  if (input.freshness !== undefined && input.stale !== undefined) {
    const possible = input.freshness.some((freshness) => (freshness === 'stale') === input.stale);
    if (!possible)
      found.push({ field: 'stale', detail: `stale=${input.stale} excludes freshness=${input.freshness.join(',')}.` });
  }
  return found;
}

/** The filter of the domain, with carrier codes and ISO UTC times. Absent fields stay absent. */
export function toShipmentFilter(input: FilterInput): ShipmentFilter {
  const askedStatuses = input.status?.filter((status): status is Status => status !== 'exception') ?? [];
  const onlyException = input.status !== undefined && askedStatuses.length === 0;
  const identifiers = identifierFilterKeys.flatMap((key) =>
    input[key] === undefined ? [] : [[key, unique(input[key])] as const],
  );
  const filter: { [Part in keyof ShipmentFilter]: ShipmentFilter[Part] | undefined } = {
    status: askedStatuses.length > 0 ? unique(askedStatuses) : undefined,
    transportMode: unique(input.transport_mode),
    carrier: unique(input.carrier?.map((code) => findCarrierByName(code)?.code ?? code)),
    trackingState: unique(input.tracking_state),
    trackingReason: unique(input.tracking_reason),
    trackingMode: unique(input.tracking_mode),
    freshness: unique(input.freshness),
    stale: input.stale,
    identifier: unique(input.identifier),
    identifiers: identifiers.length > 0 ? Object.fromEntries(identifiers) : undefined,
    reference: unique(input.reference),
    tag: unique(input.tag),
    assignee: unique(input.assignee?.map((text) => decodeTypeId('user', text) ?? text)),
    q: input.q,
    metadata: input.metadata,
    vessel: unique(input.vessel),
    containerStatus: unique(input.container_status),
    origin: unique(input.origin),
    destination: unique(input.destination),
    etaFrom: boundOf(input, 'eta_from'),
    etaTo: boundOf(input, 'eta_to'),
    departedFrom: boundOf(input, 'departed_from'),
    departedTo: boundOf(input, 'departed_to'),
    deliveredFrom: boundOf(input, 'delivered_from'),
    deliveredTo: boundOf(input, 'delivered_to'),
    createdFrom: momentOf(input, 'created_from'),
    createdTo: momentOf(input, 'created_to'),
    updatedSince: momentOf(input, 'updated_since'),
    hasException: onlyException ? true : input.has_exception,
    needsAttention: input.needs_attention,
    exception: unique(input.exception),
    delayedMinHours: input.delayed_min_hours,
    overdueMinHours: input.overdue_min_hours,
    late: input.late,
    lastFreeDayFrom: input.last_free_day_from,
    lastFreeDayTo: input.last_free_day_to,
    freeTime: unique(input.free_time),
    arrivedFrom: boundOf(input, 'arrived_from'),
    arrivedTo: boundOf(input, 'arrived_to'),
    onTime: unique(input.on_time),
    transitKnown: input.transit_known,
    transitMinHours: input.transit_min_hours,
    delayCause: unique(input.delay_cause),
    freeTimeOutcome: unique(input.free_time_outcome),
    lane: unique(input.lane?.map((lane) => readLane(lane, 'codes') ?? lane)),
    countryLane: unique(input.country_lane?.map((lane) => readLane(lane, 'countries') ?? lane)),
    hasEvents: input.has_events,
    archived: input.archived === 'true' ? true : input.archived === 'any' ? 'any' : undefined,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, part]) => part !== undefined)) as ShipmentFilter;
}

/** A date stays a date where it means the local day at a place. Registration has no place: its days are in UTC. */
function boundOf(input: FilterInput, name: `${RangeName}_${'from' | 'to'}`): string | undefined {
  const moment = momentOf(input, name);
  const text = input[name];
  return moment !== undefined && text !== undefined && isDay(text) && !name.startsWith('created_') ? text : moment;
}

function momentOf(input: FilterInput, name: MomentName): string | undefined {
  const text = input[name];
  return text === undefined ? undefined : (readInstant(text, name.endsWith('_to') ? 'to' : 'from') ?? undefined);
}

function unique<List extends readonly unknown[] | undefined>(values: List): List {
  return (values === undefined ? undefined : [...new Set(values)]) as List;
}
