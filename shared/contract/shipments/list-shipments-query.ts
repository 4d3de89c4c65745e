import { z } from 'zod';
import { countryCodeOf } from '#shared/domain/shipments/country-names.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/shipments/filter.ts';
import type { RawQuery } from '../operation.ts';
import { parseQuery, refuseContradictions } from '../parse-query.ts';
import {
  cursorField,
  filterFields,
  identifierFields,
  placeText,
  referenceText,
  restFilterFields,
  searchText,
  sortField,
  tagText,
} from './filter-fields.ts';
import { includableParts, type ListShape, listFieldNames } from './list-wire.ts';
import { toShipmentFilter } from './to-shipment-filter.ts';
import { namingOf, readToolArguments } from './tool-arguments.ts';

/** The query of the REST list after its texts were read as lists, numbers and booleans. */
export const listShipmentsQuery = z.strictObject({
  ...restFilterFields,
  ...identifierFields,
  sort: sortField.default('-created_at'),
  limit: z
    .int()
    .min(1)
    .max(100)
    .default(25)
    .meta({ description: 'How many shipments a page has at most.', examples: [100] }),
  cursor: cursorField.optional(),
  include_total: z
    .boolean()
    .default(false)
    .meta({ description: 'Count all that match, and by status.', examples: [true] }),
  fields: z
    .array(z.enum(listFieldNames))
    .min(1)
    .optional()
    .meta({
      description: 'Only these fields of each shipment; `shipment_id` always comes.',
      examples: [['status', 'arrival']],
    }),
  include: z
    .array(z.enum(includableParts))
    .min(1)
    .optional()
    .meta({ description: 'Parts of the record that each shipment shall have besides.', examples: [['containers']] }),
});

/** The query of the counts. */
export const countShipmentsQuery = z.strictObject({ ...restFilterFields, ...identifierFields });

/** The input of the MCP tool `list_shipments_summary`. */
export const listShipmentsToolInput = z.strictObject({
  query: searchText.optional().meta({ description: 'Any number, reference, vessel or place.' }),
  ...filterFields,
  exception: restFilterFields.exception,
  tracking_state: restFilterFields.tracking_state,
  reference: anyText(referenceText),
  tag: anyText(tagText),
  origin: anyText(placeText),
  destination: anyText(placeText),
  sort: sortField.default('-created_at'),
  limit: z.int().min(1).max(50).default(20),
  cursor: cursorField.optional(),
});

export type ListRequest = {
  filter: ShipmentFilter;
  sort: ShipmentSort;
  limit: number;
  cursor: string | null;
  includeTotal: boolean;
};

/**
 * Reads the query of the REST list; a comma or a repeated list parameter is OR. Throws one LandfallError naming every mistake:
 * `unknown_parameter` when that is all that is wrong, else `validation_failed`.
 */
export function parseListShipmentsQuery(query: RawQuery): ListRequest & { shape: ListShape } {
  const { sort, limit, cursor, include_total, fields, include, ...filter } = parseQuery(listShipmentsQuery, query);
  const shape: ListShape = { fields: fields ?? null, include: include ?? [] };
  return { filter: toShipmentFilter(filter), sort, limit, cursor: cursor ?? null, includeTotal: include_total, shape };
}

/** Reads the query of the counts. Throws like the list. */
export function parseCountShipmentsQuery(query: RawQuery): ShipmentFilter {
  return toShipmentFilter(parseQuery(countShipmentsQuery, query));
}

/** Reads the arguments of the MCP tool, leniently (`readToolArguments`), into the filter of the REST list. Throws like it. */
export function parseToolListInput(args: Readonly<Record<string, unknown>>): ListRequest {
  const input = readToolArguments(listShipmentsToolInput, args, {
    phrases: ['reference', 'tag', 'origin', 'destination'],
  });
  const { sort, limit, cursor, query, origin, destination, ...fields } = input;
  refuseContradictions(fields, namingOf(listShipmentsToolInput));
  const filter = {
    ...fields,
    q: query,
    origin: origin?.flatMap(placesOf),
    destination: destination?.flatMap(placesOf),
  };
  return { filter: toShipmentFilter(filter), sort, limit, cursor: cursor ?? null, includeTotal: true };
}

/** Places are shown as `Shanghai (CNSHA)`; who sends one back means its code. Who names a country means all of it, and may mean a port. */
function placesOf(text: string): string[] {
  const code = /\(([A-Z]{2}[A-Z0-9]{3}|[A-Z]{2,3})\)$/.exec(text)?.[1];
  if (code !== undefined) return [code];
  const country = countryCodeOf(text);
  return country === null ? [text] : [text, country];
}

function anyText<Value extends z.ZodType>(value: Value) {
  return z.array(value).min(1).max(50).optional();
}
