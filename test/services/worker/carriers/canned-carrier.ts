import type { CarrierContext, CarrierSettings, Connector } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { createBudget } from '#test/support/carriers/local-budget.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from './dcsa/fake-carrier.ts';

export type CannedRequest = { url: URL; method: string; headers: Headers; body: string };
export type CannedAnswer = { status?: number; body: unknown; headers?: Record<string, string> };

export const cannedNow = new Date('2026-05-01T00:00:00Z');

/**
 * A carrier without a network. Its token endpoint is `/token`; `answer` returns every other response. A string body is
 * sent as is.
 */
export function cannedCarrier(
  answer: (asked: CannedRequest, count: number) => CannedAnswer,
  settings: Partial<CarrierSettings> = {},
) {
  const asked: CannedRequest[] = [];
  const tokensAsked: CannedRequest[] = [];
  const all: CarrierSettings = {
    baseUrl: 'https://carrier.test',
    authUrl: 'https://carrier.test/token',
    clientId: 'the id',
    clientSecret: 'the secret',
    apiKey: 'the key',
    certificate: null,
    privateKey: null,
    scope: null,
    simulated: false,
    ...settings,
  };
  const now = () => cannedNow;
  const budget = createBudget({ calls: 1, perMs: 60_000, burst: 100 }, now);
  const ctx: CarrierContext = {
    settings: all,
    budget,
    tokens: createTokenCache(now),
    now,
    fetch: async (url, { method = 'GET', headers = {}, body = '' }) => {
      const one = { url: new URL(url), method, headers: new Headers(headers), body };
      const isToken = one.url.pathname === '/token';
      (isToken ? tokensAsked : asked).push(one);
      const canned: CannedAnswer = isToken
        ? { body: { access_token: `token ${tokensAsked.length}`, expires_in: '3599' } }
        : answer(one, asked.length);
      const text = typeof canned.body === 'string' ? canned.body : JSON.stringify(canned.body);
      return { status: canned.status ?? 200, headers: new Headers(canned.headers), text };
    },
  };
  return { ctx, asked, tokensAsked, budget };
}

export function parcelSubject(trackingNumber: string | null, changes: Partial<RefreshSubject> = {}): RefreshSubject {
  return {
    ...subject(trackingNumber === null ? {} : { tracking_number: trackingNumber }, 'ups'),
    createdAt: '2026-04-01T00:00:00Z',
    ...changes,
  };
}

/** The only result of a refresh for one number. */
export async function fetchFor(connector: Connector, ctx: CarrierContext, one: RefreshSubject): Promise<FetchResult> {
  const refreshes = await connector.fetch(ctx, [one], AbortSignal.timeout(patienceMs));
  const result = refreshes.get(one.shipmentId);
  if (refreshes.size !== 1 || result === undefined) throw new Error('a refresh gives exactly one result per subject');
  return result;
}

/** The reading of a refresh, which must be found. */
export async function readingOf(connector: Connector, ctx: CarrierContext, one: RefreshSubject) {
  const result = await fetchFor(connector, ctx, one);
  if (result.outcome !== 'found') throw new Error(JSON.stringify(result));
  return result.reading;
}
