import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventCodes, type TrackingEvent } from '#shared/domain/events/event.ts';
import { composeDatedJourney, composeJourney } from '#shared/domain/journey/journey.ts';
import { maxRecordEvents } from '#shared/domain/journey/record-events.ts';
import { runs } from '#test/support/run-scale.ts';
import { type EventSketch, hourMs, startMs, trackingEvent } from './journey-events.ts';

const container = 'MSKU1234565';
const feeder = { name: 'FEEDER', imo: '9321483', voyage: '101E', flight: null };
const liner = { name: 'LINER', imo: '9811000', voyage: '012W', flight: null };

function voyage(
  extra: (EventSketch & { id: string; supersededBy?: string; receivedAt?: string })[] = [],
): TrackingEvent[] {
  const planned = { classifier: 'planned' as const };
  return [
    trackingEvent({
      id: 'cargo',
      code: 'gate_in_full',
      hour: 0,
      port: 'CNSHA',
      container,
      isoType: '45G1',
      seals: ['B2', 'A1'],
    }),
    trackingEvent({ id: 'load', code: 'loaded', hour: 10, port: 'CNSHA', container, vehicle: feeder }),
    trackingEvent({ id: 'dep', code: 'departed', hour: 12, port: 'CNSHA', vehicle: feeder }),
    trackingEvent({ id: 'dep-plan', code: 'departed', hour: 11, port: 'CNSHA', vehicle: feeder, ...planned }),
    trackingEvent({ id: 'ts-arr', code: 'arrived', hour: 100, port: 'SGSIN', vehicle: feeder }),
    trackingEvent({ id: 'ts-disc', code: 'discharged', hour: 104, port: 'SGSIN', container, vehicle: feeder }),
    trackingEvent({ id: 'ts-load', code: 'loaded', hour: 150, port: 'SGSIN', container, vehicle: liner }),
    trackingEvent({ id: 'ts-dep', code: 'departed', hour: 152, port: 'SGSIN', vehicle: liner }),
    trackingEvent({ id: 'arr-plan', code: 'arrived', hour: 500, port: 'NLRTM', vehicle: liner, ...planned }),
    trackingEvent({
      id: 'eta1',
      code: 'arrived',
      hour: 500,
      port: 'NLRTM',
      vehicle: liner,
      classifier: 'estimated',
      supersededBy: 'eta2',
      receivedAt: '2026-04-02T00:00:00.000Z',
    }),
    trackingEvent({
      id: 'eta2',
      code: 'arrived',
      hour: 531,
      port: 'NLRTM',
      vehicle: liner,
      classifier: 'estimated',
      receivedAt: '2026-04-03T00:00:00.000Z',
    }),
    ...extra.map(trackingEvent),
  ];
}

function journeyOf(events: TrackingEvent[], hour = 200) {
  return composeJourney({ events, transportMode: 'ocean' }, startMs + hour * hourMs);
}

