import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { findExceptions } from '#shared/domain/record/exceptions.ts';
import { exceptionCodes } from '#shared/domain/record/shipment.ts';
import { runs } from '#test/support/run-scale.ts';
import { anyEvents } from '../journey/event-sets.ts';
import { type EventSketch, hourMs, startMs, trackingEvent } from '../journey/journey-events.ts';

type Opening = Omit<EventSketch, 'hour'>;

/** Codes that events open. */
const eventCodes = exceptionCodes.filter((code) => code !== 'last_free_day_near');

/** Events that open and end each code. */
const sources: Record<(typeof eventCodes)[number], { openings: Opening[]; ending: Opening }> = {
  customs_hold: {
    openings: [
      { code: 'customs_hold' },
      { code: 'not_available', description: 'Customs hold' },
      { code: 'exception', carrierDescription: 'Held by Customs' },
    ],
    ending: { code: 'customs_released' },
  },
  carrier_hold: {
    openings: [
      { code: 'not_available', description: 'LINE HOLD' },
      { code: 'other', carrierDescription: 'Container held by the carrier' },
    ],
    ending: { code: 'available_for_pickup' },
  },
  terminal_hold: {
    openings: [{ code: 'not_available' }, { code: 'exception', description: 'Terminal hold' }],
    ending: { code: 'available_for_pickup' },
  },
  freight_hold: {
    openings: [
      { code: 'not_available', description: 'Freight hold' },
      { code: 'other', description: 'Freight charges unpaid' },
    ],
    ending: { code: 'gate_out_full' },
  },
  delivery_attempt_failed: { openings: [{ code: 'delivery_attempted' }], ending: { code: 'out_for_delivery' } },
  address_problem: {
    openings: [
      { code: 'delivery_attempted', description: 'Incorrect address' },
      { code: 'exception', carrierDescription: 'Missing postal code' },
    ],
    ending: { code: 'delivered' },
  },
  damaged: {
    openings: [
      { code: 'exception', description: 'Package damaged in transit' },
      { code: 'other', carrierDescription: 'Damage reported' },
    ],
    ending: { code: 'delivered' },
  },
  delayed: { openings: [{ code: 'delayed' }], ending: { code: 'departed' } },
  rolled: {
    openings: [
      { code: 'delayed', description: 'Rolled to the next vessel' },
      { code: 'other', carrierDescription: 'Cargo roll-over' },
    ],
    ending: { code: 'loaded' },
  },
  misrouted: {
    openings: [
      { code: 'exception', description: 'Missorted, sent to the wrong facility' },
      { code: 'other', carrierDescription: 'MIS-ROUTED' },
    ],
    ending: { code: 'arrived_at_facility' },
  },
  weather: {
    openings: [
      { code: 'delayed', delayReason: 'WEA' },
      { code: 'exception', description: 'Severe weather' },
      { code: 'delayed', description: 'Typhoon' },
    ],
    ending: { code: 'departed' },
  },
  last_free_day_passed: {
    openings: [
      { code: 'not_available', description: 'Last free day has passed' },
      { code: 'other', description: 'Free time expired' },
    ],
    ending: { code: 'gate_out_full' },
  },
  other: { openings: [{ code: 'exception' }, { code: 'lost' }], ending: { code: 'in_transit' } },
};

describe.each(eventCodes)('%s', (code) => {
  const { openings, ending } = sources[code];

  it.each(openings.map((opening) => [JSON.stringify(opening), opening] as const))(
    'is opened by %s and ended by its end',
    (_, opening) => {
      const opened = trackingEvent({ ...opening, id: 'a', hour: 1 });
      expect(findExceptions([opened])).toEqual([
        expect.objectContaining({
          code,
          eventId: 'a',
          openedAt: opened.time.at,
          resolvedAt: null,
          message: expect.stringMatching(/\S/),
        }),
      ]);
      const end = trackingEvent({ ...ending, id: 'b', hour: 2 });
      expect(findExceptions([end, opened]).map((exception) => [exception.code, exception.resolvedAt])).toEqual([
        [code, end.time.at],
      ]);
      const early = trackingEvent({ ...ending, id: 'b', hour: 0 });
      expect(findExceptions([early, opened]).map(({ resolvedAt }) => resolvedAt)).toEqual([null]);
    },
  );
});

it.each([
  ['a departure that mentions the weather', { code: 'departed', description: 'Departed despite bad weather' }],
  ['news without trouble', { code: 'other', description: 'Vessel schedule published' }],
  ['a release', { code: 'other', description: 'Freight hold released' }],
  ['a delivery that mentions the address', { code: 'delivered', description: 'Left at the address' }],
] as const)('%s opens no exception', (_, sketch) => {
  expect(findExceptions([trackingEvent({ ...sketch, id: 'a', hour: 1 })])).toEqual([]);
});

it('resolves a hold when the carrier’s text says that it was lifted', () => {
  const hold = trackingEvent({ id: 'a', code: 'not_available', description: 'Freight hold', hour: 1 });
  const lifted = trackingEvent({ id: 'b', code: 'other', description: 'Freight hold released', hour: 2 });
  expect(findExceptions([hold, lifted]).map(({ code, resolvedAt }) => [code, resolvedAt])).toEqual([
    ['freight_hold', lifted.time.at],
  ]);
});

it('leaves another container held after one container’s release', () => {
  const held = ['AAAU1234567', 'BBBU1234567'].map((container) =>
    trackingEvent({ id: container, code: 'customs_hold', hour: 1, container }),
  );
  const released = trackingEvent({ id: 'r', code: 'customs_released', hour: 2, container: 'AAAU1234567' });
  const journey = composeJourney({ events: [...held, released], transportMode: 'ocean' }, startMs + 9 * hourMs);
  expect(journey.containers.map(({ number, freeTime }) => [number, freeTime?.facts?.holds])).toMatchObject([
    ['AAAU1234567', [{ type: 'customs', status: 'released' }]],
    ['BBBU1234567', [{ type: 'customs', status: 'active' }]],
  ]);
  expect(journey.hasException).toBe(true);
});

it('gives the same exceptions in any order, and has_exception when one is open', () => {
  fc.assert(
    fc.property(
      anyEvents.chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
      ),
      ([events, shuffled]) => {
        const journey = composeJourney({ events, transportMode: 'ocean' }, startMs + 40 * hourMs);
        expect(composeJourney({ events: shuffled, transportMode: 'ocean' }, startMs + 40 * hourMs).exceptions).toEqual(
          journey.exceptions,
        );
        expect(journey.hasException).toBe(journey.exceptions.some(({ resolvedAt }) => resolvedAt === null));
        for (const { openedAt, resolvedAt } of journey.exceptions)
          expect(resolvedAt === null || resolvedAt >= openedAt).toBe(true);
      },
    ),
    { numRuns: runs(300) },
  );
});
