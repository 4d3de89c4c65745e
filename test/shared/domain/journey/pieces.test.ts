import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reading, StatedFacts, TrackingEvent } from '#shared/domain/events/event.ts';
import { foldText } from '#shared/domain/fold-text.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { searchText } from '#shared/domain/lists/search-text.ts';
import { planRevisions } from '#shared/domain/refresh/revisions.ts';
import { runs } from '#test/support/run-scale.ts';
import { type EventSketch, hourMs, readEvent, startMs, trackingEvent } from './journey-events.ts';

const [lost, locker, refused] = ['1Z0000000000000001', '1Z0000000000000002', '1Z0000000000000003'] as const;
const nowMs = startMs + 200 * hourMs;
const isoOf = (hour: number) => new Date(startMs + hour * hourMs).toISOString();

const facts: StatedFacts = {
  service: { code: '003', name: 'UPS Ground' },
  weightKg: 7.5,
  piecesCount: 3,
  pieces: [
    { trackingNumber: refused, weightKg: 2.5, dimensionsCm: null },
    { trackingNumber: lost, weightKg: 1, dimensionsCm: { length: 10, width: 20, height: 30 } },
    { trackingNumber: locker, weightKg: 4, dimensionsCm: null },
  ],
  pickupPoint: {
    kind: 'locker',
    id: 'L7',
    name: 'Locker 7',
    address: 'Main St 1',
    place: null,
    hours: null,
    keptUntil: null,
  },
};

type Sketch = EventSketch & { id: string };

const sketches: Sketch[] = [
  { id: 'label', code: 'information_received', hour: 0 },
  { id: 'estimate', code: 'delivered', classifier: 'estimated', hour: 60 },
  ...[lost, locker, refused].flatMap((piece): Sketch[] => [
    { id: `pickup ${piece}`, code: 'picked_up', hour: 10, port: 'DEHAM', details: { piece } },
    { id: `hub ${piece}`, code: 'departed_facility', hour: 20, port: 'DEHAM', details: { piece } },
  ]),
  { id: 'lost', code: 'lost', hour: 50, details: { piece: lost, statusDetail: 'lost' } },
  { id: 'out locker', code: 'out_for_delivery', hour: 52, port: 'DEMUC', details: { piece: locker } },
  {
    id: 'absent',
    code: 'delivery_attempted',
    hour: 53,
    details: { piece: locker, statusDetail: 'addressee_absent' },
  },
  {
    id: 'locker',
    code: 'available_for_pickup',
    hour: 55,
    port: 'DEMUC',
    legRole: 'destination',
    details: { piece: locker, statusDetail: 'awaiting_collection_at_locker' },
  },
  { id: 'out refused', code: 'out_for_delivery', hour: 52, port: 'DEMUC', details: { piece: refused } },
  {
    id: 'refused',
    code: 'delivery_attempted',
    hour: 53,
    port: 'DEMUC',
    details: { piece: refused, statusDetail: 'refused' },
  },
];

const journeyOf = (events: readonly TrackingEvent[], stated: StatedFacts = facts) =>
  composeJourney({ events, transportMode: 'parcel', facts: stated, trackingNumber: lost }, nowMs);

/** Any order of the events, each at least once and some twice. */
function shuffled<Event>(events: readonly Event[]): fc.Arbitrary<Event[]> {
  return fc
    .array(fc.constantFrom(...events), { maxLength: events.length })
    .chain((again) => fc.shuffledSubarray([...events, ...again], { minLength: events.length + again.length }));
}

