import type {
  CarrierContext,
  CarrierFetch,
  CarrierResponse,
  CarrierSettings,
} from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import type { ReadEvent, Reading } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { createBudget } from '#test/support/carriers/local-budget.ts';

export const base = 'https://carrier.example';
export type Call = { method: string; url: URL; headers: Record<string, string>; body: string };
export type Reply = { status?: number; headers?: Record<string, string>; body: unknown };

const settings: CarrierSettings = {
  baseUrl: base,
  authUrl: null,
  clientId: 'id',
  clientSecret: 'secret',
  apiKey: 'key',
  certificate: null,
  privateKey: null,
  scope: null,
  simulated: false,
};

/** A carrier that is a function. `clock.ms` is the time. */
export function carrierOf(reply: (call: Call) => Reply, changes: Partial<CarrierSettings> = {}) {
  const calls: Call[] = [];
  const clock = { ms: Date.parse('2026-05-01T00:00:00Z') };
  const now = () => new Date(clock.ms);
  const fetch: CarrierFetch = async (url, { method = 'GET', headers = {}, body = '' }): Promise<CarrierResponse> => {
    const call = { method, url: new URL(url), headers, body };
    calls.push(call);
    const { status = 200, headers: answered = {}, body: text } = reply(call);
    return { status, headers: new Headers(answered), text: typeof text === 'string' ? text : JSON.stringify(text) };
  };
  const context: CarrierContext = {
    settings: { ...settings, ...changes },
    fetch,
    budget: createBudget({ calls: 1000, perMs: 1000, burst: 10_000 }, now),
    tokens: createTokenCache(now),
    now,
  };
  return { context, calls, clock };
}

export function readingOf(results: Map<string, FetchResult>): Reading {
  const [result] = results.values();
  if (result?.outcome !== 'found') throw new Error(`expected found, got ${JSON.stringify(result)}`);
  return result.reading;
}

export function only(events: readonly ReadEvent[]): ReadEvent {
  const [event, ...others] = events;
  if (event === undefined || others.length > 0) throw new Error(`expected one event, got ${events.length}`);
  return event;
}
