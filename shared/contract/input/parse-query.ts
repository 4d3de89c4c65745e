import { z } from 'zod';
import type { InputMistake } from '#shared/domain/errors.ts';
import type { RawQuery } from '../operation.ts';
import { splitList } from './comma-list.ts';
import { inputMistakes, type MistakeNaming, parameterPointer, refusal } from './input-mistakes.ts';

type QueryShape = Readonly<Record<string, z.ZodType>>;

/** Parameters that are valid by themselves but exclude each other. */
export type Contradiction = { field: string; detail: string };

/**
 * Parses a query by its schema, in which a list is given with commas (see `splitList`), by repeating the parameter, or
 * both. Throws one LandfallError that names every mistake: `unknown_parameter` if nothing else is wrong, else `validation_failed`.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: RawQuery,
  contradictionsOf: (input: z.output<Schema>) => readonly Contradiction[] = () => [],
): z.output<Schema> {
  const shape: QueryShape = schema.shape;
  const parameters = joinDeepObjects(shape, query);
  const naming: MistakeNaming = { pointerOf: parameterPointer, names: Object.keys(shape), noun: 'parameter' };
  const isRepeated = (name: string) =>
    Array.isArray(parameters[name]) && naming.names.includes(name) && !isList(shape[name]);
  const repeated = Object.keys(parameters).filter(isRepeated);
  const given = Object.entries(parameters).filter(([name]) => !repeated.includes(name));
  const input = Object.fromEntries(given.map(([name, value]) => [name, readText(shape, name, value)]));
  const mistakes = repeated.map((name) => ({
    pointer: `?${name}`,
    code: 'one_value',
    detail: `${name} must be given at most once.`,
  }));

  const result = schema.safeParse(input);
  if (!result.success) throw refusal([...mistakes, ...inputMistakes(result.error.issues, input, naming)]);
  refuseContradictions(contradictionsOf(result.data), naming, mistakes);
  return result.data;
}

/** `metadata[buyer]=acme` as `metadata: { buyer: 'acme' }`, for parameters that are objects. */
function joinDeepObjects(shape: QueryShape, query: RawQuery): RawQuery {
  const joined: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(query)) {
    const [, name = '', key = ''] = /^(\w+)\[([^\]]+)\]$/.exec(given) ?? [];
    const isDeep = Object.hasOwn(shape, name) && coreOf(shape[name]) instanceof z.ZodRecord && key !== '__proto__';
    if (!isDeep) joined[given] = value;
    // `metadata=acme` beside it stays a text, which the schema refuses.
    else if (typeof joined[name] !== 'string') joined[name] = { ...(joined[name] as object | undefined), [key]: value };
  }
  return joined;
}

/**
 * Reads one text as the type that the schema has there. A text that can't be read stays one, and the schema then
 * refuses it by name.
 */
export function readText(shape: QueryShape, name: string, value: unknown): unknown {
  const schema = Object.hasOwn(shape, name) ? coreOf(shape[name]) : undefined;
  if (schema instanceof z.ZodArray) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap(splitAtCommas);
  }
  if (schema instanceof z.ZodRecord && typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, given]) => [key, [given].flat().flatMap(splitAtCommas)]),
    );
  if (typeof value !== 'string') return value;
  if (schema instanceof z.ZodNumber && /^-?\d{1,9}(\.\d{1,9})?$/.test(value)) return Number(value);
  if (schema instanceof z.ZodBoolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/** Throws if there are contradictions or mistakes found before them. */
export function refuseContradictions(
  contradictions: readonly Contradiction[],
  naming: MistakeNaming,
  mistakes: readonly InputMistake[] = [],
): void {
  const named = contradictions.map(({ field, detail }) => ({
    pointer: naming.pointerOf([field]),
    code: 'contradiction',
    detail,
  }));
  const all = [...mistakes, ...named];
  if (all.length > 0) throw refusal(all);
}

function isList(schema: z.ZodType | undefined): boolean {
  return coreOf(schema) instanceof z.ZodArray;
}

/** The schema below `optional` and `default`; for a pipe, its input. */
export function coreOf(schema: z.ZodType | undefined): unknown {
  let core: unknown = schema;
  while (core instanceof z.ZodOptional || core instanceof z.ZodDefault || core instanceof z.ZodPipe) {
    core = core instanceof z.ZodPipe ? core.in : core.unwrap();
  }
  return core;
}

function splitAtCommas(value: unknown): unknown[] {
  return typeof value === 'string' ? splitList(value) : [value];
}
