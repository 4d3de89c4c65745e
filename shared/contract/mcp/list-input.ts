import { z } from 'zod';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/lists/filter.ts';
import type { GroupDimension } from '#shared/domain/lists/group-dimensions.ts';
import { refuseContradictions } from '../input/parse-query.ts';
import { plainText } from '../input/plain-text.ts';
import {
  cursorField,
  filterFields,
  placeText,
  referenceText,
  restFilterFields,
  searchText,
  sortField,
  tagText,
} from '../lists/filter-fields.ts';
import { groupByField } from '../lists/group-wire.ts';
import { contradictionsOf, toShipmentFilter } from '../lists/to-shipment-filter.ts';
import { namingOf, parseToolArguments } from './tool-arguments.ts';

/** Numbers that one call may look up. */
export const maxIdentifiers = 100;
export const maxRows = 50;
const defaultRows = 20;

const { departed_from, departed_to, delivered_from, delivered_to, created_from, created_to } = restFilterFields;

/** The input of the MCP tool `list_shipments_summary`. */
export const listToolInput = z.strictObject({
  query: searchText.optional(),
  identifiers: z
    .array(plainText({ max: 255 }))
    .min(1)
    .max(maxIdentifiers)
    .optional(),
  ...filterFields,
  ...{ departed_from, departed_to, delivered_from, delivered_to, created_from, created_to },
  exception: restFilterFields.exception,
  tracking_state: restFilterFields.tracking_state,
  archived: restFilterFields.archived.removeDefault().optional(),
  reference: anyText(referenceText),
  tag: anyText(tagText),
  origin: anyText(placeText),
  destination: anyText(placeText),
  group_by: groupByField.optional(),
  sort: sortField.default('-created_at'),
  limit: z.int().min(0).max(maxRows).optional(),
  cursor: cursorField.optional(),
});

/** `numbers`: null for any. */
export type ToolListRequest = {
  filter: ShipmentFilter;
  numbers: string[] | null;
  sort: ShipmentSort;
  limit: number;
  cursor: string | null;
  groupBy: GroupDimension | null;
};

/**
 * Parses the arguments of the tool, leniently (see `parseToolArguments`), into the filter of the REST list. A list by
 * numbers has archived shipments too, and as many rows as fit, unless the call says otherwise. Throws like it.
 */
export function parseListToolInput(args: Readonly<Record<string, unknown>>): ToolListRequest {
  const input = parseToolArguments(listToolInput, args, {
    phrases: ['reference', 'tag', 'origin', 'destination'],
    // An empty search would return everything, which a model would take for the matches.
    neverBlank: ['query'],
  });
  const { sort, limit, cursor, query, identifiers, group_by, ...fields } = input;
  refuseContradictions(contradictionsOf(fields), namingOf(listToolInput));
  const numbers = identifiers === undefined ? null : [...new Set(identifiers.map(plainNumber))];
  const archived = fields.archived ?? (numbers === null ? 'false' : 'any');
  return {
    filter: toShipmentFilter({ ...fields, archived, q: query }),
    numbers,
    sort,
    limit: limit ?? (numbers === null ? defaultRows : maxRows),
    cursor: cursor ?? null,
    groupBy: group_by ?? null,
  };
}

/** Copied numbers may contain invisible characters. */
function plainNumber(text: string): string {
  return text.replace(/\p{Cf}/gu, '').trim();
}

function anyText<Value extends z.ZodType>(value: Value) {
  return z.array(value).min(1).max(50).optional();
}
