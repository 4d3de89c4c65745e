import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateShare, maxShare } from '#shared/domain/positions/estimate-share.ts';

const hourMs = 3_600_000;
const departedMs = Date.parse('2026-03-01T10:00:00Z');
const at = (ms: number) => new Date(ms).toISOString();
const times = fc.record({
  /** Hours from the departure to the ETA; negative: the ETA lies before it. */
  takes: fc.integer({ min: -500, max: 2000 }),
  nowHours: fc.double({ min: -500, max: 5000, noNaN: true }),
});
const estimateAt = (takes: number, nowMs: number) =>
  estimateShare({ departedAt: at(departedMs), arrivesAt: at(departedMs + takes * hourMs) }, nowMs);

describe('the estimated share of a way', () => {
  it('is never before the start, and never at the end before an arrival', () => {
    fc.assert(
      fc.property(times, ({ takes, nowHours }) => {
        const nowMs = departedMs + nowHours * hourMs;
        const estimate = estimateAt(takes, nowMs);
        expect(estimate === null).toBe(takes <= 0);
        if (estimate === null) return;
        expect(estimate.share).toBeGreaterThanOrEqual(0);
        expect(estimate.share).toBeLessThanOrEqual(maxShare);
        expect(maxShare).toBeLessThan(1);
        expect(estimate.isOverdue).toBe(nowMs >= departedMs + takes * hourMs);
        if (estimate.isOverdue) expect(estimate.share).toBe(maxShare);
        if (nowMs <= departedMs) expect(estimate).toEqual({ share: 0, isOverdue: false });
      }),
    );
  });

  it('only grows with time, and shrinks when the ETA gets later', () => {
    fc.assert(
      fc.property(times, fc.double({ min: 0, max: 1000, noNaN: true }), ({ takes, nowHours }, more) => {
        const nowMs = departedMs + nowHours * hourMs;
        const estimate = estimateAt(takes, nowMs);
        if (estimate === null) return;
        expect(estimateAt(takes, nowMs + more * hourMs)?.share).toBeGreaterThanOrEqual(estimate.share);
        expect(estimateAt(takes + more, nowMs)?.share).toBeLessThanOrEqual(estimate.share);
      }),
    );
  });

  it('is half after half the time', () => {
    expect(estimateAt(48, departedMs + 24 * hourMs)).toEqual({ share: 0.5, isOverdue: false });
  });

  it('is unknown without an ETA', () => {
    expect(estimateShare({ departedAt: at(departedMs), arrivesAt: null }, departedMs)).toBeNull();
  });
});
