import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarrierTime, StatedFacts, TimeWindow, TrackingEvent } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { eventsAsOf } from '#shared/domain/events-in/events-as-of.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { Punctuality } from '#shared/domain/record/shipment.ts';
import { runs } from '#test/support/run-scale.ts';
import { type EventSketch, hourMs, startMs, trackingEvent } from './journey-events.ts';

const nowMs = startMs + 400 * hourMs;
const isoOf = (hour: number) => new Date(startMs + hour * hourMs).toISOString();

function journeyOf(
  events: readonly TrackingEvent[],
  { facts, mode = 'parcel', atMs = nowMs }: { facts?: StatedFacts; mode?: TransportMode; atMs?: number } = {},
) {
  return composeJourney({ events, transportMode: mode, facts }, atMs);
}

function timeAt(hour: number): CarrierTime {
  const at = isoOf(hour);
  return { at, local: at.slice(0, 16), timezone: 'UTC', zoneSource: 'carrier', precision: 'minute' };
}

function day(date: string): CarrierTime {
  return { at: `${date}T12:00:00.000Z`, local: date, timezone: null, zoneSource: 'assumed_utc', precision: 'date' };
}

const windowOf = (from: number, to: number): TimeWindow => ({ from: timeAt(from), to: timeAt(to) });

type Stated = { seen: number; window?: TimeWindow; hour?: number };

/** One estimate after the other, each replacing the one before. */
function estimates(...stated: Stated[]): TrackingEvent[] {
  return stated.map(({ seen, window, hour = 0 }, index) =>
    trackingEvent({
      id: `e${index}`,
      code: 'delivered',
      classifier: 'estimated',
      hour,
      receivedAt: isoOf(seen),
      supersededBy: index === stated.length - 1 ? null : `e${index + 1}`,
      ...(window && { details: { window } }),
    }),
  );
}

const event = (id: string, code: EventSketch['code'], hour: number, details?: TrackingEvent['details']) =>
  trackingEvent({ id, code, hour, receivedAt: isoOf(hour), ...(details && { details }) });

describe('a window that moves', () => {
  const moved = [
    { seen: 0, hour: 60, window: windowOf(60, 64) },
    { seen: 10, hour: 62, window: windowOf(62, 66) },
    { seen: 20, hour: 84, window: windowOf(84, 88) },
  ];

  it('gives the present window, the first promise, and the delay between their ends', () => {
    const { delivery, eta, etaHistory, delayHours } = journeyOf(estimates(...moved));
    expect(delivery.window).toEqual(windowOf(84, 88));
    expect([delivery.promised?.at, delivery.estimated?.at, eta?.time.at]).toEqual([isoOf(64), isoOf(88), isoOf(88)]);
    expect([delayHours, delivery.delayBasis, delivery.onTime]).toEqual([24, 'first_estimated', 'late']);
    expect(etaHistory.map((entry) => [entry.eta.at, entry.kind, entry.seenAt])).toEqual([
      [isoOf(64), 'delivery', isoOf(0)],
      [isoOf(66), 'delivery', isoOf(10)],
      [isoOf(88), 'delivery', isoOf(20)],
    ]);
  });

  it('is one delivery in any order, after any number of moves', () => {
    const windows = fc.array(fc.tuple(fc.nat({ max: 100 }), fc.integer({ min: 1, max: 12 })), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(windows, fc.infiniteStream(fc.nat()), (stated, order) => {
        const events = estimates(
          ...stated.map(([from, length], index) => ({
            seen: index,
            hour: from,
            window: windowOf(from, from + length),
          })),
        );
        const shuffled = [...events, ...events]
          .map((one) => ({ one, place: order.next().value ?? 0 }))
          .sort((left, right) => left.place - right.place)
          .map(({ one }) => one);
        const journey = journeyOf(shuffled);
        expect(journey).toEqual(journeyOf(events));
        const [first, last] = [stated[0], stated.at(-1)].map((window) => (window?.[0] ?? 0) + (window?.[1] ?? 0));
        expect(journey.delayHours).toBe((last ?? 0) - (first ?? 0));
        expect(journey.delivery.onTime === 'late').toBe((last ?? 0) > (first ?? 0));
      }),
      { numRuns: runs(500) },
    );
  });

  it('keeps an open end, and then counts the time that the carrier states', () => {
    const { delivery } = journeyOf(estimates({ seen: 0, hour: 62, window: { from: timeAt(60), to: null } }));
    expect(delivery.window).toEqual({ from: timeAt(60), to: null });
    expect([delivery.estimated?.at, delivery.onTime]).toEqual([isoOf(62), 'on_time']);
  });
});

