import type { FetchResult } from '#shared/domain/shipments/shipment.ts';
import type { Reading } from '#shared/domain/tracking/event.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { CarrierContext, CarrierResponse, CarrierSettings, Connector } from './carrier.ts';
import { carrierMessage } from './carrier-message.ts';
import { asFetchFailure, FetchFailure, failedFetch, failureOfStatus, readRetryAfter } from './fetch-failure.ts';
import { type OauthRequest, oauthToken } from './oauth-sign-in.ts';

/** One shipment to ask about; `signal` ends all calls of its refresh together. */
export type SubjectResult = { subject: RefreshSubject; signal: AbortSignal; source: string };

/** The `look` of a connector that asks about one shipment at a time; `name` is what the record's source calls it. */
export function fetchEach(
  name: string,
  ask: (ctx: CarrierContext, refresh: SubjectResult) => Promise<Answer>,
): Connector['fetch'] {
  return async (ctx, subjects, signal) => {
    const source = sourceOf(ctx, name);
    const refreshes = await Promise.all(
      subjects.map((subject) =>
        guardedFetch({ keys: [subject.shipmentId], source, signal }, async (whole) => {
          return new Map([[subject.shipmentId, await ask(ctx, { subject, signal: whole, source })]]);
        }),
      ),
    );
    return new Map(refreshes.flatMap((results) => [...results]));
  };
}

/** The failure of an answer whose status is none of those that the connector understands. */
export function unexpectedStatus(ctx: CarrierContext, response: CarrierResponse): Error {
  return failureOfStatus(response, { now: ctx.now(), carrierSays: carrierMessage(response.text) });
}

/** All calls of one refresh together, waiting included. */
const fetchDeadlineMs = 30_000;

/** What a carrier said of one shipment. A failure concerns this shipment alone. */
export type Answer =
  /** `answerHash`: what tells the same answer when it comes again, by `hashAnswer`. */
  | { kind: 'found'; httpStatus: number; reading: Reading; answerHash?: string | null }
  | { kind: 'not_found'; httpStatus: number }
  /** Nothing has changed since the last reading: the carrier says so, or its answer is known. */
  | { kind: 'unchanged'; httpStatus: number }
  | { kind: 'failed'; failure: FetchFailure };

/** Where the record says that its data comes from: `ups`, `simulator:ups`, `dcsa:maersk`. */
export function sourceOf({ settings }: { settings: Pick<CarrierSettings, 'simulated'> }, name: string): string {
  return settings.simulated ? `simulator:${name}` : name;
}

/**
 * Asks for several shipments at once under one deadline. Each gets exactly one result: what `ask` says of it, else the failure that `ask`
 * ended with. Never rejects.
 */
