import { expect, it } from 'vitest';
import { carrierHealthState } from '#shared/domain/carriers/carrier-health.ts';

const at = '2026-04-15T09:30:00.000Z';

it.each([
  ['unknown', 0, 0, 0],
  ['healthy', 10, 0, 0],
  ['healthy', 10, 2, 0],
  ['degraded', 8, 2, 0],
  ['degraded', 100, 1, 1],
  ['degraded', 0, 2, 2],
  ['down', 100, 3, 3],
] as const)('%s: %i answered, %i failed, %i of them since', (state, answered, failed, failedSince) => {
  expect(carrierHealthState({ answered, failed, failedSince, lastAnsweredAt: at, lastFailedAt: at, waiting: 0 })).toBe(
    state,
  );
});

it('reports a carrier without refreshes as unknown', () => {
  expect(carrierHealthState(null)).toBe('unknown');
});
