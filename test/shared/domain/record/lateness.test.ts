import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarrierTime } from '#shared/domain/events/event.ts';
import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import { findEta } from '#shared/domain/record/find-eta.ts';
import { isLate, lateFrom, lateHours, overdueFrom, overdueHoursAt } from '#shared/domain/record/lateness.ts';
import { delayHoursOf } from '#shared/domain/record/promised-times.ts';
import { type PromisedTimes, statuses } from '#shared/domain/record/shipment.ts';
import { runs } from '#test/support/run-scale.ts';

const hourMs = 3_600_000;
const baseMs = Date.parse('2026-04-10T00:00:00Z');

const minute = (hour: number): CarrierTime => {
  const at = new Date(baseMs + hour * hourMs).toISOString();
  return { at, local: at.slice(0, 16), timezone: 'UTC', zoneSource: 'carrier', precision: 'minute' };
};
const date = (local: string, timezone: string | null): CarrierTime => {
  return { at: `${local}T12:00:00.000Z`, local, timezone, zoneSource: 'carrier', precision: 'date' };
};

type Reported = { promised?: CarrierTime | null; estimated?: CarrierTime | null; actual?: CarrierTime | null };

function timesOf({ promised = null, estimated = null, actual = null }: Reported): PromisedTimes {
  return {
    planned: null,
    estimated,
    actual,
    originalEstimated: promised,
    promised,
    delayBasis: promised && 'first_estimated',
    delayHours: delayHoursOf(promised, actual ?? estimated),
    source: 'carrier',
  };
}

function journey(reported: Reported, { kind = 'arrival', status = 'in_transit' as (typeof statuses)[number] } = {}) {
  const times = {
    arrival: timesOf(kind === 'arrival' ? reported : {}),
    delivery: timesOf(kind === 'arrival' ? {} : reported),
  };
  const { delayHours } = kind === 'arrival' ? times.arrival : times.delivery;
  return { ...times, status, eta: findEta(times), delayHours };
}

describe('a shipment is overdue', () => {
  it('from its ETA on, until an arrival is known, whatever the delay', () => {
    const waiting = journey({ promised: minute(0), estimated: minute(0) });
    expect(overdueHoursAt(waiting, baseMs - 1)).toBeNull();
    expect(overdueHoursAt(waiting, baseMs)).toBe(0);
    expect(overdueHoursAt(waiting, baseMs + 192.9 * hourMs)).toBe(192);
    expect(overdueHoursAt(journey({ estimated: minute(0), actual: minute(1) }), baseMs + 192 * hourMs)).toBeNull();
    for (const status of ['arrived', 'available_for_pickup', 'delivered', 'returned', 'failed', 'cancelled'] as const)
      expect(overdueFrom(journey({ estimated: minute(0) }, { status }))).toBeNull();
  });

  it('at the end of the local day if only a date was promised', () => {
    expect(overdueFrom(journey({ estimated: date('2026-11-01', 'America/New_York') }))).toBe(
      '2026-11-02T05:00:00.000Z',
    );
    expect(overdueFrom(journey({ estimated: date('2026-04-10', 'Asia/Tokyo') }))).toBe('2026-04-10T15:00:00.000Z');
    expect(overdueFrom(journey({ estimated: date('2026-04-10', null) }))).toBe('2026-04-11T12:00:00.000Z');
  });

  it('at the terminal too, while a delivery is expected', () => {
    const atTerminal = journey({ estimated: minute(0) }, { kind: 'delivery', status: 'arrived' });
    expect(overdueHoursAt(atTerminal, baseMs + hourMs)).toBe(1);
  });
});

describe('a shipment is late', () => {
  const late = (reported: Reported, mode: TransportMode, hour: number) => {
    const one = journey(reported, { kind: mode === 'parcel' ? 'delivery' : 'arrival' });
    return isLate(one, mode, overdueHoursAt(one, baseMs + hour * hourMs));
  };

  it(`from ${lateHours} hours of delay or of waiting on`, () => {
    expect(late({ promised: minute(0), estimated: minute(23) }, 'ocean', 0)).toBe(false);
    expect(late({ promised: minute(0), estimated: minute(24) }, 'ocean', 0)).toBe(true);
    expect(late({ promised: minute(0), estimated: minute(0) }, 'ocean', 23.9)).toBe(false);
    expect(late({ promised: minute(0), estimated: minute(0) }, 'ocean', 24)).toBe(true);
  });

  it('as a parcel past the end of the window, otherwise past the day', () => {
    expect(late({ promised: minute(0), estimated: minute(1) }, 'parcel', -5)).toBe(true);
    expect(late({ promised: minute(0), estimated: minute(0) }, 'parcel', -0.1)).toBe(false);
    expect(late({ promised: minute(0), estimated: minute(0) }, 'parcel', 0)).toBe(true);
    const day = date('2026-04-10', 'Europe/Berlin');
    expect(late({ promised: day, actual: { ...minute(21), timezone: 'Europe/Berlin' } }, 'parcel', 30)).toBe(false);
    expect(late({ promised: day, estimated: day }, 'parcel', 21.9)).toBe(false);
    expect(late({ promised: day, estimated: day }, 'parcel', 22)).toBe(true);
    expect(late({ promised: day, estimated: date('2026-04-11', 'Europe/Berlin') }, 'parcel', 0)).toBe(true);
  });

  it('exactly from the moment that lateFrom names', () => {
    const hour = fc.integer({ min: -80, max: 80 });
    const time = fc.option(
      fc.oneof(
        hour.map(minute),
        fc.constantFrom(...['09', '10', '11'].map((day) => date(`2026-04-${day}`, 'Asia/Tokyo'))),
      ),
      { nil: null },
    );
    const reported = fc.record({ promised: time, estimated: time, actual: time });
    fc.assert(
      fc.property(
        reported,
        fc.constantFrom(...statuses),
        fc.constantFrom(...transportModes),
        hour,
        (times, status, mode, now) => {
          const one = journey(times, { status, kind: mode === 'parcel' ? 'delivery' : 'arrival' });
          const nowMs = baseMs + now * hourMs;
          const from = lateFrom(one, mode);
          const isPast = from === '-infinity' || (from !== null && Date.parse(from) <= nowMs);
          expect(isLate(one, mode, overdueHoursAt(one, nowMs))).toBe(isPast);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});