export async function guardedFetch<K extends string>(
  refresh: { keys: readonly K[]; source: string; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<ReadonlyMap<K, Answer>>,
): Promise<Map<K, FetchResult>> {
  const startedAt = performance.now();
  let answers: ReadonlyMap<K, Answer> = new Map();
  let failure: FetchFailure | null = null;
  try {
    answers = await withinDeadline(refresh.signal, ask);
  } catch (error) {
    failure = asFetchFailure(error);
  }
  const context = { durationMs: Math.round(performance.now() - startedAt), source: refresh.source };
  return new Map(
    refresh.keys.map((key): [K, FetchResult] => {
      const answer = answers.get(key) ?? { kind: 'failed', failure: failure ?? asFetchFailure(new Error('no answer')) };
      if (answer.kind === 'failed') return [key, failedFetch(answer.failure, context)];
      if (answer.kind === 'unchanged')
        return [key, { outcome: 'unchanged', httpStatus: answer.httpStatus, ...context }];
      if (answer.kind === 'not_found') {
        return [
          key,
          { outcome: 'not_found', httpStatus: answer.httpStatus, reason: 'carrier_not_found_yet', ...context },
        ];
      }
      const { reading, httpStatus, answerHash } = answer;
      return [
        key,
        {
          outcome: 'found',
          reading,
          httpStatus,
          durationMs: context.durationMs,
          ...(answerHash ? { answerHash } : {}),
        },
      ];
    }),
  );
}

/** As `AbortSignal.any` with a timeout would, but with nothing that lives on when the refresh is over: there are thousands a second. */
async function withinDeadline<T>(outer: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const end = (): void => ending.abort(outer.reason);
  const timer = setTimeout(
    () => ending.abort(new DOMException('The refresh took too long.', 'TimeoutError')),
    fetchDeadlineMs,
  );
  outer.addEventListener('abort', end, { once: true });
  if (outer.aborted) end();
  try {
    return await ask(ending.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  }
}

const defaultRateLimitMs = 60_000;

export type CarrierRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE';
  /** Made anew for each attempt, so that a request id is never used twice. */
  headers: () => Record<string, string>;
  body?: string;
  /** How to get the bearer token; null: the headers alone sign the call in. */
  oauth: OauthRequest | null;
  /** A call that must not be refused, such as the next page of an answer or the second half of a batch. */
  owed?: boolean;
  signal: AbortSignal;
};

/** Settings without which a carrier cannot be asked. Throws `FetchFailure`. */
export function requireSettings(
  settings: CarrierSettings,
  names: readonly ('clientId' | 'clientSecret' | 'apiKey')[],
): void {
  const missing = names.filter((name) => settings[name] === null);
  if (missing.length > 0)
    throw new FetchFailure(
      'credentials_missing',
      `the credentials for this carrier are incomplete: ${missing.join(', ')} is not set`,
    );
}

/**
 * Sends one call within the budget, signed in, and once more with a new token when the token is refused. Any status but 429 is an answer;
 * throws `FetchFailure` when the budget or the carrier says to wait.
 */
export async function askCarrier(ctx: CarrierContext, request: CarrierRequest): Promise<CarrierResponse> {
  const waitMs = request.owed ? 0 : ctx.budget.take();
  if (request.owed) ctx.budget.charge();
  if (waitMs > 0)
    throw new FetchFailure('carrier_rate_limited', 'the budget of calls to this carrier is used up for now', {
      retryAfterMs: waitMs,
    });

  const send = (token: string | null): Promise<CarrierResponse> =>
    ctx.fetch(request.url, {
      method: request.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...request.headers(),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(request.body === undefined ? {} : { body: request.body }),
      signal: request.signal,
    });
  // A stand-in without a token endpoint takes the headers alone.
  const { oauth } = request;
  const token = oauth !== null && ctx.settings.authUrl !== null ? await signIn(ctx, oauth, null) : null;
  let response = await send(token);
  if ((response.status === 401 || response.status === 403) && oauth !== null && token !== null) {
    ctx.budget.charge();
    response = await send(await signIn(ctx, oauth, token));
  }
  if (response.status === 429) throw rateLimited(ctx, response);
  return response;
}

/** The access token. A token endpoint that says to wait closes the budget too: without a token nothing can be asked. */
async function signIn(ctx: CarrierContext, oauth: OauthRequest, refusedToken: string | null): Promise<string> {
  try {
    return await oauthToken(ctx, oauth, refusedToken);
  } catch (error) {
    if (error instanceof FetchFailure && error.httpStatus === 429)
      ctx.budget.close(error.retryAfterMs ?? defaultRateLimitMs);
    throw error;
  }
}

/** Closes the budget for as long as the carrier asks, and says so. */
export function rateLimited(ctx: CarrierContext, response: CarrierResponse): FetchFailure {
  const now = ctx.now();
  const waitMs = readRetryAfter(response.headers, now) ?? defaultRateLimitMs;
  ctx.budget.close(waitMs);
  if (response.status === 429) return failureOfStatus(response, { now, carrierSays: carrierMessage(response.text) });
  return new FetchFailure('carrier_rate_limited', `the carrier asks to slow down (${response.status})`, {
    httpStatus: response.status,
    retryAfterMs: waitMs,
  });
}