describe('punctuality', () => {
  const promised = { seen: 0, hour: 60, window: windowOf(60, 64) };
  const plain = { seen: 0, hour: 60 };
  const cases: [string, TrackingEvent[], TransportMode, Punctuality][] = [
    ['in the promised window', [...estimates(promised), event('d', 'delivered', 63)], 'parcel', 'on_time'],
    ['at its end', [...estimates(promised), event('d', 'delivered', 64)], 'parcel', 'on_time'],
    ['past its end', [...estimates(promised), event('d', 'delivered', 65)], 'parcel', 'late'],
    ['before its start', [...estimates(promised), event('d', 'delivered', 59)], 'parcel', 'early'],
    ['earlier on the promised day', [...estimates(plain), event('d', 'delivered', 50)], 'parcel', 'on_time'],
    ['the day before', [...estimates(plain), event('d', 'delivered', 40)], 'parcel', 'early'],
    ['of a truck, 20 hours early', [...estimates(plain), event('d', 'delivered', 40)], 'road', 'on_time'],
    ['of a truck, a day early', [...estimates(plain), event('d', 'delivered', 36)], 'road', 'early'],
    ['of a truck, 23 hours late', [...estimates(plain), event('d', 'delivered', 83)], 'road', 'on_time'],
    ['of a truck, a day late', [...estimates(plain), event('d', 'delivered', 84)], 'road', 'late'],
    ['expected as promised', estimates(promised), 'parcel', 'on_time'],
    ['expected later', estimates(promised, { seen: 1, hour: 64, window: windowOf(64, 68) }), 'parcel', 'late'],
    ['that nobody promised', [event('d', 'delivered', 40)], 'parcel', 'unknown'],
    ['of a lost parcel', [...estimates(promised), event('x', 'lost', 61)], 'parcel', 'unknown'],
    ['of a returned parcel', [...estimates(promised), event('x', 'returned', 61)], 'parcel', 'unknown'],
  ];

  it.each(cases)('of a delivery %s', (_name, events, mode, expected) => {
    expect(journeyOf(events, { mode }).delivery.onTime).toBe(expected);
  });

  it('counts days where the promise is a day', () => {
    const promise = {
      ...trackingEvent({ id: 'p', code: 'delivered', classifier: 'planned', hour: 0 }),
      time: day('2026-04-03'),
    };
    const deliveredOn = (date: string) => ({ ...event('d', 'delivered', 0), time: day(date) });
    const onTime = (date: string) => journeyOf([promise, deliveredOn(date)]).delivery.onTime;
    expect(['2026-04-02', '2026-04-03', '2026-04-04'].map(onTime)).toEqual(['early', 'on_time', 'late']);
  });
});

describe('attempts', () => {
  const attempts = [
    event('a1', 'delivery_attempted', 50, { piece: 'A', statusDetail: 'addressee_absent' }),
    event('a2', 'delivery_attempted', 50, { piece: 'B', statusDetail: 'addressee_absent' }),
    event('a3', 'delivery_attempted', 74, { piece: 'A', statusDetail: 'refused' }),
    { ...event('a4', 'delivery_attempted', 76), voidedAt: isoOf(80) },
    trackingEvent({ id: 'a5', code: 'delivery_attempted', classifier: 'planned', hour: 98 }),
    event('a6', 'delivery_attempted', 400 + 48),
  ];

  it('are counted by their times: pieces on one van are one attempt, and voided or future ones are none', () => {
    expect(journeyOf(attempts).delivery).toMatchObject({ attempts: 2, lastAttemptAt: { at: isoOf(74) } });
    expect(journeyOf([]).delivery).toMatchObject({ attempts: 0, lastAttemptAt: null });
  });
});

describe('the status detail', () => {
  const refused = event('r', 'delivery_attempted', 50, { statusDetail: 'refused' });
  const detailOf = (...events: TrackingEvent[]) => journeyOf(events).statusDetail;

  it('holds until the parcel moves or has another status', () => {
    expect(detailOf(refused)).toBe('refused');
    expect(detailOf(refused, event('o', 'other', 51), event('h', 'customs_hold', 52))).toBe('refused');
    expect(detailOf(refused, event('v', 'out_for_delivery', 60))).toBeNull();
    expect(detailOf(refused, event('f', 'arrived_at_facility', 60))).toBeNull();
    expect(detailOf(refused, event('d', 'delivered', 60))).toBeNull();
    expect(detailOf(refused, event('v', 'out_for_delivery', 45))).toBe('refused');
    expect(detailOf({ ...refused, voidedAt: isoOf(60) })).toBeNull();
  });

  it('of a delivery outlives late scans, and gives way to another detail', () => {
    const door = event('d', 'delivered', 50, { statusDetail: 'left_at_door' });
    expect(detailOf(door, event('f', 'arrived_at_facility', 60, { statusDetail: 'misrouted' }))).toBe('left_at_door');
    expect(detailOf(door, event('d2', 'delivered', 51))).toBe('left_at_door');
    expect(detailOf(door, event('x', 'exception', 60, { statusDetail: 'damaged' }))).toBe('damaged');
  });

  it('of a hold continues through the scan of the same minute', () => {
    const hold = event('h', 'customs_hold', 50, { statusDetail: 'customs_documents_needed' });
    expect(detailOf(hold, event('a', 'arrived_at_facility', 50))).toBe('customs_documents_needed');
    expect(detailOf(hold, event('a', 'arrived_at_facility', 51))).toBeNull();
    expect(detailOf(refused, event('d', 'delivered', 50))).toBeNull();
  });
});