describe('a voyage with a transshipment', () => {
  const journey = journeyOf(voyage());

  it('is in transit by the deciding event of its container', () => {
    expect(journey.status).toBe('in_transit');
    expect(journey.statusEvidence).toEqual({ eventId: 'load', code: 'loaded', source: 'carrier' });
    expect(
      composeDatedJourney({ events: voyage(), transportMode: 'ocean' }, startMs + 200 * hourMs).statusChangedAt,
    ).toBe(new Date(startMs + 10 * hourMs).toISOString());
    expect(journey.latestEvent?.id).toBe('ts-dep');
    expect(journey.origin?.unlocode).toBe('CNSHA');
    expect(journey.destination?.unlocode).toBe('NLRTM');
    expect(journey.currentLocation).toBeNull();
  });

  it('keeps the last movement as its latest event when documents and unknown codes follow', () => {
    const papers = (['document_issued', 'manifested', 'other', 'booking_confirmed'] as const).map((code, index) => ({
      id: code,
      code,
      hour: 160 + index,
      port: 'NLRTM',
    }));
    expect(journeyOf(voyage(papers)).latestEvent?.id).toBe('ts-dep');
    expect(journeyOf(papers.map(trackingEvent)).latestEvent?.id).toBe('booking_confirmed');
  });

  it('has its times, the first estimate, the delay and the history of the estimate', () => {
    expect(journey.departure.planned?.at).toBe(new Date(startMs + 11 * hourMs).toISOString());
    expect(journey.departure.actual?.at).toBe(new Date(startMs + 12 * hourMs).toISOString());
    expect(journey.arrival.estimated?.at).toBe(new Date(startMs + 531 * hourMs).toISOString());
    expect(journey.arrival.originalEstimated?.at).toBe(new Date(startMs + 500 * hourMs).toISOString());
    expect(journey.arrival).toMatchObject({
      delayHours: 31,
      delayBasis: 'planned',
      source: 'carrier',
      actual: null,
    });
    expect(journey.etaHistory.map((entry) => entry.seenAt)).toEqual([
      '2026-04-02T00:00:00.000Z',
      '2026-04-03T00:00:00.000Z',
    ]);
  });

  it('has two legs with their vessels', () => {
    expect(
      journey.legs.map((leg) => [leg.sequence, leg.from?.unlocode, leg.to?.unlocode, leg.vehicle?.voyage]),
    ).toEqual([
      [1, 'CNSHA', 'SGSIN', '101E'],
      [2, 'SGSIN', 'NLRTM', '012W'],
    ]);
    expect(journey.legs[0]?.arrival.actual?.at).toBe(new Date(startMs + 100 * hourMs).toISOString());
    expect(journey.events.find((event) => event.id === 'ts-disc')?.leg).toBe(1);
    expect(journey.events.find((event) => event.id === 'ts-load')?.leg).toBe(2);
  });

  it('lists its containers', () => {
    expect(journey.containers).toEqual([
      {
        number: container,
        isoType: '45G1',
        status: 'in_transit',
        seals: ['A1', 'B2'],
        freeTime: {
          facts: { milestones: expect.objectContaining({ loaded: { time: expect.anything() } }) },
        },
        decidingEventId: 'load',
      },
    ]);
    expect(journey.containerStatusCounts).toEqual({ in_transit: 1 });
  });

  it('reports the delay', () => {
    expect(journey.exceptions).toMatchObject([{ code: 'delayed', eventId: 'eta2', resolvedAt: null }]);
    expect(journey.hasException).toBe(true);
  });

  it('arrives, is held, released and delivered', () => {
    const held = voyage([
      { id: 'arr', code: 'arrived', hour: 532, port: 'NLRTM', vehicle: liner },
      { id: 'disc', code: 'discharged', hour: 540, port: 'NLRTM', container },
      { id: 'hold', code: 'customs_hold', hour: 541, port: 'NLRTM', container },
    ]);
    const arrived = journeyOf(held, 545);
    expect(arrived.status).toBe('arrived');
    expect(arrived.currentLocation?.unlocode).toBe('NLRTM');
    expect(arrived.containers[0]?.freeTime?.facts?.holds).toMatchObject([{ type: 'customs', status: 'active' }]);
    expect(arrived.exceptions.map(({ code, resolvedAt }) => [code, resolvedAt === null])).toEqual([
      ['delayed', false],
      ['customs_hold', true],
    ]);

    const done = journeyOf(
      [
        ...held,
        trackingEvent({ id: 'rels', code: 'customs_released', hour: 550, port: 'NLRTM', container }),
        trackingEvent({ id: 'out', code: 'gate_out_full', hour: 560, port: 'NLRTM', container }),
        trackingEvent({ id: 'sail', code: 'departed', hour: 561, port: 'NLRTM', vehicle: liner }),
        trackingEvent({ id: 'empty', code: 'gate_in_empty', hour: 600, port: 'NLAMS', container, empty: true }),
      ],
      610,
    );
    expect(done.status).toBe('delivered');
    expect(done.hasException).toBe(false);
    expect(done.legs).toHaveLength(2);
  });
});

