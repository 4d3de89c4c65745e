import { expect, it } from 'vitest';
import type { CarrierTime, TrackingEvent } from '#shared/domain/events/event.ts';
import { punctualityOf } from '#shared/domain/journey/delivery.ts';
import { isDelayed, overdueFrom } from '#shared/domain/record/lateness.ts';
import { timesOfEvents } from '#shared/domain/record/promised-times.ts';
import type { PromisedTimes } from '#shared/domain/record/shipment.ts';

const unknown = (local: string): CarrierTime => ({
  at: `${local}:00.000Z`,
  local,
  timezone: null,
  zoneSource: 'assumed_utc',
  precision: 'minute',
});
const central = (local: string): CarrierTime => ({
  at: new Date(Date.parse(`${local}-06:00`)).toISOString(),
  local,
  timezone: null,
  zoneSource: 'carrier',
  precision: 'minute',
});

function promisedAndActual(promised: CarrierTime, actual: CarrierTime): PromisedTimes {
  // The times are read from these fields alone.
  const promise = { classifier: 'estimated', time: promised, source: 'test' } as TrackingEvent;
  const done = { classifier: 'actual', time: actual, source: 'test' } as TrackingEvent;
  return timesOfEvents({
    planned: undefined,
    estimated: promise,
    actual: done,
    firstEstimated: promise,
    promise,
  });
}

const status = 'delivered' as const;

it('evaluates no delivery against a promise in an unknown zone', () => {
  const times = promisedAndActual(unknown('2026-11-04T14:15'), central('2026-11-04T12:30'));
  expect(times.delayHours).toBeNull();
  expect(isDelayed(times, 'parcel')).toBe(false);
  expect(punctualityOf(times, { mode: 'parcel', status, promised: null })).toBe('unknown');
});

it('evaluates it where no zone on Earth would change the result', () => {
  const times = promisedAndActual(unknown('2026-11-04T14:15'), central('2026-11-06T12:30'));
  expect(punctualityOf(times, { mode: 'parcel', status, promised: null })).toBe('late');
});

it('compares two clocks of one unknown zone', () => {
  const times = promisedAndActual(unknown('2026-11-04T14:15'), unknown('2026-11-04T12:30'));
  expect(times.delayHours).toBe(-2);
  expect(punctualityOf(times, { mode: 'parcel', status, promised: null })).toBe('on_time');
});

it('counts a shipment as overdue only once its ETA has passed in every zone', () => {
  const none = promisedAndActual(unknown('2026-11-04T14:15'), unknown('2026-11-04T14:15'));
  const delivery = { ...none, actual: null };
  const arrival = { ...delivery, planned: null, estimated: null, promised: null, originalEstimated: null };
  const eta = { time: unknown('2026-11-04T14:15'), kind: 'delivery' as const, source: 'carrier' as const };
  expect(overdueFrom({ status: 'in_transit', eta, arrival, delivery, delayHours: null })).toBe(
    '2026-11-05T02:15:00.000Z',
  );
});
