import { describe, expect, it } from 'vitest';
import { playTestJourney, type TestSubject } from '#services/worker/carriers/test/play-test-journey.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { FetchResult, IdentifierKey, Journey, Status } from '#shared/domain/record/shipment.ts';
import { matchValue, trackableKeysOf } from '#shared/domain/registration/identifiers.ts';
import { lastTestStep, type TestNumber, testNumbers } from '#shared/domain/test-journeys/test-journeys.ts';

const createdAt = '2026-04-15T09:30:12.000Z';
const nowMs = Date.parse(createdAt);

function subject(
  number: string,
  mode: TransportMode,
  changes: Partial<TestSubject> & { key?: IdentifierKey } = {},
): TestSubject {
  const { key = trackableKeysOf(mode)[0]!, ...rest } = changes;
  return {
    shipmentId: '018f0000-0000-7000-8000-000000000002',
    transportMode: mode,
    identifiers: { [key]: number },
    createdAt,
    testSteps: 0,
    ...rest,
  };
}

/** The journey after the refreshes of all these steps were recorded in order. */
function follow(number: TestNumber, mode: TransportMode, steps: readonly number[], key?: IdentifierKey): Journey {
  const asked = subject(number, mode, key === undefined ? {} : { key });
  let stored: TrackingEvent[] = [];
  for (const testSteps of steps) {
    const refresh = playTestJourney({ ...asked, testSteps });
    if (refresh.outcome === 'found') stored = mergeReading(stored, refresh.reading, nowMs).events;
  }
  const knownContainers = asked.identifiers.container === undefined ? [] : [matchValue(asked.identifiers.container)];
  return composeJourney({ events: stored, transportMode: mode, knownContainers }, nowMs);
}

const allSteps = (number: TestNumber, mode: TransportMode) =>
  Array.from({ length: lastTestStep(number, mode) + 1 }, (_, step) => step);

const statusAtFirst: Record<TestNumber, Status> = {
  'TEST-PENDING': 'pending',
  'TEST-BOOKED': 'booked',
  'TEST-IN-TRANSIT': 'in_transit',
  'TEST-ARRIVED': 'arrived',
  'TEST-AVAILABLE': 'available_for_pickup',
  'TEST-OUT-FOR-DELIVERY': 'out_for_delivery',
  'TEST-DELIVERED': 'delivered',
  'TEST-RETURNED': 'returned',
  'TEST-FAILED': 'failed',
  'TEST-CANCELLED': 'cancelled',
  'TEST-DELAYED': 'in_transit',
  'TEST-CUSTOMS-HOLD': 'arrived',
  'TEST-NOT-FOUND': 'pending',
  'TEST-CARRIER-DOWN': 'pending',
  'TEST-STALE': 'in_transit',
  'TEST-OUT-OF-ORDER': 'in_transit',
  'TEST-MULTI-CONTAINER': 'in_transit',
  'TEST-MULTI-PIECE': 'out_for_delivery',
  'TEST-POD': 'delivered',
  'TEST-WINDOW': 'out_for_delivery',
  'TEST-LOCKER': 'out_for_delivery',
  'TEST-RETURN': 'out_for_delivery',
  'TEST-JOURNEY': 'pending',
};

const statusAtLast: Partial<Record<TestNumber, Status>> = {
  'TEST-NOT-FOUND': 'booked',
  'TEST-CARRIER-DOWN': 'in_transit',
  'TEST-MULTI-CONTAINER': 'delivered',
  'TEST-MULTI-PIECE': 'available_for_pickup',
  'TEST-LOCKER': 'delivered',
  'TEST-RETURN': 'returned',
  'TEST-JOURNEY': 'delivered',
};

