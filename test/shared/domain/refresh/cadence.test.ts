import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { type CadenceInput, nextRefresh } from '#shared/domain/refresh/cadence.ts';
import { cadenceOf } from '#shared/domain/refresh/cadence-phase.ts';
import { runs } from '#test/support/run-scale.ts';
import { anyEvents } from '../journey/event-sets.ts';
import { type EventSketch, hourMs, startMs, trackingEvent } from '../journey/journey-events.ts';

const minuteMs = 60_000;
const dayMs = 24 * hourMs;
const nowMs = startMs + 1_000 * hourMs;

function journeyOf(sketches: EventSketch[], transportMode: CadenceInput['mode'] = 'ocean', atMs = nowMs) {
  return composeJourney(
    { events: sketches.map((sketch, index) => trackingEvent({ ...sketch, id: `e${index}` })), transportMode },
    atMs,
  );
}

function input(changes: Partial<CadenceInput> = {}): CadenceInput {
  return {
    mode: 'ocean',
    state: 'active',
    reason: null,
    journey: journeyOf([]),
    outcome: 'unchanged',
    outcomeReason: null,
    permanent: false,
    retryAfterMs: null,
    consecutiveFailures: 0,
    trackingSinceMs: nowMs - dayMs,
    lastSucceededAtMs: nowMs - hourMs,
    lastChangedAtMs: nowMs - hourMs,
    random: 0.5,
    cadenceScale: 1,
    ...changes,
  };
}

const intervalOf = (changes: Partial<CadenceInput>) =>
  (nextRefresh(input(changes), nowMs).nextRefreshAtMs ?? Number.NaN) - nowMs;
const sailed: EventSketch[] = [{ code: 'departed', hour: 500, port: 'CNSHA' }];
const eta = (hour: number): EventSketch => ({ code: 'arrived', hour, port: 'NLRTM', classifier: 'estimated' });

it('schedules from the reduced journey exactly as from the whole one', () => {
  const modes = fc.constantFrom<CadenceInput['mode']>('ocean', 'rail', 'air', 'road', 'parcel');
  const outcomes = fc.constantFrom<CadenceInput['outcome']>('changed', 'unchanged', 'not_found');
  fc.assert(
    fc.property(anyEvents, modes, outcomes, fc.integer({ min: 0, max: 3_000 }), (events, mode, outcome, hour) => {
      const atMs = startMs + hour * hourMs;
      const journey = composeJourney({ events, transportMode: mode }, atMs);
      const kept = JSON.parse(JSON.stringify(cadenceOf(journey)));
      expect(nextRefresh(input({ mode, outcome, journey: kept }), atMs)).toEqual(
        nextRefresh(input({ mode, outcome, journey }), atMs),
      );
      expect(cadenceOf(kept)).toEqual(kept);
    }),
  );
});