describe('the carrier’s facts on the handover', () => {
  const facts: StatedFacts = {
    receivedBy: 'M. Muster',
    leftAt: 'Front door',
    proof: [
      { kind: 'photo', handle: 'p', piece: null },
      { kind: 'signature', handle: 'b', piece: null },
      { kind: 'signature', handle: 'a', piece: null },
      { kind: 'document', handle: null, piece: null },
      { kind: 'signature', handle: 'a', piece: null },
    ],
  };
  const events = [event('v', 'out_for_delivery', 50), event('d', 'delivered', 60)];

  it('is shown once all of it is delivered, also as of a moment in the past', () => {
    const before = journeyOf(eventsAsOf(events, isoOf(55)), { facts, atMs: startMs + 55 * hourMs });
    expect(before.delivery).toMatchObject({ receivedBy: null, leftAt: null, proof: [] });
    expect(before.status).toBe('out_for_delivery');
    const after = journeyOf(eventsAsOf(events, isoOf(60)), { facts, atMs: startMs + 60 * hourMs });
    expect(after.delivery).toMatchObject({ receivedBy: 'M. Muster', leftAt: 'Front door' });
    const two = [event('v', 'out_for_delivery', 50, { piece: 'A' }), event('d', 'delivered', 60, { piece: 'B' })];
    expect(journeyOf(two, { facts }).delivery.proof).toEqual([]);
  });

  it('has proofs under ids that do not depend on the order in which they are stated', () => {
    const idsOf = (stated: StatedFacts) => journeyOf(events, { facts: stated }).delivery.proof.map(({ id }) => id);
    expect(idsOf(facts)).toEqual(['signature', 'signature_2', 'photo', 'document']);
    expect(idsOf({ proof: facts.proof?.toReversed() ?? [] })).toEqual(idsOf(facts));
  });
});

describe('a pickup point', () => {
  const facts: StatedFacts = {
    pickupPoint: {
      kind: 'shop',
      id: null,
      name: 'Kiosk',
      address: null,
      place: null,
      hours: null,
      keptUntil: day('2026-04-09'),
    },
  };
  const nameOf = (...events: TrackingEvent[]) => journeyOf(events, { facts }).pickupPoint?.name ?? null;

  it('is shown while the parcel may be collected there, and after it was', () => {
    const waiting = event('w', 'available_for_pickup', 50, { statusDetail: 'awaiting_collection_at_pickup_point' });
    expect(nameOf(event('v', 'out_for_delivery', 40))).toBe('Kiosk');
    expect(nameOf(waiting, event('d', 'delivered', 60))).toBe('Kiosk');
    expect(nameOf(waiting, event('b', 'returned', 60))).toBe('Kiosk');
    expect(nameOf(event('v', 'out_for_delivery', 40), event('d', 'delivered', 60))).toBeNull();
    expect(nameOf(event('d', 'delivered', 60, { statusDetail: 'delivered_to_pickup_point' }))).toBe('Kiosk');
  });
});

describe('a return', () => {
  const facts: StatedFacts = { returned: { reason: 'Unclaimed', trackingNumber: 'BACK1', to: null } };
  const returnOf = (...events: TrackingEvent[]) => journeyOf(events, { facts }).returned;

  it('begins and ends with its events, and is absent without them', () => {
    const began = event('s', 'return_started', 60);
    expect(returnOf(event('v', 'out_for_delivery', 50))).toBeNull();
    expect(returnOf({ ...began, voidedAt: isoOf(61) })).toBeNull();
    expect(returnOf(began)).toEqual({ ...facts.returned, startedAt: began.time, completedAt: null });
    const came = event('r', 'returned', 90);
    expect(returnOf(came, began)).toEqual({ ...facts.returned, startedAt: began.time, completedAt: came.time });
    expect(returnOf(came)).toEqual({ ...facts.returned, startedAt: null, completedAt: came.time });
  });

  it('of several pieces ends with the last of them', () => {
    const pieces = ['A', 'B'].map((piece) => event(`s${piece}`, 'return_started', 60, { piece }));
    const first = event('rA', 'returned', 90, { piece: 'A' });
    expect(returnOf(...pieces, first)).toMatchObject({ startedAt: { at: isoOf(60) }, completedAt: null });
    const last = event('rB', 'returned', 95, { piece: 'B' });
    expect(returnOf(...pieces, last, first)?.completedAt).toEqual(last.time);
  });
});
