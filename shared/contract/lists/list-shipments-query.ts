import { z } from 'zod';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/lists/filter.ts';
import type { GroupDimension } from '#shared/domain/lists/group-dimensions.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';
import { cursorField, restFilterFields, sortField } from './filter-fields.ts';
import { groupByField } from './group-wire.ts';
import { identifierFields } from './identifier-filter-fields.ts';
import { includableParts, type ListShape, listFieldNames } from './list-wire.ts';
import { contradictionsOf, toShipmentFilter } from './to-shipment-filter.ts';

export const listShipmentsQuery = z.strictObject({
  ...restFilterFields,
  ...identifierFields,
  sort: sortField.default('-created_at'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(25)
    .meta({ description: 'Page size, 1 to 100.', examples: [100] }),
  cursor: cursorField.optional(),
  include_total: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether to count all matches, in total and by status.', examples: [true] }),
  fields: z
    .array(z.enum(listFieldNames))
    .min(1)
    .optional()
    .meta({
      description: 'Fields to return for each shipment. `shipment_id` is always included.',
      examples: [['status', 'arrival']],
    }),
  include: z
    .array(z.enum(includableParts))
    .min(1)
    .optional()
    .meta({ description: 'Additional parts of the record to return for each shipment.', examples: [['containers']] }),
});

export const countShipmentsQuery = z.strictObject({
  ...restFilterFields,
  ...identifierFields,
  group_by: groupByField.optional(),
});

export type CountRequest = { filter: ShipmentFilter; groupBy: GroupDimension | null };

export type ListRequest = {
  filter: ShipmentFilter;
  sort: ShipmentSort;
  limit: number;
  cursor: string | null;
  includeTotal: boolean;
};

/** Parses the query of the list. Throws one LandfallError that names every mistake. */
export function parseListShipmentsQuery(query: RawQuery): ListRequest & { shape: ListShape } {
  const parsed = parseQuery(listShipmentsQuery, query, contradictionsOf);
  const { sort, limit, cursor, include_total, fields, include, ...filter } = parsed;
  const shape: ListShape = { fields: fields ?? null, include: include ?? [] };
  return { filter: toShipmentFilter(filter), sort, limit, cursor: cursor ?? null, includeTotal: include_total, shape };
}

/** Parses the query of the counts. Throws like the list. */
export function parseCountShipmentsQuery(query: RawQuery): CountRequest {
  const { group_by, ...filter } = parseQuery(countShipmentsQuery, query, contradictionsOf);
  return { filter: toShipmentFilter(filter), groupBy: group_by ?? null };
}
