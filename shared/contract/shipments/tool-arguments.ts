import { z } from 'zod';
import { inputMistakes, jsonPointer, type MistakeNaming, refusal } from '../input-mistakes.ts';
import { coreOf, readText } from '../parse-query.ts';

/** Lists of texts in which a comma is a part of the text. */
export type ToolReading = { phrases?: readonly string[] };

/** How the mistakes in a tool's arguments are named. */
export function namingOf(schema: z.ZodObject): MistakeNaming {
  return {
    pointerOf: jsonPointer,
    names: Object.keys(schema.shape),
    noun: 'argument',
    valueHint: ([name], value) => (typeof value === 'string' ? otherPlaceOf(schema.shape, String(name), value) : null),
  };
}

/** Where a value belongs that a model put into the wrong argument: `delayed` is no status, but an exception. */
function otherPlaceOf(shape: Readonly<Record<string, z.ZodType>>, wrong: string, value: string): string | null {
  const sought = plain(value);
  const takes = ([name, schema]: [string, z.ZodType]) =>
    name !== wrong && (plain(name) === sought || optionsOf(schema).some((option) => plain(option) === sought));
  const [other] = Object.entries(shape).find(takes) ?? [];
  if (other === undefined) return null;
  return plain(other) === sought
    ? `; ${other} is an argument of its own`
    : `; for ${value.slice(0, 64)} use the argument ${other}`;
}

function optionsOf(schema: z.ZodType): string[] {
  const core = coreOf(schema);
  const one = core instanceof z.ZodArray ? coreOf(core.element as z.ZodType) : core;
  return one instanceof z.ZodEnum ? one.options.map(String) : [];
}

/**
 * Reads the arguments of a tool as models write them: null and empty are absent, one value may stand where a list belongs and a list of one
 * where a value belongs, numbers may be texts, and the case and the separators of closed values do not matter. Throws one LandfallError that
 * names every mistake.
 */
export function readToolArguments<Schema extends z.ZodObject>(
  schema: Schema,
  args: Readonly<Record<string, unknown>>,
  { phrases = [] }: ToolReading = {},
): z.output<Schema> {
  const { shape } = schema;
  const given = Object.entries(args).filter(([name, value]) => !isAbsent(value, Object.hasOwn(shape, name)));
  const input = Object.fromEntries(
    given.map(([name, value]) => [name, readArgument(shape, name, value, phrases.includes(name))]),
  );
  const result = schema.safeParse(input);
  if (!result.success) throw refusal(inputMistakes(result.error.issues, input, namingOf(schema)));
  return result.data;
}

function isAbsent(value: unknown, isKnown: boolean): boolean {
  if (value === null || value === undefined) return true;
  return (
    isKnown && ((typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0))
  );
}

function readArgument(
  shape: Readonly<Record<string, z.ZodType>>,
  name: string,
  value: unknown,
  isPhrase: boolean,
): unknown {
  const core = Object.hasOwn(shape, name) ? coreOf(shape[name]) : undefined;
  if (core === undefined) return value;
  if (core instanceof z.ZodArray) {
    const list = listOf(value);
    const values = isPhrase ? list : (readText(shape, name, list) as unknown[]);
    return values.map((one) => readOne(coreOf(core.element as z.ZodType), one));
  }
  const [single, ...others] = Array.isArray(value) ? (value as unknown[]) : [value];
  return others.length > 0 ? value : readText(shape, name, readOne(core, single));
}

/** A model may write a list as the text of one. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.trim().startsWith('[') || value.length > 10_000) return [value];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [value];
  } catch {
    return [value];
  }
}

function readOne(core: unknown, value: unknown): unknown {
  if (core instanceof z.ZodString)
    return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (core instanceof z.ZodEnum) return core.options.find((option) => plain(String(option)) === plain(text)) ?? text;
  if (core instanceof z.ZodBoolean) return text.toLowerCase();
  return text;
}

/** A dash in front is the descending order, not a separator. */
function plain(word: string): string {
  const sign = word.startsWith('-') ? '-' : '';
  return (
    sign +
    word
      .slice(0, 100)
      .toLowerCase()
      .replace(/[\s_-]/g, '')
  );
}
