import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { singleFlight } from '#shared/async/single-flight.ts';
import type { AccessToken, CarrierContext, TokenCache } from './carrier.ts';
import { FetchFailure, failureOfStatus } from './fetch-failure.ts';
import { carrierMessage } from './json-response.ts';
import { readJsonOrNull } from './read-json.ts';

const tokenDeadlineMs = 10_000;

/** `expires_in` is in seconds. Some carriers send it as text, some omit it. */
const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().catch(300) });

/** Request that a carrier's token endpoint expects (OAuth 2.0 client credentials). */
export type OauthRequest = {
  /** Place of the client id and secret in the request. `none`: `form` contains everything. */
  credentialsIn: 'form' | 'basic' | 'none';
  /** Place of `grant_type`. Default: `body`. */
  grantIn?: 'body' | 'query';
  /** Additional headers, because some gateways require a key here too. */
  headers?: Readonly<Record<string, string>>;
  /** Additional form fields, such as `scope`. A function creates them for each request. */
  form?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
};

/**
 * The access token for the settings' credentials, from the cache or from their `authUrl`. `refusedToken` is a token
 * that the carrier has just rejected; it is replaced once. Throws `FetchFailure`.
 */
export function oauthToken(ctx: CarrierContext, request: OauthRequest, refusedToken: string | null): Promise<string> {
  const { authUrl, clientId, clientSecret, apiKey, certificate, privateKey, scope } = ctx.settings;
  // The key covers every part of the credentials: the client id alone must never be enough to get a cached token.
  const key = createHash('sha256')
    .update(JSON.stringify([authUrl, clientId, clientSecret, apiKey, certificate, privateKey, scope]))
    .digest('hex');
  return ctx.tokens.get(key, () => requestToken(ctx, request), refusedToken);
}

/** Has its own deadline, because a caller must not be able to cancel a request that others share. */
async function requestToken(ctx: CarrierContext, request: OauthRequest): Promise<AccessToken> {
  const { settings } = ctx;
  const { credentialsIn, grantIn = 'body', headers = {}, form = {} } = request;
  const grant = { grant_type: 'client_credentials' };
  const url = new URL(settings.authUrl ?? '');
  if (grantIn === 'query') for (const [name, value] of Object.entries(grant)) url.searchParams.set(name, value);
  const inForm = credentialsIn === 'form';
  const clientId = settings.clientId ?? '';
  const clientSecret = settings.clientSecret ?? '';
  const fields = new URLSearchParams({
    ...(grantIn === 'body' ? grant : {}),
    ...(inForm ? { client_id: clientId, client_secret: clientSecret } : {}),
    ...(typeof form === 'function' ? form() : form),
  });
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const response = await ctx.fetch(url.href, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
      ...(credentialsIn === 'basic' ? { authorization: `Basic ${basic}` } : {}),
    },
    body: fields.toString(),
    signal: AbortSignal.timeout(tokenDeadlineMs),
  });
  if (response.status >= 400 && response.status < 500 && /^\s*</.test(response.text))
    throw new FetchFailure('carrier_unreachable', `the token endpoint returned a web page (${response.status})`, {
      httpStatus: response.status,
    });
  // These statuses concern the credentials here, not the shipment's number.
  if ([400, 404, 422].includes(response.status)) {
    throw new FetchFailure('carrier_auth_failed', `the carrier issued no access token (${response.status})`, {
      httpStatus: response.status,
      refusedBy: 'sign_in',
    });
  }
  if (response.status !== 200 && response.status !== 201) {
    const failure = failureOfStatus(response, { now: ctx.now(), carrierMessage: carrierMessage(response.text) });
    if (failure.refusedBy === null) throw failure;
    throw new FetchFailure(failure.reason, failure.message, { httpStatus: response.status, refusedBy: 'sign_in' });
  }
  const answer = tokenAnswer.safeParse(readJsonOrNull(response.text));
  if (!answer.success)
    throw new FetchFailure(
      'unrecognized_response',
      `the carrier's token endpoint gave no access token${response.unreadable ? ` (${response.unreadable})` : ''}`,
      { httpStatus: response.status },
    );
  return { token: answer.data.access_token, lifetimeMs: answer.data.expires_in * 1000 };
}

/** A token is renewed this long before it expires, or after 90 % of a shorter lifetime. */
const marginMs = 30_000;
const maxTokens = 10_000;

/** Caches access tokens until shortly before they expire. A failed request is not cached: the next caller retries. */
export function createTokenCache(now: () => Date): TokenCache {
  const perf = { now: () => now().getTime() };
  const tokens = new LRUCache<string, string>({ max: maxTokens, ttlResolution: 0, perf });
  const requestOnce = singleFlight<string, string>();

  return {
    get: async (key, request, refused) => {
      const current = tokens.get(key);
      if (current !== undefined && current !== refused) return current;
      return requestOnce(key, async () => {
        const { token, lifetimeMs } = await request();
        const shortMs = lifetimeMs * 0.9;
        const usableMs = lifetimeMs > marginMs ? Math.min(shortMs, lifetimeMs - marginMs) : shortMs;
        tokens.set(key, token, { ttl: Math.max(1, Math.floor(usableMs)) });
        return token;
      });
    },
  };
}
