import type { ShipmentFilter, ShipmentSort } from './filter.ts';

/**
 * A list whose cost doesn't depend on how many shipments the account has. `filters` are those that it accepts, in any
 * number; `example` is a query as clients send it.
 */
export type NamedList = {
  name: string;
  question: string;
  filters: readonly (keyof ShipmentFilter)[];
  sort: ShipmentSort;
  example: string;
};

/**
 * The common lists. Each page is a single scan of an index in the order of the list, in either direction, so that
 * the thousandth page of a million shipments is as fast as the first of ten thousand. The list operation describes them
 * in OpenAPI, and the `list_too_slow` error names them.
 */
export const namedLists: readonly NamedList[] = [
  {
    name: 'newest',
    question: 'Which shipments were registered last, or in a period?',
    filters: ['createdFrom', 'createdTo'],
    sort: '-created_at',
    example: 'created_from=2026-04-01&created_to=2026-04-07&sort=-created_at',
  },
  {
    name: 'status',
    question: 'Which shipments have this status?',
    filters: ['status'],
    sort: '-created_at',
    example: 'status=arrived&sort=-created_at',
  },
  {
    name: 'status, latest change first',
    question: 'Which shipments with this status changed last?',
    filters: ['status'],
    sort: '-updated_at',
    example: 'status=in_transit&sort=-updated_at',
  },
  {
    name: 'mode',
    question: 'Which shipments travel by this mode?',
    filters: ['transportMode'],
    sort: '-created_at',
    example: 'transport_mode=air&sort=-created_at',
  },
  {
    name: 'carrier',
    question: 'Which shipments are with this carrier?',
    filters: ['carrier'],
    sort: '-created_at',
    example: 'carrier=MAEU&sort=-created_at',
  },
  {
    name: 'tag',
    question: 'Which shipments have this tag?',
    filters: ['tag'],
    sort: '-created_at',
    example: 'tag=acme&sort=-created_at',
  },
  {
    name: 'arriving',
    question: 'Which shipments arrive next, or in a period?',
    filters: ['etaFrom', 'etaTo'],
    sort: 'eta',
    example: 'eta_from=2026-04-15&eta_to=2026-04-20&sort=eta',
  },
  {
    name: 'late',
    question: 'Which shipments are late?',
    filters: ['late'],
    sort: '-created_at',
    example: 'late=true&sort=-created_at',
  },
  {
    name: 'exceptions',
    question: 'Which shipments have an open exception?',
    filters: ['hasException'],
    sort: '-created_at',
    example: 'has_exception=true&sort=-created_at',
  },
  {
    name: 'needs attention',
    question: 'Which shipments need attention?',
    filters: ['needsAttention'],
    sort: '-created_at',
    example: 'needs_attention=true&sort=-created_at',
  },
  {
    name: 'changed',
    question: 'Which shipments changed since a given time?',
    filters: ['updatedSince'],
    sort: 'updated_at',
    example: 'updated_since=2026-04-15T08:00:00Z&sort=updated_at',
  },
  {
    name: 'last free day',
    question: 'Whose free time ends next, or in a period?',
    filters: ['lastFreeDayFrom', 'lastFreeDayTo'],
    sort: 'last_free_day',
    example: 'last_free_day_to=2026-04-17&sort=last_free_day',
  },
  {
    name: 'free time',
    question: 'Which shipments have a clock in this state?',
    filters: ['freeTime'],
    sort: '-created_at',
    example: 'free_time=over,expiring&sort=-created_at',
  },
];

/** True when one of the named lists serves the query, in either direction. */
export function isNamedList(filter: ShipmentFilter, sort: ShipmentSort): boolean {
  const used = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return namedLists.some(
    (list) =>
      list.sort.replace('-', '') === sort.replace('-', '') &&
      used.every((name) => (list.filters as readonly string[]).includes(name)),
  );
}
