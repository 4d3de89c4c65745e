import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { runs } from '#test/support/run-scale.ts';
import { clockWords, journeyOf, type Port, plainTerm, type Sketch, wallClock } from './free-time-cases.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const zoneOfPort = { NLRTM: 'Europe/Amsterdam', USLAX: 'America/Los_Angeles', NZAKL: 'Pacific/Auckland' } as const;

/** A calendar of its own: Sundays, and each 11th day. */
const isWorkingDay = (_: string, day: string) =>
  Date.parse(day) % (11 * dayMs) !== 0 && new Date(day).getUTCDay() !== 0;

type Walk = {
  term: FreeTimeTerm;
  zone: string;
  startMs: number;
  stopMs: number | null;
  nowMs: number;
  /** A last free day that somebody states. */
  statedDay: string | null;
};

/** An independent evaluate: tears one day after another off a wall calendar at the terminal. */
function walk({ term, zone, startMs, stopMs, nowMs, statedDay }: Walk): string {
  const startDay = wallClock(startMs, zone).slice(0, 10);
  const endDay = wallClock(stopMs ?? nowMs, zone).slice(0, 10);
  let day = startDay;
  if (term.firstDay === 'next_day') day = following(day);
  let lastFree = preceding(day);
  for (let left = term.freeDays; left > 0; day = following(day)) {
    if (term.counting === 'calendar' || isWorkingDay('', day)) {
      lastFree = day;
      left -= 1;
    }
  }
  if (statedDay !== null) lastFree = statedDay;

  let [amountInCents, charged] = [0, 0];
  for (let today = following(lastFree); today <= endDay; today = following(today)) {
    if (term.chargedDays === 'working' && !isWorkingDay('', today)) continue;
    charged += 1;
    let perDay = 0;
    for (const step of term.rates) if (charged >= step.fromDay) perDay = step.amount;
    amountInCents += Math.round(perDay * 100);
  }
  let daysLeft = 0;
  for (let today = endDay; today < lastFree; today = following(today)) daysLeft += 1;
  for (let today = endDay; today > lastFree; today = preceding(today)) daysLeft -= 1;
  const state = stopMs !== null ? 'stopped' : daysLeft < 0 ? 'over' : daysLeft <= 2 ? 'expiring' : 'running';
  const cost = charged === 0 || term.rates.length === 0 ? '-' : `${amountInCents / 100} USD`;
  return [state, lastFree.slice(5), stopMs === null ? daysLeft : '-', cost].join(' ');
}

function following(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}

function preceding(day: string): string {
  return new Date(Date.parse(day) - dayMs).toISOString().slice(0, 10);
}

const rates = fc.constantFrom<FreeTimeTerm['rates'][]>(
  [],
  [{ fromDay: 1, amount: 100 }],
  [
    { fromDay: 1, amount: 33.35 },
    { fromDay: 3, amount: 75.1 },
  ],
  [
    { fromDay: 1, amount: 0 },
    { fromDay: 5, amount: 80 },
    { fromDay: 6, amount: 12.5 },
  ],
);

const term = fc
  .record({
    kind: fc.constantFrom('demurrage' as const, 'combined' as const),
    freeDays: fc.integer({ min: 0, max: 20 }),
    firstDay: fc.constantFrom('same_day' as const, 'next_day' as const),
    counting: fc.constantFrom('calendar' as const, 'working' as const),
    chargedDays: fc.constantFrom('calendar' as const, 'working' as const),
    rates,
  })
  .map((drawn): FreeTimeTerm => ({ ...plainTerm, ...drawn, currency: drawn.rates.length === 0 ? null : 'USD' }));

// A quarter of an hour apart, over both changes of the clocks.
const instant = fc.integer({ min: 0, max: 365 * 96 }).map((quarter) => Date.parse('2026-01-01') + quarter * 900_000);

it('agrees with a walk through the calendar, day by day', () => {
  fc.assert(
    fc.property(
      fc.record({
        term,
        port: fc.constantFrom<Port & keyof typeof zoneOfPort>('NLRTM', 'USLAX', 'NZAKL'),
        startMs: instant,
        stayHours: fc.option(fc.integer({ min: 0, max: 60 * 24 })),
        nowAfterHours: fc.integer({ min: 0, max: 70 * 24 }),
        statedAfterDays: fc.option(fc.integer({ min: -5, max: 30 }), { freq: 3 }),
      }),
      ({ term: given, port, startMs, stayHours, nowAfterHours, statedAfterDays }) => {
        const stopMs = stayHours === null ? null : startMs + stayHours * hourMs;
        const nowMs = (stopMs ?? startMs) + nowAfterHours * hourMs;
        const iso = (ms: number) => new Date(ms).toISOString();
        const statedDay = statedAfterDays === null ? null : iso(startMs + statedAfterDays * dayMs).slice(0, 10);
        const stop = given.kind === 'combined' ? 'gate_in_empty' : 'gate_out_full';
        const events: Sketch[] = [
          { code: 'discharged', at: iso(startMs), port },
          ...(stopMs === null ? [] : [{ code: stop, at: iso(stopMs), port } as const]),
        ];
        const manual = statedDay === null ? [] : [{ kind: given.kind, day: statedDay }];
        const journey = journeyOf({ events, terms: [given], manual, now: iso(nowMs) }, isWorkingDay);
        const clocks = journey.containers.flatMap((container) => shownFreeTime(container).clocks);
        const clock = clocks.find(({ kind }) => kind === given.kind);
        expect(clock && clockWords(clock)).toBe(
          walk({ term: given, zone: zoneOfPort[port], startMs, stopMs, nowMs, statedDay }),
        );
      },
    ),
    { numRuns: runs(10_000) },
  );
});
