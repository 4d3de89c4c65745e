import { expect, it } from 'vitest';
import { createCadencePressure } from '#services/worker/pacing/cadence-pressure.ts';
import type { CarrierService, CarrierServices, Served } from '#services/worker/pacing/carrier-service.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { nextRefresh } from '#shared/domain/refresh/cadence.ts';
import { keepLimit } from '#shared/limits/published-limit.ts';

const limit = keepLimit({ calls: 100, perMs: 3_600_000, burst: 1 });

function accesses(served: Served[]): Pick<CarrierServices, 'services' | 'served'> {
  const ids = [...new Set(served.map(({ credentialId }) => credentialId))];
  const services = ids.map(
    (credentialId) => ({ connector: 'maersk', credentialId, bucket: { limit } }) as CarrierService,
  );
  return { services: () => services, served: () => served };
}

const one = (accountId: string, credentialId: string): Served => ({
  connector: 'maersk',
  accountId,
  carrier: 'MAEU',
  credentialId,
  seenAtMs: 0,
});
const of = (accountId: string) => ({ accountId, carrier: 'MAEU' });

it('adds up the accounts that a credential serves, and reports no pressure for others', () => {
  const pressure = createCadencePressure(accesses([one('a', 'shared'), one('b', 'shared'), one('c', 'own')]), () => 1);
  expect(pressure.of('maersk', of('a'))).toBe(1);
  pressure.update([
    { accountId: 'a', connector: 'maersk', refreshes: 150 },
    { accountId: 'b', connector: 'maersk', refreshes: 150 },
    { accountId: 'c', connector: 'maersk', refreshes: 10 },
    { accountId: 'd', connector: 'maersk', refreshes: 1_000_000 },
  ]);
  expect(pressure.of('maersk', of('a'))).toBeCloseTo(3, 1);
  expect(pressure.of('maersk', of('b'))).toBeCloseTo(3, 1);
  expect(pressure.of('maersk', of('c'))).toBe(1);
  expect(pressure.of('maersk', of('d'))).toBe(1);
});

it('counts a call with 30 shipments as 30 refreshes', () => {
  const pressure = createCadencePressure(accesses([one('a', 'shared')]), () => 30);
  pressure.update([{ accountId: 'a', connector: 'maersk', refreshes: 6000 }]);
  expect(pressure.of('maersk', of('a'))).toBeCloseTo(2, 1);
});

it('delays the next refresh, up to a maximum', () => {
  const pressure = createCadencePressure(accesses([one('a', 'shared')]), () => 1);
  pressure.update([{ accountId: 'a', connector: 'maersk', refreshes: 10_000_000 }]);
  const budgetPressure = pressure.of('maersk', of('a'));
  expect(budgetPressure).toBe(24);
  const nowMs = Date.parse('2026-04-15T00:00:00Z');
  const input = {
    mode: 'ocean' as const,
    state: 'active' as const,
    reason: null,
    journey: composeJourney({ events: [], transportMode: 'ocean' }, nowMs),
    outcome: 'unchanged' as const,
    outcomeReason: null,
    permanent: false,
    retryAfterMs: null,
    consecutiveFailures: 0,
    trackingSinceMs: nowMs,
    lastSucceededAtMs: nowMs,
    lastChangedAtMs: nowMs,
    random: 0.5,
    cadenceScale: 1,
  };
  const waitMs = (pressed: number) =>
    (nextRefresh({ ...input, budgetPressure: pressed }, nowMs).nextRefreshAtMs ?? nowMs) - nowMs;
  expect(waitMs(2)).toBe(2 * waitMs(1));
  expect(waitMs(budgetPressure)).toBe(24 * waitMs(1));
});
