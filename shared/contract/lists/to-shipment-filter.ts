import type { z } from 'zod';
import { readLane } from '#shared/domain/analytics/lane.ts';
import { findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { isDay } from '#shared/domain/events/local-day.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { type FilterName, filterNames } from '#shared/domain/lists/filter-table.ts';
import type { Status } from '#shared/domain/record/shipment.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { Contradiction } from '../input/parse-query.ts';
import { readInstant } from '../input/read-instant.ts';
import { fieldOf, type restFilterFields } from './filter-fields.ts';
import { type identifierFields, identifierFilterKeys } from './identifier-filter-fields.ts';

/** The output of the filter schemas. */
export type FilterInput = { [Field in keyof Fields]?: z.output<Fields[Field]> | undefined };
type Fields = typeof restFilterFields & typeof identifierFields;

const rangeNames = ['eta', 'departed', 'arrived', 'delivered', 'created'] as const;
type MomentName = `${(typeof rangeNames)[number]}_${'from' | 'to'}` | 'updated_since';

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
  const given: Partial<Record<FilterName, unknown>> = readValues(input);
  const parts = filterNames.flatMap((name) => {
    const value = name in given ? given[name] : input[fieldOf(name) as keyof FilterInput];
    return value === undefined ? [] : [[name, Array.isArray(value) ? [...new Set(value)] : value]];
  });
  return Object.fromEntries(parts) as ShipmentFilter;
}

/** The filters that have another value in the domain. */
function readValues(input: FilterInput): { [Name in FilterName]?: ShipmentFilter[Name] | undefined } {
  const statuses = input.status?.filter((status): status is Status => status !== 'exception') ?? [];
  const onlyException = input.status !== undefined && statuses.length === 0;
  const identifiers = identifierFilterKeys.flatMap((key) =>
    input[key] === undefined ? [] : [[key, [...new Set(input[key])]] as const],
  );
  return {
    status: statuses.length > 0 ? statuses : undefined,
    hasException: onlyException ? true : input.has_exception,
    carrier: input.carrier?.map((code) => findCarrierByName(code)?.code ?? code),
    identifiers: identifiers.length > 0 ? Object.fromEntries(identifiers) : undefined,
    assignee: input.assignee?.map((text) => decodeTypeId('user', text) ?? text),
    etaFrom: boundOf(input, 'eta_from'),
    etaTo: boundOf(input, 'eta_to'),
    departedFrom: boundOf(input, 'departed_from'),
    departedTo: boundOf(input, 'departed_to'),
    deliveredFrom: boundOf(input, 'delivered_from'),
    deliveredTo: boundOf(input, 'delivered_to'),
    createdFrom: momentOf(input, 'created_from'),
    createdTo: momentOf(input, 'created_to'),
    updatedSince: momentOf(input, 'updated_since'),
    arrivedFrom: boundOf(input, 'arrived_from'),
    arrivedTo: boundOf(input, 'arrived_to'),
    lane: input.lane?.map((lane) => readLane(lane, 'codes') ?? lane),
    countryLane: input.country_lane?.map((lane) => readLane(lane, 'countries') ?? lane),
    archived: input.archived === 'true' ? true : input.archived === 'any' ? 'any' : undefined,
  };
}

/** A date stays a date where it means the local day at a place. Registration has no place: its days are in UTC. */
function boundOf(input: FilterInput, name: Exclude<MomentName, 'updated_since'>): string | undefined {
  const moment = momentOf(input, name);
  const text = input[name];
  return moment !== undefined && text !== undefined && isDay(text) && !name.startsWith('created_') ? text : moment;
}

function momentOf(input: FilterInput, name: MomentName): string | undefined {
  const text = input[name];
  return text === undefined ? undefined : (readInstant(text, name.endsWith('_to') ? 'to' : 'from') ?? undefined);
}