describe('a parcel of three pieces: one lost, one in a locker, one refused', () => {
  const events = sketches.map(trackingEvent);

  it('is one journey in any order and any number of its events', () => {
    const expected = journeyOf(events);
    fc.assert(
      fc.property(shuffled(events), (others) => {
        expect(journeyOf(others)).toEqual(expected);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('shows the state of each piece, and the shipment as its least advanced one that is still under way', () => {
    const journey = journeyOf(events);
    expect(journey).toMatchObject({
      status: 'available_for_pickup',
      statusDetail: 'awaiting_collection_at_locker',
      statusEvidence: { eventId: 'locker', code: 'available_for_pickup' },
      service: { code: '003', name: 'UPS Ground' },
      weightKg: 7.5,
      piecesCount: 3,
      pickupPoint: { kind: 'locker', name: 'Locker 7' },
      returned: null,
      hasException: true,
      delivery: { attempts: 1, lastAttemptAt: { at: isoOf(53) }, receivedBy: null, leftAt: null, proof: [] },
    });
    expect(journey.pieces).toEqual([
      {
        trackingNumber: lost,
        status: 'failed',
        statusDetail: 'lost',
        weightKg: 1,
        dimensionsCm: { length: 10, width: 20, height: 30 },
        decidingEventId: 'lost',
      },
      {
        trackingNumber: locker,
        status: 'available_for_pickup',
        statusDetail: 'awaiting_collection_at_locker',
        weightKg: 4,
        dimensionsCm: null,
        decidingEventId: 'locker',
      },
      {
        trackingNumber: refused,
        status: 'out_for_delivery',
        statusDetail: 'refused',
        weightKg: 2.5,
        dimensionsCm: null,
        decidingEventId: 'out refused',
      },
    ]);
    expect(
      journey.exceptions.map(({ code, eventId, container, piece, resolvedAt }) => [
        code,
        eventId,
        container,
        piece,
        resolvedAt,
      ]),
    ).toEqual([
      ['other', 'lost', null, lost, null],
      ['delivery_attempt_failed', 'absent', null, locker, isoOf(55)],
      ['delivery_attempt_failed', 'refused', null, refused, null],
    ]);
  });

  it('continues: the refused piece returns, the one in the locker is collected, and the lost one delays no other', () => {
    const more = [
      { id: 'back', code: 'return_started', hour: 60, details: { piece: refused, statusDetail: 'returned_refused' } },
      { id: 'collected', code: 'delivered', hour: 70, details: { piece: locker, statusDetail: 'delivered_to_locker' } },
    ] as const;
    const stated: StatedFacts = {
      ...facts,
      receivedBy: 'M. Muster',
      returned: { reason: 'Refused', trackingNumber: null, to: null },
    };
    const journey = journeyOf([...events, ...more.map(trackingEvent)], stated);
    expect(journey.pieces.map(({ status, statusDetail }) => [status, statusDetail])).toEqual([
      ['failed', 'lost'],
      ['delivered', 'delivered_to_locker'],
      ['returned', 'returned_refused'],
    ]);
    expect(journey).toMatchObject({
      status: 'delivered',
      statusDetail: 'delivered_to_locker',
      pickupPoint: { id: 'L7' },
      returned: { reason: 'Refused', startedAt: { at: isoOf(60) }, completedAt: null },
      delivery: { actual: { at: isoOf(70) }, delayHours: 10, receivedBy: 'M. Muster' },
    });
    const done = trackingEvent({ id: 'home', code: 'returned', hour: 90, details: { piece: refused } });
    const returned = journeyOf([...events, ...more.map(trackingEvent), done], stated).returned;
    expect(returned).toMatchObject({ startedAt: { at: isoOf(60) }, completedAt: { at: isoOf(90) } });
  });

  it('is the same after any sequence of incomplete readings', () => {
    const reads = sketches.map(({ id, ...sketch }) => readEvent({ ...sketch, carrierCode: id }));
    const inTurns = fc.tuple(shuffled(reads), fc.array(fc.nat({ max: 6 }), { maxLength: 6 }));
    const shownOf = (journey: ReturnType<typeof journeyOf>) => ({
      status: journey.status,
      statusDetail: journey.statusDetail,
      pieces: journey.pieces.map(({ decidingEventId: _id, ...piece }) => piece),
      attempts: journey.delivery.attempts,
      // At the same time they are in the order of their events' ids.
      exceptions: journey.exceptions
        .map(({ code, piece, openedAt, resolvedAt }) => [code, piece, openedAt, resolvedAt].join(' '))
        .sort(),
    });
    const expected = shownOf(journeyOf(events));
    fc.assert(
      fc.property(inTurns, ([read, sizes]) => {
        const left = [...read];
        let stored: TrackingEvent[] = [];
        for (const [turn, size] of [...sizes, left.length].entries())
          stored = recorded(stored, { events: left.splice(0, size), isComplete: false, turn });
        expect(shownOf(journeyOf(stored))).toEqual(expected);
        expect(stored).toHaveLength(sketches.length);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('a piece', () => {
  it('is listed only if it is one of several, not as the whole shipment under its own number', () => {
    const stated = { pieces: [{ trackingNumber: lost, weightKg: 1, dimensionsCm: null }] };
    const events = [trackingEvent({ id: 'a', code: 'departed_facility', hour: 1, details: { piece: lost } })];
    const own = journeyOf(events, stated);
    expect([own.status, own.pieces, own.piecesCount]).toEqual(['in_transit', [], 1]);
    const oneOfThree = journeyOf(events, { ...stated, piecesCount: 3 });
    expect(oneOfThree).toMatchObject({
      pieces: [{ trackingNumber: lost, weightKg: 1 }],
      piecesCount: 3,
      weightKg: null,
    });
    const other = composeJourney({ events, transportMode: 'parcel', facts: stated, trackingNumber: 'X' }, nowMs);
    expect(other.pieces).toMatchObject([{ trackingNumber: lost, status: 'in_transit', weightKg: 1 }]);
  });

  it('follows events of the whole shipment, and is counted even if the carrier lists none', () => {
    const events = [trackingEvent({ id: 'a', code: 'departed_facility', hour: 1 })];
    expect(journeyOf(events).pieces.map(({ status }) => status)).toEqual(['in_transit', 'in_transit', 'in_transit']);
    expect(journeyOf(events, { piecesCount: 12 })).toMatchObject({ piecesCount: 12, pieces: [] });
  });

  it('inherits the events of the whole shipment once the carrier names it', () => {
    const whole = [
      readEvent({ code: 'picked_up', hour: 1, port: 'DEHAM', carrierCode: 'PU' }),
      readEvent({ code: 'delivered', classifier: 'estimated', hour: 50, carrierCode: 'EDD' }),
      readEvent({ code: 'delivered', hour: 40, port: 'DEMUC', carrierCode: 'OK' }),
    ];
    const before = recorded([], { events: whole, isComplete: true, turn: 0 });
    expect(journeyOf(before, {}).status).toBe('delivered');
    const named = [
      ...[lost, locker].map((piece) =>
        readEvent({ code: 'picked_up', hour: 1, port: 'DEHAM', carrierCode: 'PU', details: { piece } }),
      ),
      readEvent({
        code: 'delivered',
        classifier: 'estimated',
        hour: 70,
        carrierCode: 'EDD',
        details: { piece: locker },
      }),
      readEvent({ code: 'delivered', hour: 40, port: 'DEMUC', carrierCode: 'OK', details: { piece: lost } }),
    ];
    const after = recorded(before, { events: named, isComplete: true, turn: 1 });
    const journey = journeyOf(after, {});
    expect([journey.status, journey.pieces.map(({ status }) => status)]).toEqual([
      'in_transit',
      ['delivered', 'in_transit'],
    ]);
    expect(after.filter(({ supersededBy }) => supersededBy !== null)).toHaveLength(whole.length);
    expect(recorded(after, { events: named, isComplete: true, turn: 2 })).toEqual(after);
  });

  it('does not replace the same scan of another piece', () => {
    const scan = { hour: 5, port: 'DEHAM', carrierCode: 'AR', carrierDescription: 'Arrival scan' } as const;
    const one = readEvent({ ...scan, code: 'arrived_at_facility', details: { piece: lost } });
    const other = readEvent({ ...scan, code: 'in_transit', details: { piece: locker } });
    const first = recorded([], { events: [one], isComplete: false, turn: 0 });
    const both = recorded(first, { events: [other], isComplete: false, turn: 1 });
    expect(both.map(({ supersededBy }) => supersededBy)).toEqual([null, null]);
  });

  it('is found by its number', () => {
    const journey = journeyOf([trackingEvent({ id: 'a', code: 'departed_facility', hour: 1 })]);
    const shipment = { identifiers: {}, reference: null, carrier: 'UPS', carrierName: 'UPS', journey };
    expect(searchText(shipment)).toContain(foldText(refused));
  });

  it('holds back the plan of the whole shipment until it is there too', () => {
    const plan = trackingEvent({ id: 'plan', code: 'delivered', classifier: 'planned', hour: 60 });
    const done = [lost, locker, refused].map((piece) =>
      trackingEvent({ id: piece, code: 'delivered', hour: 50, details: { piece } }),
    );
    const fulfilledBy = (events: TrackingEvent[]) =>
      journeyOf(events).events.find(({ id }) => id === 'plan')?.fulfilledBy ?? null;
    expect(fulfilledBy([plan, ...done.slice(0, 2)])).toBeNull();
    expect(fulfilledBy([plan, ...done])).toBe(refused);
  });
});

describe('the expected delivery of several pieces', () => {
  const estimate = (id: string, piece: string, [hour, seen]: [number, number]) =>
    trackingEvent({
      id,
      code: 'delivered',
      classifier: 'estimated',
      hour,
      receivedAt: isoOf(seen),
      details: { piece },
    });

  it('is that of the last piece that is still to come, against the last first promise', () => {
    const events = [
      estimate('a1', lost, [50, 0]),
      estimate('b1', locker, [70, 0]),
      { ...estimate('c1', refused, [60, 0]), supersededBy: 'c2' },
      estimate('c2', refused, [65, 10]),
    ];
    const { delivery, etaHistory, delayHours, eta } = journeyOf(events);
    expect([delivery.estimated?.at, delivery.promised?.at, delayHours, eta?.kind]).toEqual([
      isoOf(70),
      isoOf(70),
      0,
      'delivery',
    ]);
    expect(etaHistory.map((entry) => [entry.eta.at, entry.seenAt])).toEqual([[isoOf(70), isoOf(0)]]);
    const gone = trackingEvent({ id: 'x', code: 'lost', hour: 20, details: { piece: locker } });
    expect(journeyOf([...events, gone]).delivery).toMatchObject({
      estimated: { at: isoOf(65) },
      promised: { at: isoOf(60) },
      delayHours: 5,
    });
    const done = trackingEvent({ id: 'y', code: 'delivered', hour: 72, details: { piece: locker } });
    expect(journeyOf([...events, done]).delivery).toMatchObject({ estimated: { at: isoOf(65) }, actual: null });
  });
});

describe('a part shipment by air', () => {
  const part = (piecesCount: number, weightKg: number) =>
    readEvent({
      code: 'departed',
      hour: 5,
      port: 'DEFRA',
      mode: 'air',
      carrierCode: 'DEP',
      vehicle: { name: null, imo: null, voyage: null, flight: 'LH8160' },
      details: { piecesCount, weightKg },
    });

  it('is two events if the same flight carries two parts, and one if a part is stated again', () => {
    const stored = recorded([], { events: [part(5, 100), part(3, 60), part(5, 100)], isComplete: true, turn: 0 });
    expect(stored.map(({ details }) => details?.piecesCount).sort()).toEqual([3, 5]);
    const again = recorded(stored, { events: [part(3, 60), part(5, 100)], isComplete: true, turn: 1 });
    expect(again).toEqual(stored);
    const joined = recorded(stored, { events: [part(8, 160)], isComplete: true, turn: 2 });
    expect(joined.filter(({ supersededBy }) => supersededBy === null)).toHaveLength(2);
  });
});

/** The stored events after a reading. */
function recorded(
  stored: readonly TrackingEvent[],
  { events, isComplete, turn }: Pick<Reading, 'events'> & { isComplete: boolean; turn: number },
): TrackingEvent[] {
  const plan = planRevisions(stored, events, { connectorFamily: 'test', complete: isComplete });
  const idOf = (text: string) => `${turn} ${text}`;
  const replaced = new Map(plan.superseded.map(({ id, by }) => [id, 'id' in by ? by.id : idOf(by.dedupeText)]));
  const kept = stored.map((event) => ({ ...event, supersededBy: replaced.get(event.id) ?? event.supersededBy }));
  const inserts = plan.inserts.map(({ event: { raw: _raw, ...event }, dedupeText, supersededBy }): TrackingEvent => {
    return {
      ...event,
      id: idOf(dedupeText),
      dedupeKey: dedupeText,
      receivedAt: isoOf(turn),
      supersededBy: supersededBy && ('id' in supersededBy ? supersededBy.id : idOf(supersededBy.dedupeText)),
      voidedAt: null,
    };
  });
  return [...kept, ...inserts];
}
