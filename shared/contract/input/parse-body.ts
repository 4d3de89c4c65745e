import type { z } from 'zod';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import { inputMistakes, jsonPointer, refusal } from './input-mistakes.ts';
import { explainJsonProblem, type JsonLimits, type JsonProblem } from './read-json.ts';

const maxNamed = 20;

/**
 * Parses an untrusted body. Throws one LandfallError that names every mistake: `unknown_field` if nothing else is
 * wrong, else `validation_failed`.
 */
export function parseBody<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw refusal(bodyMistakes(result.error, body, Object.keys(schema.shape)));
}

/** The error for a body that can't be read: `invalid_json`, or `validation_failed` if it exceeds a limit. */
export function unreadableBody(problem: JsonProblem, limits: JsonLimits): LandfallError {
  const detail = explainJsonProblem(problem, limits, 'The body');
  if (!(problem in limits)) return new LandfallError('invalid_json', detail);
  return refusal([{ pointer: '', code: limitCodeOf(problem), detail }]);
}

/** The code of a mistake that consists in exceeding a limit. */
export function limitCodeOf(problem: JsonProblem): 'too_deep' | 'too_long' {
  return problem === 'depth' ? 'too_deep' : 'too_long';
}

/** The mistakes in a body or `whole`, each with its JSON Pointer. `names` are the fields at the top. */
export function bodyMistakes(
  error: z.ZodError,
  body: unknown,
  names: readonly string[],
  whole = 'The body',
): InputMistake[] {
  const naming = { pointerOf: jsonPointer, names, noun: 'field', whole, mode: modeOf(body) } as const;
  return inputMistakes(error.issues, body, naming);
}

function modeOf(body: unknown): TransportMode | null {
  if (typeof body !== 'object' || body === null || !('transport_mode' in body)) return null;
  return transportModes.find((mode) => mode === body.transport_mode) ?? null;
}

/**
 * For operations without a body. `{}` passes, because many clients send it. Throws LandfallError `unknown_field` or
 * `validation_failed`.
 */
export function refuseBody(body: unknown): null {
  if (body === undefined || body === null) return null;
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new LandfallError('validation_failed', 'The body must be empty or an empty JSON object.');
  }
  const mistakes = Object.keys(body)
    .slice(0, maxNamed)
    .map((name) => ({
      pointer: jsonPointer([name.slice(0, 64)]),
      code: 'unknown_field',
      detail: `Unknown field: ${name.slice(0, 64)}. This endpoint accepts no fields.`,
    }));
  if (mistakes.length > 0) throw refusal(mistakes);
  return null;
}

/**
 * For operations without query parameters: an ignored one would seem to have worked. Throws LandfallError
 * `unknown_parameter`.
 */
export function refuseQuery(query: Readonly<Record<string, unknown>>): null {
  const names = Object.keys(query);
  if (names.length === 0) return null;
  throw refusal(
    names.slice(0, maxNamed).map((name) => ({
      pointer: `?${name.slice(0, 64)}`,
      code: 'unknown_parameter',
      detail: `Unknown parameter: ${name.slice(0, 64)}. This endpoint accepts no parameters.`,
    })),
  );
}
