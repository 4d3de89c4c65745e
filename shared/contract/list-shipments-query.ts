import { z } from 'zod';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/filter.ts';
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
import { inputMistakes, jsonPointer, type MistakeNaming } from './input-mistakes.ts';
import { includableParts, type ListShape, listFieldNames } from './list-wire.ts';
import { readQuery, readText, refusal, refuseContradictions } from './read-query.ts';
import { toShipmentFilter } from './to-shipment-filter.ts';

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
    .meta({ description: 'Count all that match, to 10,000, and by status.', examples: [true] }),
  fields: z
    .array(z.enum(listFieldNames))
    .min(1)
    .optional()
    .meta({ description: 'Only these fields of each shipment; `shipment_id` always comes.', examples: [['status', 'arrival']] }),
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
  reference: referenceText.optional(),
  tag: tagText.optional(),
  origin: placeText.optional(),
  destination: placeText.optional(),
  sort: sortField.default('-created_at'),
  limit: z.int().min(1).max(50).default(20),
  cursor: cursorField.optional(),
});

export type ListRequest = { filter: ShipmentFilter; sort: ShipmentSort; limit: number; cursor: string | null; includeTotal: boolean };

/**
 * Reads the query of the REST list; a comma or a repeated list parameter is OR. Throws one LandfallError naming every mistake:
 * `unknown_parameter` when that is all that is wrong, else `validation_failed`.
 */
export function parseListShipmentsQuery(query: Readonly<Record<string, unknown>>): ListRequest & { shape: ListShape } {
  const { sort, limit, cursor, include_total, fields, include, ...filter } = readQuery(listShipmentsQuery, query);
  const shape: ListShape = { fields: fields ?? null, include: include ?? [] };
  return { filter: toShipmentFilter(filter), sort, limit, cursor: cursor ?? null, includeTotal: include_total, shape };
}

/** Reads the query of the counts. Throws like the list. */
export function parseCountShipmentsQuery(query: Readonly<Record<string, unknown>>): ShipmentFilter {
  return toShipmentFilter(readQuery(countShipmentsQuery, query));
}

/** Reads the arguments of the MCP tool. Null is absent, and a text where a list belongs is one or more values. Throws like the REST list. */
export function parseToolListInput(args: Readonly<Record<string, unknown>>): ListRequest {
  const { shape } = listShipmentsToolInput;
  const naming: MistakeNaming = { pointerOf: jsonPointer, names: Object.keys(shape), noun: 'parameter' };
  const given = Object.entries(args).filter(([, value]) => value !== null);
  const input = Object.fromEntries(given.map(([name, value]) => [name, readText(shape, name, value)]));
  const result = listShipmentsToolInput.safeParse(input);
  if (!result.success) throw refusal(inputMistakes(result.error.issues, input, naming));
  const { sort, limit, cursor, query, reference, tag, origin, destination, ...fields } = result.data;
  refuseContradictions(fields, naming);
  const filter = {
    ...fields,
    q: query,
    reference: asList(reference),
    tag: asList(tag),
    origin: asList(origin),
    destination: asList(destination),
  };
  return { filter: toShipmentFilter(filter), sort, limit, cursor: cursor ?? null, includeTotal: true };
}

function asList(value: string | undefined): string[] | undefined {
  return value === undefined ? undefined : [value];
}