describe('the record', () => {
  it('flags events that do not count and reports when a future event starts to count', () => {
    const journey = journeyOf(voyage([{ id: 'far', code: 'delivered', hour: 900, port: 'NLRTM', container }]));
    expect(journey.status).toBe('in_transit');
    expect(journey.delivery.actual).toBeNull();
    expect(journey.events.find(({ id }) => id === 'far')?.flags).toEqual(['suspect_future']);
    expect(journey.events.find((event) => event.id === 'eta1')?.flags).toEqual(['superseded']);
    expect(journey.nextEligibleAt).toBe(new Date(startMs + 876 * hourMs).toISOString());
  });

  it('contains the newest fifty events and counts all', () => {
    const events = Array.from({ length: 70 }, (_, index) =>
      trackingEvent({ id: `e${index}`, code: 'in_transit', hour: index }),
    );
    const journey = journeyOf(events);
    expect(journey.eventsCount).toBe(70);
    expect(journey.events).toHaveLength(maxRecordEvents);
    expect(journey.events[0]?.id).toBe('e69');
  });

  it('is pending and empty without events, with the containers that the client registered', () => {
    const journey = composeJourney({ events: [], transportMode: 'ocean', knownContainers: [container] }, startMs);
    expect(journey).toMatchObject({
      status: 'pending',
      statusEvidence: null,
      legs: [],
      events: [],
      hasException: false,
      nextEligibleAt: null,
    });
    expect(journey.containers).toMatchObject([{ number: container, status: 'pending' }]);
  });

  it('resolves a failed delivery with the next attempt', () => {
    const journey = composeJourney(
      {
        events: [
          trackingEvent({ id: 'a', code: 'out_for_delivery', hour: 1 }),
          trackingEvent({ id: 'b', code: 'delivery_attempted', hour: 2 }),
          trackingEvent({ id: 'c', code: 'arrived_at_facility', hour: 3, port: 'USMEM' }),
        ],
        transportMode: 'parcel',
      },
      startMs + 10 * hourMs,
    );
    expect(journey.status).toBe('in_transit');
    expect(journey.exceptions).toMatchObject([{ code: 'delivery_attempt_failed', eventId: 'b', resolvedAt: null }]);
  });

  it('does not depend on the order or duplicates of events', () => {
    const sketch = fc.record({
      code: fc.constantFrom(...eventCodes),
      hour: fc.integer({ min: 0, max: 60 }),
      port: fc.constantFrom('CNSHA', 'SGSIN', 'NLRTM', null),
      container: fc.constantFrom('AAAU1234567', 'BBBU1234567', null),
      classifier: fc.constantFrom('actual' as const, 'estimated' as const, 'planned' as const),
      vehicle: fc.constantFrom(feeder, liner, null),
      seals: fc.constantFrom<string[]>([], ['S2', 'S1']),
      isoType: fc.constantFrom(null, '45G1', '22G1'),
      voidedAt: fc.constantFrom(null, null, '2026-04-02T00:00:00.000Z'),
      receivedAt: fc.constantFrom('2026-04-01T00:00:00.000Z', '2026-04-02T00:00:00.000Z'),
    });
    const shuffled = fc
      .array(sketch, { maxLength: 10 })
      .map((sketches) => sketches.map((each, index) => trackingEvent({ ...each, id: `e${index}` })))
      .chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events], { minLength: events.length * 2 })),
      );
    fc.assert(
      fc.property(shuffled, ([events, doubled]) => {
        expect(journeyOf(doubled, 30)).toEqual(journeyOf(events, 30));
      }),
      { numRuns: runs(2_500) },
    );
  });
});
