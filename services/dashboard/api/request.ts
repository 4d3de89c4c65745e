import { defaults } from './landfall-client.ts';
import { ProblemError, problemOf } from './problem-error.ts';

export type Mode = 'live' | 'test';

/** Which account the pages show, and whether its live or its test shipments; every request says so. */
export const chosen: { account: string | null; mode: Mode } = { account: null, mode: 'live' };

const base = '/dashboard/api';

defaults.baseUrl = base;
defaults.fetch = (input, init) => send(input, init);

/** What a call of the generated client answered; throws `ProblemError` for everything but success. */
export async function answerOf<Answer extends { status: number; data?: unknown; headers: Headers }>(
  call: Promise<Answer>,
): Promise<Extract<Answer, { status: 200 | 201 | 202 | 204 }>['data']> {
  const answer = await call;
  if (answer.status >= 200 && answer.status < 300) return answer.data as never;
  throw problemOf(answer.status, answer.data, answer.headers);
}

/** A request to what only the dashboard has, below /dashboard/api; throws `ProblemError` for everything but success. */
export async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await send(`${base}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  const data: unknown = text === '' ? null : readJson(text);
  if (!response.ok) throw problemOf(response.status, data, response.headers);
  return data as Answer;
}

/** A request below /dashboard/api whose answer is read as it comes. */
export function sendRequest(path: string, init: RequestInit = {}): Promise<Response> {
  return send(`${base}${path}`, init);
}

async function send(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (chosen.account !== null) headers.set('landfall-account', chosen.account);
  // What belongs to the account and not to a mode says so itself.
  if (!headers.has('landfall-mode')) headers.set('landfall-mode', chosen.mode);
  try {
    return await fetch(input, { ...init, headers, credentials: 'same-origin' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ProblemError({
      code: 'network',
      status: 0,
      detail: 'Landfall cannot be reached. Trying again.',
      requestId: null,
    });
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
