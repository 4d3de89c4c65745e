import { addresses } from '#shared/contract/addresses.ts';
import { joinList } from '#shared/contract/input/comma-list.ts';
import type { AnswerOf, InputOf, OperationId } from '#shared/contract/operations.ts';
import { ProblemError, problemOf } from './problem-error.ts';
import { deadlineMs, withinDeadline } from './within-deadline.ts';

export type Mode = 'live' | 'test';

/** The account and the mode that the pages show. Every request names both. */
export const chosen: { account: string | null; mode: Mode /** The signed-in member. */; memberId: string | null } = {
  account: null,
  mode: 'live',
  memberId: null,
};

export type CallOptions = {
  signal?: AbortSignal;
  /** Default: the chosen one. */
  mode?: Mode;
  idempotencyKey?: string;
  ifNoneMatch?: string;
  /** The ETag that the change applies to. */
  ifMatch?: string;
  /** The request outlives the page. */
  keepalive?: boolean;
  /** Until the response has to begin. Default: `deadlineMs`. */
  ms?: number;
};

/** Options for data of the account, which has no mode: API keys and carrier credentials. */
export const ofAccount: CallOptions = { mode: 'live' };

/** The input may be left out where every part of it may. */
type Arguments<Id extends OperationId> =
  Record<never, never> extends InputOf<Id>
    ? [input?: InputOf<Id>, options?: CallOptions]
    : [input: InputOf<Id>, options?: CallOptions];

/**
 * Calls an operation of the contract. Throws `ProblemError` for every status but success, and without a response in
 * time.
 */
export async function call<Id extends OperationId>(id: Id, ...[input, options]: Arguments<Id>): Promise<AnswerOf<Id>> {
  const ms = addresses[id].startsWith('GET ') ? deadlineMs.read : deadlineMs.write;
  const { response, body } = await withinDeadline(
    async (signal) => {
      const answer = await send(id, (input ?? {}) as Input, { ...options, signal });
      return { response: answer, body: await readBody(answer).catch(throwUnreachable) };
    },
    { ms, signal: options?.signal },
  );
  if (!response.ok) throw problemOf(response.status, body, response.headers);
  return body as AnswerOf<Id>;
}

type Input = { params?: object | undefined; query?: object | undefined; body?: unknown };

/** Sends an operation and returns the response as it is: for streams, and for statuses such as 304. */
export function send(id: OperationId, { params, query, body }: Input, options: CallOptions = {}): Promise<Response> {
  const { signal, mode, idempotencyKey, ifNoneMatch, ifMatch, keepalive, ms } = options;
  return sendTo(urlOf(id, { params, query }), {
    method: addresses[id].slice(0, addresses[id].indexOf(' ')),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(mode === undefined ? {} : { 'landfall-mode': mode }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(keepalive === undefined ? {} : { keepalive }),
    ...(ms === undefined ? {} : { ms }),
  });
}

/**
 * Sends a request with the session and the chosen account and mode. Throws `ProblemError` only without a response, or
 * if none begins in time.
 */
export async function sendTo(url: string, { ms: own, ...init }: RequestInit & { ms?: number } = {}): Promise<Response> {
  const headers = { ...chosenHeaders(), ...(init.headers as Record<string, string> | undefined) };
  const ms = own ?? ((init.method ?? 'GET') === 'GET' ? deadlineMs.read : deadlineMs.write);
  return withinDeadline(
    (signal) => fetch(url, { ...init, signal, headers, credentials: 'same-origin' }).catch(throwUnreachable),
    { ms, signal: init.signal },
  );
}

function throwUnreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  const detail = 'Landfall is unreachable. Check your network and retry.';
  throw new ProblemError({ code: 'network', status: 0, detail, requestId: null });
}

/** The headers that name the account and the mode. */
export function chosenHeaders(): Record<string, string> {
  return {
    'landfall-mode': chosen.mode,
    ...(chosen.account === null ? {} : { 'landfall-account': chosen.account }),
  };
}

/** The URL of an operation. The public API is served to a session under `/dashboard/api`. */
export function urlOf(id: OperationId, { params = {}, query = {} }: Omit<Input, 'body'>): string {
  const address = addresses[id];
  const path = address
    .slice(address.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name as keyof typeof params])));
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) sent.set(name, Array.isArray(value) ? joinList(value.map(String)) : String(value));
  const search = sent.size === 0 ? '' : `?${sent}`;
  return `${path.startsWith('/v1/') ? '/dashboard/api' : ''}${path}${search}`;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return /^application\/(problem\+)?json\b/.test(response.headers.get('content-type') ?? '') ? readJson(text) : text;
}

/** The JSON of a text; null where it is none. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
