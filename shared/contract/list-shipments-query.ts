import { z } from 'zod';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/filter.ts';
import {
  contradictionsOf,
  cursorField,
  type FilterInput,
  filterFields,
  identifierFilterKeys,
  searchText,
  sortField,
  toShipmentFilter,
} from './filter-fields.ts';
import { inputMistakes, jsonPointer, type MistakeNaming, parameterPointer } from './input-mistakes.ts';
import { plainText } from './plain-text.ts';

const identifierText = plainText({ max: 120 }).refine((text) => !text.includes(','), {
  error: 'takes one number',
  params: { code: 'one_value' },
});

const identifierFields = Object.fromEntries(identifierFilterKeys.map((key) => [key, identifierText.optional()])) as Record<
  (typeof identifierFilterKeys)[number],
  z.ZodOptional<typeof identifierText>
>;

/** The query of the REST list after its texts were read as lists, numbers and booleans. */
export const listShipmentsQuery = z.strictObject({
  ...filterFields,
  ...identifierFields,
  identifier: identifierText.optional(),
  q: searchText.optional(),
  sort: sortField.default('-created_at'),
  limit: z.int().min(1).max(100).default(25),
  cursor: cursorField.optional(),
  include_total: z.boolean().default(false),
});

/** The input of the MCP tool `list_shipments_summary`. */
export const listShipmentsToolInput = z.strictObject({
  query: searchText.optional().meta({ description: 'Any number, reference, vessel or place.' }),
  ...filterFields,
  sort: sortField.default('-created_at'),
  limit: z.int().min(1).max(50).default(20),
  cursor: cursorField.optional(),
});

export type ListRequest = { filter: ShipmentFilter; sort: ShipmentSort; limit: number; cursor: string | null; includeTotal: boolean };

/**
 * Reads the query of the REST list; a comma or a repeated list parameter is OR. Throws one LandfallError naming every mistake:
 * `unknown_parameter` when that is all that is wrong, else `validation_failed`.
 */
export function parseListShipmentsQuery(query: Readonly<Record<string, unknown>>): ListRequest {
  const naming: MistakeNaming = { pointerOf: parameterPointer, names: Object.keys(listShipmentsQuery.shape), noun: 'parameter' };
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]) && !listNames.has(name) && naming.names.includes(name));
  const input = readTexts(Object.fromEntries(Object.entries(query).filter(([name]) => !repeated.includes(name))));
  const mistakes = repeated.map((name) => ({ pointer: `?${name}`, code: 'one_value', detail: `${name} may be given once` }));

  const result = listShipmentsQuery.safeParse(input);
  if (!result.success) throw refusal([...mistakes, ...inputMistakes(result.error.issues, input, naming)]);
  const { sort, limit, cursor, include_total, ...fields } = result.data;
  const identifiers: ShipmentFilter['identifiers'] = {};
  for (const key of identifierFilterKeys) {
    if (fields[key] !== undefined) identifiers[key] = fields[key];
  }
  const filterInput = { ...fields, ...(Object.keys(identifiers).length > 0 ? { identifiers } : {}) };
  refuseContradictions(filterInput, mistakes, naming);
  return { filter: toShipmentFilter(filterInput), sort, limit, cursor: cursor ?? null, includeTotal: include_total };
}

/** Reads the arguments of the MCP tool. Null is absent, and a text where a list belongs is one or more values. Throws like the REST list. */
export function parseToolListInput(args: Readonly<Record<string, unknown>>): ListRequest {
  const naming: MistakeNaming = { pointerOf: jsonPointer, names: Object.keys(listShipmentsToolInput.shape), noun: 'parameter' };
  const input = readTexts(Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null)));
  const result = listShipmentsToolInput.safeParse(input);
  if (!result.success) throw refusal(inputMistakes(result.error.issues, input, naming));
  const { sort, limit, cursor, query, ...fields } = result.data;
  refuseContradictions(fields, [], naming);
  return { filter: toShipmentFilter({ ...fields, q: query }), sort, limit, cursor: cursor ?? null, includeTotal: true };
}

const listNames: ReadonlySet<string> = new Set(['status', 'transport_mode', 'carrier']);
const numberNames: ReadonlySet<string> = new Set(['limit', 'delayed_min_hours']);
const booleanNames: ReadonlySet<string> = new Set(['has_exception', 'stale', 'include_total']);

/** What cannot be read stays a text, and the schema then names it. */
function readTexts(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, readText(name, value)]));
}

function readText(name: string, value: unknown): unknown {
  if (listNames.has(name)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((one) =>
      typeof one === 'string'
        ? one
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== '')
        : [one],
    );
  }
  if (typeof value !== 'string') return value;
  if (numberNames.has(name) && /^-?\d{1,9}(\.\d{1,9})?$/.test(value)) return Number(value);
  if (booleanNames.has(name) && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function refuseContradictions(input: FilterInput, mistakes: InputMistake[], naming: MistakeNaming): void {
  const contradictions = contradictionsOf(input).map(({ field, detail }) => ({
    pointer: naming.pointerOf([field]),
    code: 'contradiction',
    detail,
  }));
  const all = [...mistakes, ...contradictions];
  if (all.length > 0) throw refusal(all);
}

function refusal(mistakes: InputMistake[]): LandfallError {
  const code = mistakes.every((mistake) => mistake.code === 'unknown_parameter') ? 'unknown_parameter' : 'validation_failed';
  return new LandfallError(
    code,
    mistakes
      .map((mistake) => mistake.detail)
      .slice(0, 5)
      .join('; '),
    { mistakes },
  );
}