describe('the interval between refreshes', () => {
  it('is six times as long while the carrier pushes, and at most a day', () => {
    const near = journeyOf([...sailed, eta(1_030)]);
    expect(intervalOf({ journey: near, pushActive: true })).toBe(6 * intervalOf({ journey: near }));
    expect(intervalOf({ journey: journeyOf([...sailed, eta(1_200)]), pushActive: true })).toBe(dayMs);
    const early = journeyOf([{ code: 'booking_confirmed', hour: 1 }]);
    expect(intervalOf({ journey: early, pushActive: true })).toBeGreaterThanOrEqual(intervalOf({ journey: early }));
    expect(intervalOf({ journey: early, pushActive: true })).toBeLessThanOrEqual(dayMs);
    const notFound = { outcome: 'not_found' as const, lastSucceededAtMs: null };
    expect(intervalOf({ ...notFound, pushActive: true })).toBe(intervalOf(notFound));
  });

  it.each<[string, EventSketch[], number]>([
    [
      'booked, departure far ahead',
      [
        { code: 'booking_confirmed', hour: 1 },
        { code: 'departed', hour: 1_100, port: 'CNSHA', classifier: 'planned' },
      ],
      24,
    ],
    [
      'booked, departure near',
      [
        { code: 'booking_confirmed', hour: 1 },
        { code: 'departed', hour: 1_040, port: 'CNSHA', classifier: 'planned' },
      ],
      2,
    ],
    ['on board', [...sailed, eta(1_200)], 12],
    ['on board, arrival near', [...sailed, eta(1_030)], 2],
    ['arrival overdue', [...sailed, eta(990)], 1],
    ['arrival long overdue', [...sailed, eta(960)], 6],
    [
      'waiting at a transshipment',
      [
        ...sailed,
        { code: 'discharged', hour: 800, port: 'SGSIN' },
        { code: 'loaded', hour: 1_200, port: 'SGSIN', classifier: 'planned' },
      ],
      4,
    ],
    ['arrived', [...sailed, { code: 'arrived', hour: 990, port: 'NLRTM' }], 4],
    ['out for delivery', [...sailed, { code: 'gate_out_full', hour: 990, port: 'NLRTM' }], 2],
    ['delivered', [...sailed, { code: 'delivered', hour: 990, port: 'NLRTM' }], 24],
  ])('%s', (_phase, sketches, hours) => {
    expect(intervalOf({ journey: journeyOf(sketches) })).toBe(hours * hourMs);
  });

  it('is shorter for air and parcels', () => {
    expect(
      intervalOf({ mode: 'air', journey: journeyOf([{ code: 'departed', hour: 999, port: 'HKHKG' }], 'air') }),
    ).toBe(hourMs);
    expect(
      intervalOf({ mode: 'parcel', journey: journeyOf([{ code: 'out_for_delivery', hour: 999 }], 'parcel') }),
    ).toBe(30 * minuteMs);
  });

  it('has ten per cent jitter either way, is divided by the scale, and is at least two seconds', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 1_000_000 }),
        (random, cadenceScale) => {
          const intervalMs = intervalOf({ journey: journeyOf(sailed), random, cadenceScale });
          const baseMs = (12 * hourMs) / cadenceScale;
          expect(intervalMs).toBeGreaterThanOrEqual(Math.max(2_000, Math.floor(baseMs * 0.9)));
          expect(intervalMs).toBeLessThanOrEqual(Math.max(2_200, Math.ceil(baseMs * 1.1)));
        },
      ),
    );
  });

  it('is longer for a carrier over its budget', () => {
    expect(intervalOf({ journey: journeyOf(sailed), budgetPressure: 1.5 })).toBe(18 * hourMs);
  });

  it('ends no later than a future event starts to count', () => {
    const journey = journeyOf([...sailed, eta(1_200), { code: 'arrived', hour: 1_027, port: 'NLRTM' }]);
    expect(intervalOf({ journey })).toBe(3 * hourMs);
  });

  it('keeps the record fresh for twice the interval after a success', () => {
    const result = nextRefresh(
      input({ journey: journeyOf(sailed), state: 'degraded', reason: 'carrier_unreachable', consecutiveFailures: 7 }),
      nowMs,
    );
    expect(result).toMatchObject({
      state: 'active',
      reason: null,
      consecutiveFailures: 0,
      staleAtMs: nowMs + 24 * hourMs,
    });
  });
});

