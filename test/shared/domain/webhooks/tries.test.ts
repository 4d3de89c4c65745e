import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deliveryErrors, describeTry, isDelivered } from '#shared/domain/webhooks/delivery-error.ts';
import { askedPause, failingLimitMs, isFailingTooLong, maxTries, pauseAfter } from '#shared/domain/webhooks/tries.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const share = fc.double({ min: 0, max: 1, noNaN: true });

it('tries eleven times over about three days, then stops', () => {
  const pauses = Array.from({ length: maxTries }, (_, index) => pauseAfter(index + 1, 0.5));
  expect(pauses.map((pause) => pause && pause / 1000)).toEqual([
    5,
    60,
    300,
    1800,
    7200,
    18_000,
    36_000,
    50_400,
    72_000,
    86_400,
    null,
  ]);
});

it('varies each pause by a fifth at most, and always waits longer than before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxTries - 1 }), share, (tries, random) => {
      const middle = pauseAfter(tries, 0.5) ?? 0;
      const pause = pauseAfter(tries, random) ?? 0;
      expect(pause).toBeGreaterThanOrEqual(Math.floor(middle * 0.8));
      expect(pause).toBeLessThanOrEqual(Math.ceil(middle * 1.2));
      const next = pauseAfter(tries + 1, random);
      if (next !== null) expect(next).toBeGreaterThan(pause);
    }),
  );
});

it('waits for as long as the receiver asks, for a day at most, and never less than the schedule', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxTries - 1 }), share, fc.nat(10 * dayMs), (tries, random, askedMs) => {
      const scheduled = pauseAfter(tries, random) ?? 0;
      const pause = pauseAfter(tries, random, askedMs) ?? 0;
      expect(pause).toBe(Math.max(scheduled, Math.min(askedMs, dayMs)));
    }),
  );
  expect(pauseAfter(maxTries, 0.5, hourMs)).toBeNull();
});

it.each([
  { status: 429, text: '120', askedMs: 120_000 },
  { status: 503, text: ' 0 ', askedMs: 0 },
  { status: 503, text: 'Tue, 01 Jul 2025 10:00:30 GMT', askedMs: 30_000 },
  { status: 429, text: 'Tue, 01 Jul 2025 09:00:00 GMT', askedMs: 0 },
  { status: 500, text: '120', askedMs: null },
  { status: 429, text: null, askedMs: null },
  { status: 429, text: '', askedMs: null },
  { status: 429, text: '-5', askedMs: null },
  { status: 429, text: '1e9', askedMs: null },
  { status: 429, text: '99999999999999', askedMs: null },
  { status: 429, text: 'tomorrow', askedMs: null },
])('reads Retry-After $text of a $status as $askedMs ms', ({ status, text, askedMs }) => {
  expect(askedPause(status, text, Date.parse('2025-07-01T10:00:00Z'))).toBe(askedMs);
});

it('never reads a negative pause from any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer(), (text, nowMs) => {
      expect(askedPause(429, text, nowMs) ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});

it('gives an endpoint three days', () => {
  expect(isFailingTooLong(null)).toBe(false);
  expect(isFailingTooLong(failingLimitMs / 1000 - 1)).toBe(false);
  expect(isFailingTooLong(failingLimitMs / 1000)).toBe(true);
  expect(failingLimitMs).toBe(3 * dayMs);
});

it('accepts only a complete 2xx as a delivery, and has a sentence for every other result', () => {
  fc.assert(
    fc.property(
      fc.option(fc.integer({ min: 200, max: 599 })),
      fc.option(fc.constantFrom(...(Object.keys(deliveryErrors) as (keyof typeof deliveryErrors)[]))),
      (status, error) => {
        fc.pre(status !== null || error !== null);
        const delivered = isDelivered({ status, error });
        expect(delivered).toBe(error === null && status !== null && status < 300);
        const text = describeTry({ status, error });
        if (delivered) expect(text).toBeNull();
        else expect(text).toMatch(/^[A-Z].*\.$/);
      },
    ),
  );
});
