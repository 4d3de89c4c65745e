import { runWithin } from '#shared/async/deadline.ts';
import type { Reading } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import type { CarrierContext, CarrierResponse, CarrierSettings, Connector, DocumentRequest } from './carrier.ts';
import {
  asFetchFailure,
  FetchFailure,
  failedFetch,
  failureOfStatus,
  isRefusingPage,
  readRetryAfter,
} from './fetch-failure.ts';
import { carrierMessage } from './json-response.ts';
import { type OauthRequest, oauthToken } from './oauth-sign-in.ts';

/** Deadline for all calls of one refresh together, including waits. */
const fetchDeadlineMs = 30_000;

/** The result of querying the carrier for one shipment. A failure concerns this shipment only. */
export type SubjectOutcome =
  /** `answerHash` identifies an identical response; see `hashAnswer`. */
  | { kind: 'found'; httpStatus: number; reading: Reading; answerHash?: string | null }
  | { kind: 'not_found'; httpStatus: number }
  /** Unchanged since the last reading: the carrier reports no change, or its response is identical. */
  | { kind: 'unchanged'; httpStatus: number }
  | { kind: 'failed'; failure: FetchFailure };

/** The record's data source: `ups`, `simulator:ups`, `dcsa:maersk`. */
export function sourceOf({ settings }: { settings: Pick<CarrierSettings, 'simulated'> }, name: string): string {
  return settings.simulated ? `simulator:${name}` : name;
}

/**
 * Queries for several shipments at once under one deadline. Each gets exactly one result: the one that `ask` returned,
 * or else the failure that `ask` threw. Never rejects.
 */
export async function guardedFetch<K extends string>(
  refresh: { keys: readonly K[]; source: string; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<ReadonlyMap<K, SubjectOutcome>>,
): Promise<Map<K, FetchResult>> {
  const startedAt = performance.now();
  let answers: ReadonlyMap<K, SubjectOutcome> = new Map();
  let failure: FetchFailure | null = null;
  try {
    answers = await runWithin(ask, {
      timeoutMs: fetchDeadlineMs,
      signals: [refresh.signal],
      late: 'The refresh took too long.',
      waitsForWork: true,
    });
  } catch (error) {
    failure = asFetchFailure(error);
  }
  const context = { durationMs: Math.round(performance.now() - startedAt), source: refresh.source };
  return new Map(
    refresh.keys.map((key): [K, FetchResult] => {
      const answer = answers.get(key) ?? { kind: 'failed', failure: failure ?? asFetchFailure(new Error('no answer')) };
      if (answer.kind === 'failed') return [key, resultOfFailure(answer.failure, context)];
      if (answer.kind === 'unchanged')
        return [key, { outcome: 'unchanged', httpStatus: answer.httpStatus, ...context }];
      if (answer.kind === 'not_found') return [key, notFound(answer.httpStatus, context)];
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

/** A carrier may reject a number that it doesn't know yet: that is no failure. */
function resultOfFailure(failure: FetchFailure, context: { durationMs: number; source: string }): FetchResult {
  const isUnknown = failure.reason === 'carrier_not_found_yet' && failure.httpStatus !== null;
  return isUnknown ? notFound(failure.httpStatus, context) : failedFetch(failure, context);
}

function notFound(httpStatus: number | null, context: { durationMs: number; source: string }): FetchResult {
  return { outcome: 'not_found', httpStatus: httpStatus ?? 404, reason: 'carrier_not_found_yet', ...context };
}

/** One shipment to refresh. `signal` ends all calls of its refresh. */
export type SubjectQuery = { subject: RefreshSubject; signal: AbortSignal; source: string };

/**
 * The `fetch` of a connector that queries one shipment per call. `name` is the connector's name in the record's source.
 */
export function fetchEach(
  name: string,
  ask: (ctx: CarrierContext, refresh: SubjectQuery) => Promise<SubjectOutcome>,
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

/** The failure for a status that the connector doesn't handle. */
export function unexpectedStatus(ctx: CarrierContext, response: CarrierResponse): Error {
  return failureOfStatus(response, { now: ctx.now(), carrierMessage: carrierMessage(response.text) });
}

const defaultRateLimitMs = 60_000;

export type CarrierRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE';
  /** Called once per send, so that a request id is never reused. */
  headers: () => Record<string, string>;
  body?: string;
  /** Request for the bearer token. Null: the headers alone authenticate the call. */
  oauth: OauthRequest | null;
  /** The call must not be refused, for example the next page of a response or the second half of a batch. */
  owed?: boolean;
  /** For a response that contains a document. */
  document?: DocumentRequest;
  signal: AbortSignal;
};

/** Throws `FetchFailure` unless every setting that the carrier requires is set. */
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
 * Sends one call within the budget, with authentication. Repeats it once with a new token when the carrier rejects the
 * token. Returns any status but 429. Throws `FetchFailure` when the budget is exhausted or the carrier rate-limits the
 * call.
 */
export async function callCarrier(ctx: CarrierContext, request: CarrierRequest): Promise<CarrierResponse> {
  const waitMs = request.owed ? 0 : ctx.budget.take();
  if (request.owed) ctx.budget.charge();
  if (waitMs > 0)
    throw new FetchFailure('carrier_rate_limited', 'the call budget for this carrier is exhausted', {
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
      ...(request.document === undefined ? {} : { document: request.document }),
      signal: request.signal,
    });
  // A simulated carrier without a token endpoint accepts the headers alone.
  const { oauth } = request;
  const token = oauth !== null && ctx.settings.authUrl !== null ? await signIn(ctx, oauth, null) : null;
  let response = await send(token);
  const isRefused = (response.status === 401 || response.status === 403) && !isRefusingPage(response);
  if (isRefused && oauth !== null && token !== null) {
    ctx.budget.charge();
    response = await send(await signIn(ctx, oauth, token));
  }
  if (response.status === 429) throw rateLimited(ctx, response);
  return token === null ? response : { ...response, signedIn: true };
}

/** The access token. A rate-limited token endpoint closes the budget too: no call is possible without a token. */
async function signIn(ctx: CarrierContext, oauth: OauthRequest, refusedToken: string | null): Promise<string> {
  try {
    return await oauthToken(ctx, oauth, refusedToken);
  } catch (error) {
    if (error instanceof FetchFailure && error.httpStatus === 429)
      ctx.budget.close(error.retryAfterMs ?? defaultRateLimitMs);
    throw error;
  }
}

/** Closes the budget for as long as the carrier requests and returns the failure. */
export function rateLimited(ctx: CarrierContext, response: CarrierResponse): FetchFailure {
  const now = ctx.now();
  const waitMs = readRetryAfter(response.headers, now) ?? defaultRateLimitMs;
  ctx.budget.close(waitMs);
  if (response.status === 429) return failureOfStatus(response, { now, carrierMessage: carrierMessage(response.text) });
  return new FetchFailure('carrier_rate_limited', `the carrier's rate limit was reached (${response.status})`, {
    httpStatus: response.status,
    retryAfterMs: waitMs,
  });
}
