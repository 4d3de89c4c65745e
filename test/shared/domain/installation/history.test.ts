import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  barSlots,
  historyOf,
  type OperationsSample,
  sampleEveryMs,
  sampleTime,
  trendSlots,
} from '#shared/domain/installation/history.ts';

const now = Date.parse('2026-11-26T12:00:00Z');
const sample = (minutesAgo: number, changes: Partial<OperationsSample> = {}): OperationsSample => ({
  at: new Date(now - minutesAgo * 60_000).toISOString(),
  oldestDueS: 0,
  callsPerMinute: 0,
  troubled: 0,
  failedRefreshes: 0,
  feedAgeS: 0,
  connectors: {},
  ...changes,
});
const calls = (requests: number, succeeded = requests, limited = false) => ({ requests, succeeded, limited });

describe('the history of the installation', () => {
  it('has the worst of each quarter of an hour, and the calls of each half hour', () => {
    const { trends, bars } = historyOf(
      [
        sample(26, { oldestDueS: 9, connectors: { maersk: calls(10, 8) } }),
        sample(14, { oldestDueS: 40, connectors: { maersk: calls(20, 20) } }),
        sample(9, { oldestDueS: 3, connectors: { maersk: calls(5, 4, true) } }),
      ],
      now,
    );
    expect(trends.oldestDueS.slice(-3)).toEqual([null, 9, 40]);
    expect(bars.maersk?.slice(-2)).toEqual([null, calls(35, 32, true)]);
    expect([trends.oldestDueS.length, bars.maersk?.length]).toEqual([trendSlots, barSlots]);
  });

  it('distinguishes no calls from no worker', () => {
    const { bars } = historyOf([sample(100), sample(5, { connectors: { ups: calls(1) } })], now);
    expect(bars.ups?.slice(-4)).toEqual([calls(0), null, null, calls(1)]);
  });

  it('drops samples that are older than a day, or from the future', () => {
    const { trends } = historyOf([sample(24 * 60 + 1, { troubled: 3 }), sample(-6, { troubled: 4 })], now);
    expect(trends.troubled.every((value) => value === null)).toBe(true);
  });

  it('loses and doubles no call, whenever samples were kept', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ minutesAgo: fc.integer({ min: 0, max: 24 * 60 - 1 }), requests: fc.nat(1000) })),
        (kept) => {
          const samples = kept.map(({ minutesAgo, requests }) =>
            sample(minutesAgo, { connectors: requests > 0 ? { one: calls(requests) } : {} }),
          );
          const shown = (historyOf(samples, now).bars.one ?? []).reduce((sum, slot) => sum + (slot?.requests ?? 0), 0);
          expect(shown).toBe(kept.reduce((sum, { requests }) => sum + requests, 0));
        },
      ),
    );
  });

  it('gives all workers the same five minutes', () => {
    expect(sampleTime(now)).toBe('2026-11-26T12:00:00.000Z');
    expect(sampleTime(now + sampleEveryMs - 1)).toBe(sampleTime(now));
    expect(sampleTime(now + sampleEveryMs)).toBe('2026-11-26T12:05:00.000Z');
  });
});