describe('a carrier that does not know the number', () => {
  const notFound = (waitedMs: number, changes: Partial<CadenceInput> = {}) =>
    input({
      outcome: 'not_found',
      outcomeReason: 'carrier_not_found_yet',
      state: 'queued',
      trackingSinceMs: nowMs - waitedMs,
      lastSucceededAtMs: null,
      lastChangedAtMs: null,
      ...changes,
    });

  it('is polled after 15 min, 1 h, 4 h and then every 12 h, for any jitter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 7, maxLength: 7 }),
        (randoms) => {
          let atMs = startMs + 500;
          const steps = randoms.map((random) => {
            const result = nextRefresh({ ...notFound(0), trackingSinceMs: startMs, random }, atMs);
            expect(result).toMatchObject({
              state: 'awaiting_carrier',
              reason: 'carrier_not_found_yet',
              staleAtMs: null,
            });
            const waitMs = (result.nextRefreshAtMs ?? 0) - atMs;
            atMs = (result.nextRefreshAtMs ?? 0) + 500;
            return [15 * minuteMs, hourMs, 4 * hourMs, 12 * hourMs].find(
              (stepMs) => Math.abs(waitMs - stepMs) <= stepMs * 0.1 + 1,
            );
          });
          expect(steps).toEqual([
            15 * minuteMs,
            hourMs,
            4 * hourMs,
            12 * hourMs,
            12 * hourMs,
            12 * hourMs,
            12 * hourMs,
          ]);
        },
      ),
    );
  });

  it('fails after 30 days', () => {
    expect(nextRefresh(notFound(29 * dayMs), nowMs).state).toBe('awaiting_carrier');
    expect(nextRefresh(notFound(30 * dayMs), nowMs)).toMatchObject({
      state: 'failed',
      reason: 'not_found',
      nextRefreshAtMs: null,
    });
  });

  it('also applies to missing credentials, which are no carrier error', () => {
    const result = nextRefresh(
      notFound(0, { outcome: 'error', outcomeReason: 'credentials_missing', consecutiveFailures: 2 }),
      nowMs,
    );
    expect(result).toMatchObject({ state: 'awaiting_carrier', reason: 'credentials_missing', consecutiveFailures: 0 });
  });
});

describe('a carrier that fails', () => {
  const failing = (changes: Partial<CadenceInput> = {}) =>
    input({ outcome: 'error', outcomeReason: 'carrier_unreachable', journey: journeyOf(sailed), ...changes });

  it('makes tracking degraded at the third consecutive error and keeps the record', () => {
    expect(nextRefresh(failing({ consecutiveFailures: 1 }), nowMs)).toMatchObject({
      state: 'active',
      reason: 'carrier_unreachable',
      consecutiveFailures: 2,
    });
    const third = nextRefresh(failing({ consecutiveFailures: 2 }), nowMs);
    expect(third).toMatchObject({ state: 'degraded', consecutiveFailures: 3, staleAtMs: nowMs - hourMs + 24 * hourMs });
  });

  it('is polled again after a growing, jittered wait', () => {
    expect(intervalOf(failing({ random: 0.999 }))).toBeLessThanOrEqual(minuteMs);
    expect(intervalOf(failing({ random: 0.999, consecutiveFailures: 3 }))).toBeGreaterThan(7 * minuteMs);
    expect(intervalOf(failing({ random: 0.999, consecutiveFailures: 50 }))).toBeLessThanOrEqual(hourMs);
    expect(intervalOf(failing({ random: 0 }))).toBe(2_000);
  });

  it('is not polled before its Retry-After, at any scale', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: dayMs }),
        (random, retryAfterMs) => {
          const waitMs = intervalOf(
            failing({ outcomeReason: 'carrier_rate_limited', random, retryAfterMs, cadenceScale: 1_000 }),
          );
          expect(waitMs).toBeGreaterThanOrEqual(retryAfterMs);
        },
      ),
    );
  });

  it('is due within seconds of the next probe while the circuit is open, however often it failed', () => {
    const waits = Array.from({ length: 100 }, (_, share) =>
      intervalOf(failing({ circuitOpenMs: 9_000, random: share / 100, consecutiveFailures: share })),
    );
    expect(Math.min(...waits)).toBe(9_000);
    expect(Math.max(...waits)).toBeLessThan(9_000 + 15_000);
    // Spread, not all at once.
    expect(new Set(waits).size).toBe(100);
    expect(intervalOf(failing({ circuitOpenMs: 9_000, retryAfterMs: hourMs }))).toBeGreaterThanOrEqual(hourMs);
  });

  it('is not polled again after a permanent refusal', () => {
    expect(nextRefresh(failing({ permanent: true, outcomeReason: 'invalid_identifier' }), nowMs)).toMatchObject({
      state: 'failed',
      reason: 'invalid_identifier',
      nextRefreshAtMs: null,
    });
  });
});

