import { z } from 'zod';
import type { InputMistake } from '#shared/domain/errors.ts';
import { inputMistakes, type MistakeNaming, parameterPointer, refusal } from './input-mistakes.ts';
import { contradictionsOf, type FilterInput } from './shipments/to-shipment-filter.ts';

type QueryShape = Readonly<Record<string, z.ZodType>>;

/**
 * Reads a query string whose parameters are those of the schema: a comma or a repeated parameter is OR where the schema has a list. Throws one
 * LandfallError naming every mistake: `unknown_parameter` when that is all that is wrong, else `validation_failed`.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const shape: QueryShape = schema.shape;
  const naming: MistakeNaming = { pointerOf: parameterPointer, names: Object.keys(shape), noun: 'parameter' };
  const isRepeated = (name: string) =>
    Array.isArray(query[name]) && naming.names.includes(name) && !isList(shape[name]);
  const repeated = Object.keys(query).filter(isRepeated);
  const given = Object.entries(query).filter(([name]) => !repeated.includes(name));
  const input = Object.fromEntries(given.map(([name, value]) => [name, readText(shape, name, value)]));
  const mistakes = repeated.map((name) => ({
    pointer: `?${name}`,
    code: 'one_value',
    detail: `${name} may be given once`,
  }));

  const result = schema.safeParse(input);
  if (!result.success) throw refusal([...mistakes, ...inputMistakes(result.error.issues, input, naming)]);
  refuseContradictions(result.data as FilterInput, naming, mistakes);
  return result.data;
}

/** Reads one text as what the schema wants there. What cannot be read stays a text, and the schema then names it. */
export function readText(shape: QueryShape, name: string, value: unknown): unknown {
  const schema = Object.hasOwn(shape, name) ? coreOf(shape[name]) : undefined;
  if (schema instanceof z.ZodArray) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap(splitAtCommas);
  }
  if (typeof value !== 'string') return value;
  if (schema instanceof z.ZodNumber && /^-?\d{1,9}(\.\d{1,9})?$/.test(value)) return Number(value);
  if (schema instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** Throws when the filter asks for what cannot be, together with the mistakes found before; and when there are only those. */
export function refuseContradictions(
  input: FilterInput,
  naming: MistakeNaming,
  mistakes: readonly InputMistake[] = [],
): void {
  const contradictions = contradictionsOf(input).map(({ field, detail }) => ({
    pointer: naming.pointerOf([field]),
    code: 'contradiction',
    detail,
  }));
  const all = [...mistakes, ...contradictions];
  if (all.length > 0) throw refusal(all);
}

function isList(schema: z.ZodType | undefined): boolean {
  return coreOf(schema) instanceof z.ZodArray;
}

/** Below `optional` and `default`; of a pipe, what it takes. */
export function coreOf(schema: z.ZodType | undefined): unknown {
  let core: unknown = schema;
  while (core instanceof z.ZodOptional || core instanceof z.ZodDefault || core instanceof z.ZodPipe) {
    core = core instanceof z.ZodPipe ? core.in : core.unwrap();
  }
  return core;
}

function splitAtCommas(value: unknown): unknown[] {
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
