import { z } from 'zod';
import { lenient } from './lenient.ts';

const { text, number, flag, listOf, counts } = lenient;

/** Fields that a view reads from a row without its record: enough to open it. */
export const resultRow = z.looseObject({ shipment_id: z.string() });

/** Fields that a view reads from the structured content of `list_shipments_summary`. */
export const listResult = z.object({
  as_of: text,
  shipments: listOf(resultRow),
  total: number,
  total_is_lower_bound: flag,
  counts_by_status: counts,
  stale_count: number,
  unknown_terms_count: number,
  groups: counts,
  groups_none: number,
  groups_other: number,
  groups_are_partial: flag,
  not_found: lenient.texts,
  found_but_filtered_out: lenient.texts,
  has_more: flag,
  next_cursor: text,
  next_step: text,
});

export type ResultRow = z.output<typeof resultRow>;
export type ListResult = z.output<typeof listResult>;
export type ResultGroup = { name: string; count: number };

/** The groups of a result with those that have no value, and those beyond the largest. */
export function groupsOf({ groups, groups_none: none = 0, groups_other: other = 0 }: ListResult): ResultGroup[] {
  return [
    ...Object.entries(groups).map(([name, count]) => ({ name, count })),
    ...(none > 0 ? [{ name: 'None', count: none }] : []),
    ...(other > 0 ? [{ name: 'Other', count: other }] : []),
  ];
}
