import type { z } from 'zod';
import type { InputMistake } from '#shared/domain/errors.ts';
import { nearestName } from '#shared/domain/nearest.ts';

/** How mistakes are named: `pointer` for a JSON body, `?name` for a query. `names` are the allowed names at the top. */
export type MistakeNaming = { pointerOf: (path: readonly PropertyKey[]) => string; names: readonly string[]; noun: 'field' | 'parameter' };

/** Turns each issue of a schema into one mistake per place, with texts that name the field and what it may be. */
export function inputMistakes(issues: readonly z.core.$ZodIssue[], input: unknown, naming: MistakeNaming): InputMistake[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownName(key, issue.path, naming));
    return [knownName(issue, input, naming)];
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

function unknownName(key: string, path: readonly PropertyKey[], naming: MistakeNaming): InputMistake {
  const nearest = path.length === 0 ? nearestName(key, naming.names) : null;
  const hint = nearest === null ? `allowed: ${naming.names.join(', ')}` : `did you mean ${nearest}?`;
  return {
    pointer: naming.pointerOf([...path, key]),
    code: `unknown_${naming.noun}`,
    detail: `${shorten(key)} is not a ${naming.noun}; ${hint}`,
  };
}

function knownName(issue: z.core.$ZodIssue, input: unknown, naming: MistakeNaming): InputMistake {
  const { code, text } = explain(issue, valueAt(input, issue.path));
  const name = issue.path.length === 0 ? 'the body' : shorten(issue.path.map(String).join('.'));
  return { pointer: naming.pointerOf(issue.path), code, detail: `${name} ${text}` };
}

function explain(issue: z.core.$ZodIssue, value: unknown): { code: string; text: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { code: 'required', text: 'is required' };
      return { code: 'wrong_type', text: `must be ${typeNames[issue.expected] ?? issue.expected}` };
    case 'invalid_value':
      if (value === undefined) return { code: 'required', text: `is required: one of ${issue.values.join(', ')}` };
      return { code: 'invalid_value', text: `must be one of ${issue.values.join(', ')}` };
    case 'too_big':
      return { code: issue.origin === 'number' ? 'too_big' : 'too_long', text: `may have at most ${issue.maximum}${unitOf(issue.origin)}` };
    case 'too_small':
      return {
        code: issue.origin === 'number' ? 'too_small' : 'too_short',
        text: `must have at least ${issue.minimum}${unitOf(issue.origin)}`,
      };
    case 'custom':
      return { code: typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_value', text: issue.message };
    default:
      return { code: 'invalid_value', text: 'is not valid' };
  }
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

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
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
