import type { z } from 'zod';
import { type InputMistake, joinDetails, LandfallError } from '#shared/domain/errors.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { nearestName } from '#shared/domain/nearest.ts';
import { ownNameOf } from '#shared/domain/registration/peer-names.ts';

/** Notation of mistakes: `pointer` for a JSON body, `?name` for a query. `names` are the names allowed at the top. */
export type MistakeNaming = {
  pointerOf: (path: readonly PropertyKey[]) => string;
  names: readonly string[];
  noun: 'field' | 'parameter' | 'argument';
  /** Name of the input as a whole. Default: the body. */
  whole?: string;
  /** The transport mode that the input names, which decides where its identifiers belong. */
  mode?: TransportMode | null;
  /** A suggestion for a value that is not allowed at the path; null: none. */
  valueHint?: (path: readonly PropertyKey[], value: unknown) => string | null;
};

/** Limits the size of the response to a body that consists of mistakes. */
const maxMistakes = 20;
const maxNamed = 5;

/**
 * Turns the issues of a schema into one mistake per place, at most 20, each with a text that names the field and what
 * is allowed.
 */
export function inputMistakes(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  naming: MistakeNaming,
): InputMistake[] {
  const mistakes = new Map<string, InputMistake>();
  for (const issue of issues.slice(0, maxMistakes)) {
    const found =
      issue.code === 'unrecognized_keys'
        ? unknownNames(issue.keys, issue.path, naming)
        : [knownName(issue, input, naming)];
    for (const mistake of found) if (!mistakes.has(mistake.pointer)) mistakes.set(mistake.pointer, mistake);
  }
  return [...mistakes.values()].slice(0, maxMistakes);
}

/**
 * The error that names these mistakes: `unknown_field` or `unknown_parameter` if nothing else is wrong, else
 * `validation_failed`.
 */
export function refusal(mistakes: readonly InputMistake[]): LandfallError {
  const [first = 'validation_failed', ...others] = new Set(mistakes.map(({ code }) => code));
  const isNameOnly = others.length === 0 && (first === 'unknown_field' || first === 'unknown_parameter');
  return new LandfallError(isNameOnly ? first : 'validation_failed', joinDetails(mistakes), {
    mistakes: [...mistakes],
  });
}

/** JSON Pointer (RFC 6901) of a path into a body. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Names a query parameter. */
export function parameterPointer(path: readonly PropertyKey[]): string {
  return `?${String(path[0] ?? '')}`;
}

/**
 * One mistake each. Arguments that resemble none of ours are one mistake, so that the allowed names fill a model's
 * context only once.
 */
function unknownNames(all: readonly string[], path: readonly PropertyKey[], naming: MistakeNaming): InputMistake[] {
  // Searching the nearest name takes microseconds, and a body may have a thousand.
  const keys = all.slice(0, maxMistakes);
  const [first, ...others] = naming.noun === 'argument' ? keys.filter((key) => !resembles(key, naming)) : [];
  if (first === undefined || others.length === 0) return keys.map((key) => unknownName(key, path, naming));
  const hidden = Math.max(0, others.length - maxNamed) + all.length - keys.length;
  const more = hidden > 0 ? ` and ${hidden} more` : '';
  const shown = [first, ...others.slice(0, maxNamed)].map(shorten);
  const together: InputMistake = {
    pointer: naming.pointerOf([...path, first]),
    code: 'unknown_argument',
    detail: `Unknown arguments: ${shown.join(', ')}${more}. Allowed: ${naming.names.join(', ')}.`,
  };
  const alike = keys.filter((key) => key !== first && !others.includes(key));
  return [...alike.map((key) => unknownName(key, path, naming)), together];
}

function resembles(key: string, { names }: MistakeNaming): boolean {
  return ownNameOf(key, names, null) !== null || nearestName(key, names) !== null;
}

function unknownName(key: string, path: readonly PropertyKey[], naming: MistakeNaming): InputMistake {
  return {
    pointer: naming.pointerOf([...path, key]),
    code: `unknown_${naming.noun}`,
    detail: `Unknown ${naming.noun}: ${shorten(key)}. ${nameHint(key, path, naming)}`,
  };
}

function nameHint(key: string, path: readonly PropertyKey[], { names, noun, mode = null }: MistakeNaming): string {
  if (names.length === 0) return `This endpoint accepts no ${noun}s.`;
  const own = path.length === 0 ? ownNameOf(key, names, mode) : null;
  if (own !== null) return own.includes('.') ? `Send it as ${own}.` : `Did you mean ${own}?`;
  const nearest = path.length === 0 ? nearestName(key, names) : null;
  return nearest === null ? `Allowed: ${names.join(', ')}.` : `Did you mean ${nearest}?`;
}

function knownName(issue: z.core.$ZodIssue, input: unknown, naming: MistakeNaming): InputMistake {
  const { code, text } = explain(issue, valueAt(input, issue.path), naming);
  const path = naming.noun === 'field' ? issue.path : issue.path.slice(0, 1);
  const name = path.length === 0 ? (naming.whole ?? 'The body') : shorten(path.map(String).join('.'));
  return { pointer: naming.pointerOf(issue.path), code, detail: `${name} ${text}` };
}

function explain(issue: z.core.$ZodIssue, value: unknown, naming: MistakeNaming): { code: string; text: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { code: 'required', text: 'is required.' };
      return { code: 'wrong_type', text: `must be ${typeNames[issue.expected] ?? issue.expected}.` };
    case 'invalid_value': {
      const allowed = issue.values.join(', ');
      if (value === undefined) return { code: 'required', text: `is required. Allowed: ${allowed}.` };
      const hint = naming.valueHint?.(issue.path, value) ?? nearestHint(value, issue.values);
      return { code: 'invalid_value', text: `must be one of ${allowed}.${hint}` };
    }
    case 'too_big':
      if (isNumeric(issue.origin)) return { code: 'too_big', text: `must be at most ${issue.maximum}.` };
      return { code: 'too_long', text: `must have at most ${issue.maximum} ${unitOf(issue.origin, issue.maximum)}.` };
    case 'too_small':
      if (isNumeric(issue.origin)) return { code: 'too_small', text: `must be at least ${issue.minimum}.` };
      return { code: 'too_short', text: `must have at least ${issue.minimum} ${unitOf(issue.origin, issue.minimum)}.` };
    case 'custom': {
      const code = typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_value';
      return { code, text: issue.message };
    }
    case 'invalid_union':
      return { code: 'invalid_value', text: issue.message === unexplained ? 'is invalid.' : issue.message };
    default:
      return { code: 'invalid_value', text: 'is invalid.' };
  }
}

/** zod's message for a union without one of its own. */
const unexplained = 'Invalid input';

function nearestHint(value: unknown, allowed: readonly unknown[]): string {
  const nearest = typeof value === 'string' ? nearestName(value, allowed.map(String)) : null;
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function isNumeric(origin: string): boolean {
  return origin === 'number' || origin === 'int';
}

function unitOf(origin: string, count: number | bigint): string {
  if (origin === 'string') return count === 1 ? 'character' : 'characters';
  return count === 1 ? 'entry' : 'entries';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

function shorten(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 61)}...`;
}
