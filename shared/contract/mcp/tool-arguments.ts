import { z } from 'zod';
import { inputMistakes, jsonPointer, type MistakeNaming, refusal } from '../input/input-mistakes.ts';
import { coreOf, readText } from '../input/parse-query.ts';
import { readJson, rowLimits } from '../input/read-json.ts';

/** `phrases`: lists of texts that may contain commas. `neverBlank`: texts that are refused if they are blank. */
export type ToolReading = { phrases?: readonly string[]; neverBlank?: readonly string[] };

/** Returns the notation of mistakes in the arguments of a tool. */
export function namingOf(schema: z.ZodObject): MistakeNaming {
  return {
    pointerOf: jsonPointer,
    names: Object.keys(schema.shape),
    noun: 'argument',
    valueHint: ([name], value) => (typeof value === 'string' ? otherPlaceOf(schema.shape, String(name), value) : null),
  };
}

/**
 * Finds the right argument for a value that a model put into the wrong one: `delayed` is an exception, not a status.
 */
function otherPlaceOf(shape: Readonly<Record<string, z.ZodType>>, wrong: string, value: string): string | null {
  const sought = plain(value);
  const takes = ([name, schema]: [string, z.ZodType]) =>
    name !== wrong && (plain(name) === sought || optionsOf(schema).some((option) => plain(option) === sought));
  const [other] = Object.entries(shape).find(takes) ?? [];
  if (other === undefined) return null;
  return plain(other) === sought
    ? ` ${other} is a separate argument.`
    : ` For ${value.slice(0, 64)} use the argument ${other}.`;
}

function optionsOf(schema: z.ZodType): string[] {
  const core = coreOf(schema);
  const one = core instanceof z.ZodArray ? coreOf(core.element as z.ZodType) : core;
  return one instanceof z.ZodEnum ? one.options.map(String) : [];
}

/**
 * Parses the arguments of a tool as models write them: null and empty mean absent, one value may stand for a list and a
 * list of one for a value, numbers may be texts, and the case and separators of enum values are ignored. Throws one
 * LandfallError that names every mistake.
 */
export function parseToolArguments<Schema extends z.ZodObject>(
  schema: Schema,
  args: Readonly<Record<string, unknown>>,
  { phrases = [], neverBlank = [] }: ToolReading = {},
): z.output<Schema> {
  const { shape } = schema;
  const given = Object.entries(args).filter(([name, value]) => !isAbsent(value, Object.hasOwn(shape, name)));
  const input = Object.fromEntries(
    given.map(([name, value]) => [name, readArgument(shape, name, value, phrases.includes(name))]),
  );
  const blank = neverBlank
    .filter((name) => typeof args[name] === 'string' && args[name].trim() === '')
    .map((name) => ({
      pointer: `/${name}`,
      code: 'too_short',
      detail: `${name} is blank. Omit it to match everything.`,
    }));
  const result = schema.safeParse(input);
  if (!result.success) throw refusal([...blank, ...inputMistakes(result.error.issues, input, namingOf(schema))]);
  if (blank.length > 0) throw refusal(blank);
  return result.data;
}

function isAbsent(value: unknown, isKnown: boolean): boolean {
  if (value === null || value === undefined) return true;
  return (
    isKnown && ((typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0))
  );
}

/** More values than any list takes. The rest of a longer list isn't read: its length is the mistake. */
const maxRead = 1000;

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
    return values.slice(0, maxRead).map((one) => readOne(coreOf(core.element as z.ZodType), one));
  }
  const [single, ...others] = Array.isArray(value) ? (value as unknown[]) : [value];
  return others.length > 0 ? value : readText(shape, name, readOne(core, single));
}

/** A model may write a list as JSON text. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.trim().startsWith('[')) return [value];
  const read = readJson(value, rowLimits);
  return 'value' in read && Array.isArray(read.value) ? read.value : [value];
}

function readOne(core: unknown, value: unknown): unknown {
  if (core instanceof z.ZodString)
    return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (core instanceof z.ZodEnum && typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (core instanceof z.ZodEnum) return core.options.find((option) => plain(String(option)) === plain(text)) ?? text;
  if (core instanceof z.ZodBoolean) return text.toLowerCase();
  return text;
}

/** A leading hyphen means descending order and is kept. */
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