describe.each(transportModes)('by %s', (mode) => {
  it.each(testNumbers)('%s behaves as documented for every identifier', (number) => {
    for (const key of trackableKeysOf(mode)) {
      expect(follow(number, mode, [0], key).status, key).toBe(statusAtFirst[number]);
      expect(follow(number, mode, allSteps(number, mode), key).status, key).toBe(
        statusAtLast[number] ?? statusAtFirst[number],
      );
    }
  });

  it('passes every status in order, one event per step', () => {
    const seen: Status[] = [];
    for (const step of allSteps('TEST-JOURNEY', mode)) {
      const journey = follow('TEST-JOURNEY', mode, allSteps('TEST-JOURNEY', mode).slice(0, step + 1));
      if (seen.at(-1) !== journey.status) seen.push(journey.status);
      expect(journey.events.filter((event) => event.classifier === 'actual')).toHaveLength(step);
    }
    const expected: Status[] = [
      'pending',
      'booked',
      'in_transit',
      'arrived',
      'available_for_pickup',
      'out_for_delivery',
      'delivered',
    ];
    const skipped = mode === 'road' || mode === 'parcel' ? ['available_for_pickup'] : [];
    expect(seen).toEqual(expected.filter((status) => !skipped.includes(status)));
  });

  it('contains no actual event in the future, and no change when refreshed again', () => {
    for (const number of testNumbers) {
      for (const testSteps of allSteps(number, mode)) {
        const refresh = playTestJourney(subject(number, mode, { testSteps }));
        expect(playTestJourney(subject(number, mode, { testSteps }))).toEqual(refresh);
        if (refresh.outcome !== 'found') continue;
        for (const event of refresh.reading.events) {
          expect(event.source).toBe('test');
          if (event.classifier === 'actual')
            expect(Date.parse(event.time.at), `${number} ${event.code}`).toBeLessThan(nowMs);
        }
        const stored = mergeReading([], refresh.reading, nowMs).events;
        expect(mergeReading(stored, refresh.reading, nowMs)).toMatchObject({ inserts: [], superseded: [] });
      }
    }
  });

  it('expects an arrival while under way, and reports a delay', () => {
    const underWay = follow('TEST-IN-TRANSIT', mode, [0]);
    const expected = underWay.arrival.estimated ?? underWay.delivery.estimated;
    expect(Date.parse(expected!.at)).toBeGreaterThan(nowMs);
    expect(underWay.hasException).toBe(false);
    const late = follow('TEST-DELAYED', mode, [0]);
    expect(late.exceptions.filter((exception) => exception.resolvedAt === null)).toMatchObject([{ code: 'delayed' }]);
    expect(late.delayHours).toBe(72);
    expect(late.etaHistory.filter(({ kind }) => kind === late.eta?.kind)).toHaveLength(2);
  });

  it('holds the cargo at customs until the next step', () => {
    expect(follow('TEST-CUSTOMS-HOLD', mode, [0]).exceptions).toMatchObject([
      { code: 'customs_hold', resolvedAt: null },
    ]);
    expect(follow('TEST-CUSTOMS-HOLD', mode, [0, 1])).toMatchObject({
      hasException: false,
      exceptions: [{ code: 'customs_hold' }],
    });
  });

  it('completes the history with late events and changes nothing else', () => {
    const first = follow('TEST-OUT-OF-ORDER', mode, [0]);
    const then = follow('TEST-OUT-OF-ORDER', mode, [0, 1]);
    expect(then.eventsCount).toBeGreaterThan(first.eventsCount);
    expect(then).toMatchObject({ status: first.status, latestEvent: { code: first.latestEvent!.code } });
  });

  it('moves three containers at different times', () => {
    const journey = follow('TEST-MULTI-CONTAINER', mode, [0]);
    expect(journey.containerStatusCounts).toEqual({ in_transit: 1, arrived: 1, delivered: 1 });
  });
});

it('reports not found and unavailable until the shipment is advanced', () => {
  const found = { outcome: 'found' };
  expect(playTestJourney(subject('TEST-NOT-FOUND', 'ocean'))).toMatchObject({
    outcome: 'not_found',
    reason: 'carrier_not_found_yet',
  });
  expect(playTestJourney(subject('TEST-NOT-FOUND', 'ocean', { testSteps: 1 }))).toMatchObject(found);
  expect(playTestJourney(subject('TEST-CARRIER-DOWN', 'air'))).toMatchObject({
    outcome: 'error',
    reason: 'carrier_unreachable',
    httpStatus: 503,
  });
  expect(playTestJourney(subject('TEST-CARRIER-DOWN', 'air', { testSteps: 1 }))).toMatchObject(found);
  expect(playTestJourney(subject('TEST-STALE', 'road'))).toMatchObject({ ...found, stale: true });
  expect(playTestJourney(subject('TEST-STALE', 'road', { testSteps: 1 }))).toMatchObject({ ...found, stale: false });
});

it('uses a container that the client named', () => {
  const refresh: FetchResult = playTestJourney(
    subject('TEST-DELIVERED', 'ocean', { identifiers: { mbl: 'TEST-DELIVERED', container: 'CSQU 305438-3' } }),
  );
  const containers =
    refresh.outcome === 'found' ? refresh.reading.events.flatMap((event) => event.container ?? []) : [];
  expect(new Set(containers)).toEqual(new Set(['CSQU3054383']));
});

it('plays the whole journey for any other number', () => {
  const other = subject('MAEU123456789', 'ocean', { testSteps: 3 });
  const own = subject('TEST-JOURNEY', 'ocean', { testSteps: 3 });
  const codes = (one: TestSubject) => {
    const refresh = playTestJourney(one);
    return refresh.outcome === 'found'
      ? refresh.reading.events.map((event) => `${event.code} ${event.classifier} ${event.time.at}`)
      : null;
  };
  expect(codes(other)).toEqual(codes(own));
});
