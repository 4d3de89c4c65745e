import type { CarrierContext, CarrierResponse, CarrierSettings } from './carrier.ts';
import { carrierMessage } from './carrier-message.ts';
import { FetchFailure, failureOfStatus, readRetryAfter } from './fetch-failure.ts';
import { type OauthRequest, oauthToken } from './oauth-sign-in.ts';

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
