import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventCode, EventDetails, TrackingEvent } from '#shared/domain/events/event.ts';
import { clockKinds, holdStatuses, holdTypes, type ManualFreeDay } from '#shared/domain/events/stated-free-time.ts';
import { assessFreeTime } from '#shared/domain/free-time/assess-free-time.ts';
import type { FreeTimeRules } from '#shared/domain/free-time/terms.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { runs } from '#test/support/run-scale.ts';
import { box, eventAt, plainTerm } from './free-time-cases.ts';

const other = 'CSQU3054383';
const codes: readonly EventCode[] = [
  'gate_out_empty',
  'gate_in_full',
  'loaded',
  'departed',
  'arrived',
  'discharged',
  'rail_departed',
  'rail_unloaded',
  'available_for_pickup',
  'not_available',
  'customs_hold',
  'customs_released',
  'gate_out_full',
  'delivered',
  'gate_in_empty',
  'notice',
  'other',
];
const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-04-${String(date).padStart(2, '0')}`);

const details: fc.Arbitrary<EventDetails> = fc.record(
  {
    holds: fc.array(fc.record({ type: fc.constantFrom(...holdTypes), status: fc.constantFrom(...holdStatuses) }), {
      maxLength: 2,
    }),
    fees: fc.array(
      fc.record({
        type: fc.constantFrom('demurrage', 'exam'),
        amount: fc.nat(500),
        currency: fc.constantFrom('USD', 'EUR'),
      }),
      {
        maxLength: 2,
      },
    ),
    freeDays: fc.array(
      fc.record({
        by: fc.constantFrom('line' as const, 'terminal' as const),
        kind: fc.constantFrom(...clockKinds),
        day,
      }),
      {
        maxLength: 1,
      },
    ),
    available: fc.boolean(),
    sourceName: fc.constantFrom('terminal', 'line'),
  },
  { requiredKeys: [] },
);

/** Moves and statements of two containers and of the whole shipment within four weeks, some retracted. */
const sketch = fc.record({
  code: fc.constantFrom(...codes),
  // -1: the carrier states the date alone.
  at: fc.record({ date: day, hour: fc.integer({ min: -1, max: 23 }) }),
  port: fc.constantFrom('CNSHA' as const, 'NLRTM' as const, 'NLRTM' as const),
  legRole: fc.constantFrom('pol' as const, 'pod' as const, 'pod' as const, 'destination' as const, 'unknown' as const),
  container: fc.constantFrom(box, box, other, null),
  receivedAt: day.map((date) => `${date}T12:00:00.000Z`),
  voidedAt: fc.constantFrom(null, null, null, '2026-04-20T00:00:00.000Z'),
  supersededBy: fc.constantFrom(null, null, null, null, 'later'),
  details,
});

const events = fc.array(sketch, { maxLength: 14 }).map((sketches) =>
  sketches.map(({ at: { date, hour }, details: stated, ...given }, index) => ({
    ...eventAt(
      { ...given, at: hour < 0 ? date : `${date}T${String(hour).padStart(2, '0')}:00Z`, details: stated },
      `e${index}`,
    ),
    supersededBy: given.supersededBy,
  })),
);

const rules: FreeTimeRules = {
  terms: [
    { ...plainTerm, counting: 'working', country: 'NL' },
    { ...plainTerm, startEvent: 'available_for_pickup', place: 'NLRTM', freeDays: 2, validTo: '2026-04-15' },
    { ...plainTerm, startEvent: 'rail_unloaded', freeDays: 1 },
    { ...plainTerm, kind: 'detention', startEvent: 'gate_out_full', freeDays: 3 },
    { ...plainTerm, kind: 'combined', carrier: 'MAEU', freeDays: 9, validFrom: '2026-04-10' },
  ],
  isWorkingDay: (_, date) => ![0, 6].includes(new Date(date).getUTCDay()),
  nearDays: 2,
};

const manual = fc.array(
  fc.record({ container: fc.constantFrom(box, other), kind: fc.constantFrom(...clockKinds), day }),
  {
    maxLength: 1,
  },
);
const nowMs = fc.integer({ min: 0, max: 40 * 24 }).map((hour) => Date.parse('2026-04-01') + hour * 3_600_000);

function compose(all: readonly TrackingEvent[], { set, atMs }: { set: readonly ManualFreeDay[]; atMs: number }) {
  const freeTime = { carrier: 'MAEU', rules, manual: set };
  return composeJourney({ events: all, transportMode: 'ocean', freeTime }, atMs);
}

it('reads the same free time from events in any order, doubled, voided and superseded', () => {
  fc.assert(
    fc.property(
      events.chain((all) =>
        fc.record({
          all: fc.constant(all),
          shuffled: fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
        }),
      ),
      manual,
      nowMs,
      ({ all, shuffled }, set, atMs) => {
        expect(compose(shuffled, { set, atMs })).toEqual(compose(all, { set, atMs }));
      },
    ),
    { numRuns: runs(10_000) },
  );
});

it('assesses a stored journey later as if it were composed then, without its events', () => {
  fc.assert(
    fc.property(events, manual, nowMs, fc.integer({ min: 0, max: 20 * 24 }), (all, set, atMs, hours) => {
      const laterMs = atMs + hours * 3_600_000;
      // Every event counts at both times, so that time alone passes.
      const counting = all.filter(({ time }) => Date.parse(time.at) <= atMs);
      const stored = { ...compose(counting, { set, atMs }), events: [], etaHistory: [] };
      const { containers, exceptions, hasException, freeTime, freeDayNotices } = compose(counting, {
        set,
        atMs: laterMs,
      });
      const assessed = assessFreeTime(stored, { carrier: 'MAEU', rules, manual: set }, laterMs);
      expect(assessed).toEqual({
        ...stored,
        containers,
        exceptions,
        hasException,
        freeTime,
        ...(freeDayNotices && { freeDayNotices }),
      });
    }),
    { numRuns: runs(2000) },
  );
});

it('changes nothing before the time that it names for the next assessment', () => {
  fc.assert(
    fc.property(events, manual, nowMs, fc.integer({ min: 1, max: 30 * 24 * 60 }), (all, set, atMs, minutes) => {
      const counting = all.filter(({ time }) => Date.parse(time.at) <= atMs);
      const journey = compose(counting, { set, atMs });
      const nextMs = Date.parse(journey.freeTime?.nextAssessmentAt ?? '2100-01-01');
      const laterMs = Math.min(atMs + minutes * 60_000, nextMs - 1);
      const input = { carrier: 'MAEU', rules, manual: set };
      expect(assessFreeTime(journey, input, laterMs)).toEqual(journey);
    }),
    { numRuns: runs(2000) },
  );
});
