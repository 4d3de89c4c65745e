import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { toMcpFields } from '#shared/contract/record/shipment-wire.ts';
import { terminalOf } from '#shared/domain/lists/terminal-of.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import {
  dateText,
  firstFitting,
  mainIdentifier,
  moreReferences,
  openExceptionCodes,
  type PlaceForm,
  placeText,
  shortText,
  timeText,
} from './tool-result.ts';

/**
 * Columns that the request makes rows show. `numbers`: those that found the shipment. In the order of registration, a
 * row shows its time if there is room.
 */
export type RowContext = {
  numbers?: readonly string[] | undefined;
  isCreationAsked?: boolean;
  isInOrderOfCreation?: boolean;
  isDepartureAsked?: boolean;
};

type RowForm = {
  /** Maximum number of containers that are named. */
  containers: number;
  terminal: number;
  departed: boolean;
  created: boolean;
  places: PlaceForm;
  lastEvent: 'minute' | 'date' | 'code' | 'none';
  reference: number;
  identifier: number;
  exceptions: number;
};

/** Below the promised 140, because the estimate can be slightly too low. */
const maxRowTokens = 126;

const whole: RowForm = {
  ...{ containers: 3, terminal: 30, departed: true, created: true },
  ...{ places: 'full', lastEvent: 'minute', reference: 40, identifier: 60, exceptions: 14 },
};
const coded: RowForm = { ...whole, places: 'code', lastEvent: 'date', terminal: 20 };
const lean: RowForm = { ...coded, departed: false, lastEvent: 'code', containers: 1 };
const least: RowForm = { ...lean, lastEvent: 'none', containers: 0, terminal: 0, created: false, identifier: 40 };

/** From most to least detailed. What a form omits of a row is named in `omitted` and is in the details. */
const rowForms: readonly [RowForm, ...RowForm[]] = [
  whole,
  { ...whole, lastEvent: 'date' },
  { ...whole, places: 'code' },
  coded,
  { ...coded, containers: 1, reference: 24 },
  { ...coded, containers: 1, reference: 24, departed: false },
  { ...lean, reference: 24 },
  { ...lean, reference: 16, terminal: 0 },
  { ...least, reference: 16 },
  { ...least, reference: 12, exceptions: 2 },
  { ...least, places: 'start', reference: 8, identifier: 20, exceptions: 1 },
  { ...least, places: 'start', reference: 0, identifier: 12, exceptions: 1 },
];

/** States that are not mentioned. */
const usualStates: readonly Shipment['tracking']['state'][] = ['active', 'completed'];

/** A shipment in about 120 tokens; also used for candidates. */
export function toRow(shipment: Shipment, context: RowContext = {}): Record<string, unknown> {
  const all: Record<string, unknown> = rowOf(shipment, whole, context);
  const omitting = (row: Record<string, unknown>) => {
    const isMissing = (name: string) => isPresent(all[name]) && !isPresent(row[name]);
    // The time of an event that is omitted goes with it.
    const omitted = Object.keys(all).filter(
      (name) => isMissing(name) && !(name === 'last_event_at' && isMissing('last_event')),
    );
    return omitted.length === 0 ? row : { ...row, omitted: omitted.join(', ') };
  };
  return firstFitting(rowForms, maxRowTokens, (form) => omitting(rowOf(shipment, form, context)));
}

function isPresent(part: unknown): boolean {
  return part !== null && part !== undefined && !(Array.isArray(part) && part.length === 0);
}

function rowOf(shipment: Shipment, form: RowForm, asked: RowContext) {
  const { numbers = [], isCreationAsked = false, isInOrderOfCreation = false, isDepartureAsked = false } = asked;
  const isCreationShown = isCreationAsked || (isInOrderOfCreation && form.created);
  const { delivery, latestEvent, ...journey } = shipment.journey;
  const lastEventAt =
    form.lastEvent === 'minute'
      ? timeText(latestEvent?.time)
      : form.lastEvent === 'date'
        ? dateText(latestEvent?.time)
        : null;
  const { status, status_detail, transport_mode, carrier, delay_hours, overdue_hours, ...others } =
    toMcpFields(shipment);
  return {
    shipment_id: toShipmentId(shipment.id),
    matched: numbers.slice(0, 4).map((number) => shortText(number, 40)),
    ...{ status, status_detail, transport_mode, carrier },
    identifier: shortText(mainIdentifier(shipment.identifiers), form.identifier),
    reference: shortText(shipment.reference, form.reference),
    more_references: moreReferences(shipment, form.reference < 24 ? 0 : 3, form.reference),
    containers: containersOf(shipment, form.containers),
    origin: placeText(journey.origin, form.places),
    destination: placeText(journey.destination, form.places),
    terminal: shortText(terminalOf(shipment.journey), form.terminal),
    departed_at: form.departed || isDepartureAsked ? dateText(journey.departure.actual) : null,
    eta: dateText(journey.eta?.time),
    eta_kind: journey.eta?.kind === 'delivery' ? 'delivery' : null,
    eta_source: journey.eta?.source === 'carrier' ? null : journey.eta?.source,
    delivered_at: dateText(delivery.actual),
    ...{ delay_hours, overdue_hours },
    exception: [...new Set(openExceptionCodes(shipment))].slice(0, form.exceptions).join(', ') || null,
    last_event: form.lastEvent === 'none' ? null : latestEvent?.code,
    last_event_at: lastEventAt,
    tracking: usualStates.includes(shipment.tracking.state) ? null : shipment.tracking.state,
    stale: shipment.tracking.freshness === 'stale' || null,
    archived: shipment.archivedAt !== null || null,
    created_at: isCreationShown ? shipment.createdAt.slice(0, 10) : null,
    ...freeTimeOf(shipment),
    // An exception says the same.
    needs_attention: (shipment.needsAttention && !journey.hasException) || null,
    ...others,
  };
}

/** Only of clocks that run: before and after it there is nothing to do. */
function freeTimeOf({ journey: { freeTime } }: Shipment): Record<string, unknown> {
  if (freeTime === null || freeTime.state === 'not_started' || freeTime.state === 'stopped') return {};
  return {
    free_time: freeTime.state,
    last_free_day: freeTime.lastFreeDay,
    cost:
      freeTime.costs.map(({ amount, currency, isFloor }) => `${amount} ${currency}${isFloor ? '+' : ''}`).join(', ') ||
      null,
  };
}

/** Each number with its own status, unless that is the status of the shipment; \`+2\`: there are two more. */
function containersOf({ journey }: Shipment, max: number): (string | undefined)[] {
  if (max === 0) return [];
  const named = journey.containers
    .slice(0, max)
    .map(({ number, status }) => shortText(status === journey.status ? number : `${number} ${status}`, 40));
  const more = journey.containers.length - named.length;
  return more > 0 ? [...named, `+${more}`] : named;
}
