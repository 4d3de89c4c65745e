import { z } from 'zod';
import { refuseContradictions } from '../parse-query.ts';
import {
  cursorField,
  filterFields,
  placeText,
  referenceText,
  restFilterFields,
  searchText,
  sortField,
  tagText,
} from '../shipments/filter-fields.ts';
import type { ListRequest } from '../shipments/list-shipments-query.ts';
import { contradictionsOf, toShipmentFilter } from '../shipments/to-shipment-filter.ts';
import { namingOf, parseToolArguments } from './tool-arguments.ts';

/** The input of the MCP tool `list_shipments_summary`. */
export const listToolInput = z.strictObject({
  query: searchText.optional(),
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

/**
 * Parses the arguments of the tool, leniently (see `parseToolArguments`), into the filter of the REST list. Throws like
 * it.
 */
export function parseListToolInput(args: Readonly<Record<string, unknown>>): ListRequest {
  const input = parseToolArguments(listToolInput, args, {
    phrases: ['reference', 'tag', 'origin', 'destination'],
  });
  const { sort, limit, cursor, query, ...fields } = input;
  refuseContradictions(contradictionsOf(fields), namingOf(listToolInput));
  const filter = toShipmentFilter({ ...fields, q: query });
  return { filter, sort, limit, cursor: cursor ?? null, includeTotal: true };
}

function anyText<Value extends z.ZodType>(value: Value) {
  return z.array(value).min(1).max(50).optional();
}
