import type { ShipmentFilter, ShipmentSort } from './filter.ts';

/**
 * A list that costs the same however many shipments the account has. `filters` are those that it may be asked with, in any number; `example`
 * is a query as clients send it.
 */
export type NamedList = {
  name: string;
  question: string;
  filters: readonly (keyof ShipmentFilter)[];
  sort: ShipmentSort;
  example: string;
};

/**
 * The ten lists that people open every morning. An index holds the rows of each in its order, so that a page is read where it lies: the first
 * as fast as the thousandth, among a million shipments as among ten thousand. Sorted the other way they are as fast. The address of the list
 * describes them in OpenAPI, and the answer to a list that took too long names them.
 */
export const namedLists: readonly NamedList[] = [
  {
    name: 'newest',
    question: 'What did we register, lately or in a period?',
    filters: ['createdFrom', 'createdTo'],
    sort: '-created_at',
    example: 'created_from=2026-04-01&created_to=2026-04-07&sort=-created_at',
  },
  {
    name: 'status',
    question: 'What is at this stage?',
    filters: ['status'],
    sort: '-created_at',
    example: 'status=arrived&sort=-created_at',
  },
  {
    name: 'status, latest change first',
    question: 'What reached this stage, or had news there, last?',
    filters: ['status'],
    sort: '-updated_at',
    example: 'status=in_transit&sort=-updated_at',
  },
  {
    name: 'mode',
    question: 'What travels this way?',
    filters: ['transportMode'],
    sort: '-created_at',
    example: 'transport_mode=air&sort=-created_at',
  },
  {
    name: 'carrier',
    question: 'What is with this carrier?',
    filters: ['carrier'],
    sort: '-created_at',
    example: 'carrier=MAEU&sort=-created_at',
  },
  {
    name: 'tag',
    question: 'What belongs to this customer?',
    filters: ['tag'],
    sort: '-created_at',
    example: 'tag=acme&sort=-created_at',
  },
  {
    name: 'arriving',
    question: 'What arrives next, or in these days?',
    filters: ['etaFrom', 'etaTo'],
    sort: 'eta',
    example: 'eta_from=2026-04-15&eta_to=2026-04-20&sort=eta',
  },
  {
    name: 'late',
    question: 'What is late?',
    filters: ['delayedMinHours'],
    sort: '-created_at',
    example: 'delayed_min_hours=24&sort=-created_at',
  },
  {
    name: 'exceptions',
    question: 'What needs me?',
    filters: ['hasException'],
    sort: '-created_at',
    example: 'has_exception=true&sort=-created_at',
  },
  {
    name: 'changed',
    question: 'What changed since I last asked?',
    filters: ['updatedSince'],
    sort: 'updated_at',
    example: 'updated_since=2026-04-15T08:00:00Z&sort=updated_at',
  },
];
