import type { CarrierContext, CarrierResponse, Connector } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { Identifiers } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { createBudget } from '#test/support/carriers/local-budget.ts';
import { nothingConfigured } from '#test/support/carriers/simulated-carrier.ts';
import { patienceMs } from '#test/support/until.ts';

export const voyageS = 50;
export const seed = 'replay';

/** A carrier that returns these responses in turn and repeats the last one. It records the calls. */
export function scriptedCarrier(
  answers: readonly (Partial<CarrierResponse> & { headers?: Headers })[],
  settings: Partial<CarrierContext['settings']> = {},
) {
  const asked: { url: string; method: string; headers: Record<string, string> }[] = [];
  const now = () => new Date('2026-05-01T00:00:00Z');
  const context: CarrierContext = {
    settings: {
      ...nothingConfigured,
      baseUrl: 'https://carrier.example',
      apiKey: 'key',
      simulated: false,
      ...settings,
    },
    fetch: async (url, { method = 'GET', headers = {} }) => {
      asked.push({ url, method, headers });
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      return { status: 200, headers: new Headers(), text: '', ...answer };
    },
    budget: createBudget({ calls: 1, perMs: 1000, burst: 1000 }, now),
    tokens: createTokenCache(now),
    now,
  };
  return { context, asked };
}

/** The fields of a subject that a connector reads. */
export function freightSubject(
  transportMode: TransportMode,
  identifiers: Identifiers,
  changes: Partial<RefreshSubject> = {},
): RefreshSubject {
  return {
    accountId: '018f0000-0000-7000-8000-000000000001',
    shipmentId: '018f0000-0000-7000-8000-000000000002',
    epoch: 1,
    transportMode,
    carrier: 'XX',
    identifiers,
    registrationTraceparent: null,
    refreshedBefore: false,
    test: false,
    testSteps: 0,
    trackingSince: '2026-03-01T00:00:00.000Z',
    createdAt: '2026-03-01T00:00:00.000Z',
    clockOffsetMs: 0,
    polling: {
      state: 'active',
      reason: null,
      consecutiveFailures: 0,
      readingHash: null,
      lastSucceededAt: null,
      lastChangedAt: null,
    },
    ...changes,
  } as RefreshSubject;
}

export async function fetchOnce(connector: Connector, context: CarrierContext, subject: RefreshSubject) {
  const refresh = (await connector.fetch(context, [subject], AbortSignal.timeout(patienceMs))).get(subject.shipmentId);
  if (refresh === undefined) throw new Error('the connector gave no result');
  return refresh;
}