describe('the end', () => {
  const delivered = (hour: number): EventSketch[] => [
    ...sailed,
    { code: 'delivered', hour, port: 'NLRTM', container: 'AAAU1234567' },
  ];

  it('ocean: ends when the empty container is returned, or 14 days after delivery', () => {
    expect(nextRefresh(input({ journey: journeyOf(delivered(990)) }), nowMs)).toMatchObject({
      state: 'active',
      nextRefreshAtMs: nowMs + dayMs,
    });
    const emptied = journeyOf([
      ...delivered(990),
      { code: 'gate_in_empty', hour: 995, port: 'NLAMS', container: 'AAAU1234567' },
    ]);
    const finished = { state: 'completed', reason: null, nextRefreshAtMs: null, staleAtMs: null };
    expect(nextRefresh(input({ journey: emptied }), nowMs)).toMatchObject(finished);
    expect(nextRefresh(input({ journey: journeyOf(delivered(600)) }), nowMs)).toMatchObject(finished);
    expect(nextRefresh(input({ journey: journeyOf(delivered(600)), outcome: 'not_found' }), nowMs)).toMatchObject(
      finished,
    );
  });

  it('other modes: ends one day after delivery, with a last refresh then', () => {
    const parcel = (hour: number) =>
      input({ mode: 'parcel', journey: journeyOf([{ code: 'delivered', hour }], 'parcel') });
    expect(nextRefresh(parcel(990), nowMs)).toMatchObject({ state: 'active', nextRefreshAtMs: nowMs + 14 * hourMs });
    expect(nextRefresh(parcel(970), nowMs).state).toBe('completed');
  });

  it('stops tracking for a cancelled booking', () => {
    expect(nextRefresh(input({ journey: journeyOf([{ code: 'cancelled', hour: 5 }]) }), nowMs)).toMatchObject({
      state: 'stopped',
      reason: 'booking_cancelled',
      nextRefreshAtMs: null,
    });
  });

  it.each([
    { what: 'partial answer', changes: { outcome: 'changed' as const, partial: true } },
    { what: 'partial answer that says nothing new', changes: { outcome: 'unchanged' as const, partial: true } },
    { what: 'error', changes: { outcome: 'error' as const, outcomeReason: 'carrier_unreachable' as const } },
  ])('waits for the rest of a finished journey after a $what', ({ changes }) => {
    const emptied = [
      ...delivered(600),
      { code: 'gate_in_empty', hour: 605, port: 'NLAMS', container: 'AAAU1234567' } satisfies EventSketch,
    ];
    const finished: Partial<CadenceInput>[] = [
      { journey: journeyOf(emptied) },
      { journey: journeyOf(delivered(600)) },
      { mode: 'parcel', journey: journeyOf([{ code: 'delivered', hour: 600 }], 'parcel') },
      { journey: journeyOf([{ code: 'cancelled', hour: 600 }]) },
    ];
    for (const journey of finished) {
      const { state, nextRefreshAtMs } = nextRefresh(input({ ...journey, ...changes }), nowMs);
      expect(['active', 'degraded']).toContain(state);
      expect(nextRefreshAtMs).toBeLessThanOrEqual(nowMs + dayMs * 1.1);
      const whole = nextRefresh(input({ ...journey, state, outcome: 'unchanged' }), nowMs);
      expect(['completed', 'stopped']).toContain(whole.state);
    }
  });

  it('ends in time at a carrier whose answers are never whole', () => {
    const old = { lastChangedAtMs: nowMs - 14 * dayMs, partial: true };
    const parcel = journeyOf([{ code: 'delivered', hour: 600 }], 'parcel');
    expect(nextRefresh(input({ ...old, journey: journeyOf(delivered(600)) }), nowMs).state).toBe('completed');
    expect(nextRefresh(input({ ...old, mode: 'parcel', journey: parcel }), nowMs).state).toBe('completed');
    const cancelled = journeyOf([{ code: 'cancelled', hour: 600 }]);
    expect(nextRefresh(input({ ...old, journey: cancelled }), nowMs).state).toBe('stopped');
  });

  it('ends after 60 days without any change', () => {
    const old = {
      journey: journeyOf(sailed),
      trackingSinceMs: nowMs - 90 * dayMs,
      lastChangedAtMs: nowMs - 60 * dayMs,
    };
    expect(nextRefresh(input(old), nowMs)).toMatchObject({
      state: 'failed',
      reason: 'no_updates_60d',
      nextRefreshAtMs: null,
    });
    expect(nextRefresh(input({ ...old, outcome: 'changed' }), nowMs).state).toBe('active');
    expect(nextRefresh(input({ ...old, trackingSinceMs: nowMs - dayMs }), nowMs).state).toBe('active');
  });

  it('does not restart ended tracking with a late refresh', () => {
    for (const state of ['stopped', 'completed', 'failed'] as const) {
      expect(nextRefresh(input({ state, reason: 'stopped_by_client', outcome: 'changed' }), nowMs)).toMatchObject({
        state,
        nextRefreshAtMs: null,
      });
    }
  });
});

