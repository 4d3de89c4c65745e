import type { CarrierContext, CarrierResponse, CarrierSettings } from './carrier.ts';
import { FetchFailure, failureOfStatus, readRetryAfter } from './fetch-failure.ts';
import { carrierMessage } from './json-response.ts';
import { type OauthRequest, oauthToken } from './oauth-sign-in.ts';

const defaultRateLimitMs = 60_000;

export type CarrierRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE';
  /** Called once per send, so that a request id is never reused. */
  headers: () => Record<string, string>;
  body?: string;
  /** How to get the bearer token. Null: the headers alone authenticate the call. */
  oauth: OauthRequest | null;
  /** The call must not be refused, for example the next page of a response or the second half of a batch. */
  owed?: boolean;
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
      signal: request.signal,
    });
  // A simulated carrier without a token endpoint accepts the headers alone.
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
