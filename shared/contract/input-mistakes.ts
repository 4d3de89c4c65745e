import type { z } from 'zod';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { nearestName } from '#shared/domain/nearest.ts';

/** How mistakes are named: `pointer` for a JSON body, `?name` for a query. `names` are the allowed names at the top. */
export type MistakeNaming = {
  pointerOf: (path: readonly PropertyKey[]) => string;
  names: readonly string[];
  noun: 'field' | 'parameter' | 'argument';
  /** What to do with a value that is none of those allowed at the path; null: nothing better is known. */
  valueHint?: (path: readonly PropertyKey[], value: unknown) => string | null;
};

/** Limits the size of the answer to a body that consists of mistakes. */
const maxMistakes = 100;
const maxDetails = 5;

/** Turns the issues of a schema into one mistake per place, at most 100, with texts that name the field and what it may be. */
export function inputMistakes(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  naming: MistakeNaming,
): InputMistake[] {
  const mistakes = new Map<string, InputMistake>();
  for (const issue of issues.slice(0, maxMistakes)) {
    const found =
      issue.code === 'unrecognized_keys'
        ? unknownNames(issue.keys.slice(0, maxMistakes), issue.path, naming)
        : [knownName(issue, input, naming)];
    for (const mistake of found) if (!mistakes.has(mistake.pointer)) mistakes.set(mistake.pointer, mistake);
  }
  return [...mistakes.values()].slice(0, maxMistakes);
}

/** The error that names these mistakes: `unknown_field` or `unknown_parameter` if that is all that is wrong, else `validation_failed`. */
export function refusal(mistakes: readonly InputMistake[]): LandfallError {
  const [first = 'validation_failed', ...others] = new Set(mistakes.map(({ code }) => code));
  const isNameOnly = others.length === 0 && (first === 'unknown_field' || first === 'unknown_parameter');
  const details = mistakes.map(({ detail }) => detail).slice(0, maxDetails);
  return new LandfallError(isNameOnly ? first : 'validation_failed', details.join(' '), { mistakes: [...mistakes] });
}

/** JSON Pointer (RFC 6901) of a path into a body. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Names a query parameter. */
export function parameterPointer(path: readonly PropertyKey[]): string {
  return `?${String(path[0] ?? '')}`;
}

/** Each by itself, but arguments that are like none of ours together: what is allowed fills a model's context once. */
function unknownNames(keys: readonly string[], path: readonly PropertyKey[], naming: MistakeNaming): InputMistake[] {
  const [first, ...others] =
    naming.noun === 'argument' ? keys.filter((key) => nearestName(key, naming.names) === null) : [];
  if (first === undefined || others.length === 0) return keys.map((key) => unknownName(key, path, naming));
  const more = others.length > mostNamed ? ` and ${others.length - mostNamed} more` : '';
  const together: InputMistake = {
    pointer: naming.pointerOf([...path, first]),
    code: 'unknown_argument',
    detail: `${[first, ...others.slice(0, mostNamed)].map(shorten).join(', ')}${more} are no arguments; allowed: ${naming.names.join(', ')}`,
  };
  const alike = keys.filter((key) => key !== first && !others.includes(key));
  return [...alike.map((key) => unknownName(key, path, naming)), together];
}

const mostNamed = 5;

function unknownName(key: string, path: readonly PropertyKey[], naming: MistakeNaming): InputMistake {
  const nearest = path.length === 0 ? nearestName(key, naming.names) : null;
  const hint = nearest === null ? `allowed: ${naming.names.join(', ')}` : `did you mean ${nearest}?`;
  return {
    pointer: naming.pointerOf([...path, key]),
    code: `unknown_${naming.noun}`,
    detail: `${shorten(key)} is not ${naming.noun === 'argument' ? 'an' : 'a'} ${naming.noun}; ${hint}`,
  };
}

function knownName(issue: z.core.$ZodIssue, input: unknown, naming: MistakeNaming): InputMistake {
  const { code, text } = explain(issue, valueAt(input, issue.path), naming);
  const path = naming.noun === 'field' ? issue.path : issue.path.slice(0, 1);
  const name = path.length === 0 ? 'the body' : shorten(path.map(String).join('.'));
  return { pointer: naming.pointerOf(issue.path), code, detail: `${name} ${text}` };
}

function explain(issue: z.core.$ZodIssue, value: unknown, naming: MistakeNaming): { code: string; text: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { code: 'required', text: 'is required' };
      return { code: 'wrong_type', text: `must be ${typeNames[issue.expected] ?? issue.expected}` };
    case 'invalid_value':
      if (value === undefined) return { code: 'required', text: `is required: one of ${issue.values.join(', ')}` };
      return {
        code: 'invalid_value',
        text: `must be one of ${issue.values.join(', ')}${naming.valueHint?.(issue.path, value) ?? nearestHint(value, issue.values)}`,
      };
    case 'too_big':
      if (isNumeric(issue.origin)) return { code: 'too_big', text: `may be at most ${issue.maximum}` };
      return { code: 'too_long', text: `may have at most ${issue.maximum} ${unitOf(issue.origin, issue.maximum)}` };
    case 'too_small':
      if (isNumeric(issue.origin)) return { code: 'too_small', text: `must be at least ${issue.minimum}` };
      return { code: 'too_short', text: `must have at least ${issue.minimum} ${unitOf(issue.origin, issue.minimum)}` };
    case 'custom':
      return {
        code: typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_value',
        text: issue.message,
      };
    case 'invalid_union':
      return { code: 'invalid_value', text: issue.message === unexplained ? 'is not valid' : issue.message };
    default:
      return { code: 'invalid_value', text: 'is not valid' };
  }
}

/** What zod says of a union that says nothing of itself. */
const unexplained = 'Invalid input';

function nearestHint(value: unknown, allowed: readonly unknown[]): string {
  const nearest = typeof value === 'string' ? nearestName(value, allowed.map(String)) : null;
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
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