it('always has a next refresh in the future while tracking is open, and never after', () => {
  fc.assert(
    fc.property(
      fc.record({
        outcome: fc.constantFrom('changed' as const, 'unchanged' as const, 'not_found' as const, 'error' as const),
        state: fc.constantFrom(
          'queued' as const,
          'active' as const,
          'awaiting_carrier' as const,
          'degraded' as const,
          'stopped' as const,
        ),
        permanent: fc.boolean(),
        consecutiveFailures: fc.nat(100),
        retryAfterMs: fc.option(fc.integer({ min: -5, max: 1e9 })),
        random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        cadenceScale: fc.constantFrom(1, 60, 100_000),
        trackingSinceMs: fc.integer({ min: nowMs - 100 * dayMs, max: nowMs }),
      }),
      (changes) => {
        const result = nextRefresh(input({ journey: journeyOf(sailed), ...changes }), nowMs);
        const ended = ['stopped', 'completed', 'failed'].includes(result.state);
        expect(result.nextRefreshAtMs === null).toBe(ended);
        if (!ended) expect(result.nextRefreshAtMs).toBeGreaterThanOrEqual(nowMs + 2_000);
      },
    ),
    { numRuns: runs(1_000) },
  );
});

describe('a completed journey that was resumed', () => {
  const delivered = journeyOf([...sailed, { code: 'delivered', hour: 600, port: 'NLRTM' }]);
  const past = (changes: Partial<CadenceInput>) => nextRefresh(input({ journey: delivered, ...changes }), nowMs);

  it('is tracked for its period once more and then completes', () => {
    expect(past({}).state).toBe('completed');
    expect(past({ resumedAtMs: null }).state).toBe('completed');
    const resumed = past({ state: 'queued', resumedAtMs: nowMs - dayMs });
    expect(resumed.state).toBe('active');
    expect(resumed.nextRefreshAtMs).toBeLessThanOrEqual(nowMs + 13 * dayMs);
    expect(past({ resumedAtMs: nowMs - 14 * dayMs }).state).toBe('completed');
  });

  it('stops at once when it was cancelled', () => {
    const journey = journeyOf([{ code: 'cancelled', hour: 600 }]);
    expect(nextRefresh(input({ journey, state: 'queued', resumedAtMs: nowMs }), nowMs)).toMatchObject({
      state: 'stopped',
      reason: 'booking_cancelled',
      nextRefreshAtMs: null,
    });
  });
});
