import type { TransportMode } from '../events/transport-mode.ts';
import { nearestName } from '../nearest.ts';
import { type IdentifierKey, type Identifiers, identifierKeys } from '../record/shipment.ts';
import { collectedAtLocker, movingWindow, provenDelivery, refusedAndReturned, severalPieces } from './parcel-scenes.ts';
import { found, play, type TestScene, until } from './play-milestones.ts';
import { type TestTimeline, testTimelines } from './test-timelines.ts';

/** The numbers that a test key may use, one per outcome. */
export const testNumbers = [
  'TEST-PENDING',
  'TEST-BOOKED',
  'TEST-IN-TRANSIT',
  'TEST-ARRIVED',
  'TEST-AVAILABLE',
  'TEST-OUT-FOR-DELIVERY',
  'TEST-DELIVERED',
  'TEST-RETURNED',
  'TEST-FAILED',
  'TEST-CANCELLED',
  'TEST-DELAYED',
  'TEST-CUSTOMS-HOLD',
  'TEST-NOT-FOUND',
  'TEST-CARRIER-DOWN',
  'TEST-STALE',
  'TEST-OUT-OF-ORDER',
  'TEST-MULTI-CONTAINER',
  'TEST-MULTI-PIECE',
  'TEST-POD',
  'TEST-WINDOW',
  'TEST-LOCKER',
  'TEST-RETURN',
  'TEST-JOURNEY',
] as const;
export type TestNumber = (typeof testNumbers)[number];

/** True when the text is meant as a test number, known or not. */
export function isLikeTestNumber(text: string): boolean {
  return /^TEST-/i.test(text.trim());
}

/**
 * The test number that this text is, in any case. `TEST-DELIVERED-42` is another `TEST-DELIVERED`, so that there can be
 * many. Null: it is none.
 */
export function testNumberOf(text: string): TestNumber | null {
  const sent = text.trim().toUpperCase();
  if (sent.length > 64 || !/^[A-Z0-9-]+$/.test(sent)) return null;
  return testNumbers.find((number) => sent === number || sent.startsWith(`${number}-`)) ?? null;
}

/** Lists the test numbers, as the end of a sentence, and then the one that was probably meant. */
export function describeTestNumbers(sent: string): string {
  const nearest = nearestName(sent, testNumbers);
  const hint = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `one of ${testNumbers.join(', ')} (each may have a suffix, as in TEST-DELIVERED-2).${hint}`;
}

/** The number that a test shipment simulates: its first test number, otherwise the whole journey. */
export function testJourneyOf(identifiers: Identifiers): { number: TestNumber; key: IdentifierKey | null } {
  for (const key of identifierKeys) {
    const number = testNumberOf(identifiers[key] ?? '');
    if (number !== null) return { number, key };
  }
  return { number: 'TEST-JOURNEY', key: null };
}

/** Returns the number of advances after which a test journey ends. */
export function lastTestStep(number: TestNumber, mode: TransportMode): number {
  return scenesOf(number, testTimelines[mode]).length - 1;
}

/**
 * Returns the carrier's report after `steps` advances. Beyond the end it repeats the last scene. Pure: the same input
 * gives the same scene.
 */
export function testScene(number: TestNumber, mode: TransportMode, steps: number): TestScene {
  const scenes = scenesOf(number, testTimelines[mode]);
  const scene = scenes[Math.min(Math.max(0, steps), scenes.length - 1)];
  if (scene === undefined) throw new Error('a test number has no scene');
  return scene;
}

const silenceHours = 240;
const delayHours = 72;

function scenesOf(number: TestNumber, timeline: TestTimeline): TestScene[] {
  const { milestones, stops } = timeline;
  switch (number) {
    case 'TEST-PENDING':
      return [found([])];
    case 'TEST-NOT-FOUND':
      return [{ outcome: 'not_found' }, until(timeline, stops.booked)];
    case 'TEST-CARRIER-DOWN':
      return [{ outcome: 'carrier_down' }, until(timeline, stops.inTransit)];
    case 'TEST-BOOKED':
      return [until(timeline, stops.booked)];
    case 'TEST-IN-TRANSIT':
      return [until(timeline, stops.inTransit)];
    case 'TEST-ARRIVED':
      return [until(timeline, stops.arrived)];
    case 'TEST-AVAILABLE':
      return [until(timeline, stops.arrived, [{ code: 'available_for_pickup' }])];
    case 'TEST-OUT-FOR-DELIVERY':
      return [until(timeline, stops.outForDelivery)];
    case 'TEST-DELIVERED':
      return [until(timeline, stops.delivered)];
    case 'TEST-RETURNED':
      return [
        until(timeline, stops.outForDelivery, [
          { code: 'delivery_attempted' },
          { code: 'return_started' },
          { code: 'returned' },
        ]),
      ];
    case 'TEST-FAILED':
      return [until(timeline, stops.inTransit, [{ code: 'lost' }])];
    case 'TEST-CANCELLED':
      return [until(timeline, stops.booked, [{ code: 'cancelled' }])];
    case 'TEST-DELAYED':
      return [delayed(timeline)];
    case 'TEST-CUSTOMS-HOLD':
      return [
        until(timeline, stops.arrived, [{ code: 'customs_hold' }]),
        until(timeline, stops.arrived, [{ code: 'customs_hold' }, { code: 'customs_released' }]),
      ];
    case 'TEST-STALE':
      return [
        { ...found(play(milestones, { stop: stops.inTransit, agoHours: silenceHours })), stale: true },
        found(play(milestones, { stop: stops.inTransit + 1, anchor: stops.inTransit, agoHours: silenceHours })),
      ];
    case 'TEST-OUT-OF-ORDER':
      return outOfOrder(timeline);
    case 'TEST-MULTI-CONTAINER':
      return [
        several(timeline, [stops.delivered, stops.arrived, stops.inTransit]),
        several(timeline, [stops.delivered, stops.arrived, stops.arrived]),
        several(timeline, [stops.delivered, stops.delivered, stops.delivered]),
      ];
    case 'TEST-MULTI-PIECE':
      return severalPieces(timeline);
    case 'TEST-POD':
      return [provenDelivery(timeline)];
    case 'TEST-WINDOW':
      return movingWindow(timeline);
    case 'TEST-LOCKER':
      return collectedAtLocker(timeline);
    case 'TEST-RETURN':
      return refusedAndReturned(timeline);
    case 'TEST-JOURNEY': {
      const last = milestones.length - 1;
      return [found([]), ...milestones.map((_, stop) => found(play(milestones, { stop, anchor: last })))];
    }
  }
}

/** In transit, with everything that is still expected three days later than first reported. */
function delayed(timeline: TestTimeline): TestScene {
  const under = until(timeline, timeline.stops.inTransit, [{ code: 'delayed' }]);
  const later = under.events
    .filter((event) => event.classifier === 'estimated')
    .map((event) => ({ ...event, atHours: event.atHours + delayHours, revisedHours: -1 }));
  return { ...under, events: [...under.events, ...later] };
}

/** The newest events come first and duplicated; the next advance reports earlier ones. The status does not regress. */
function outOfOrder(timeline: TestTimeline): TestScene[] {
  const all = play(timeline.milestones, { stop: timeline.stops.inTransit });
  const booked = new Set(timeline.milestones.slice(0, timeline.stops.booked + 1).map((milestone) => milestone.hours));
  const late = all.filter((event) => event.classifier === 'actual' && booked.has(event.hours));
  const newest = all.filter((event) => !late.includes(event)).reverse();
  return [found([...newest, ...newest]), found([...all].reverse())];
}

/** Containers with different progress. Milestones before the cargo is packed are reported for all of them. */
function several({ milestones, stops }: TestTimeline, reached: readonly number[]): TestScene {
  const common = play(milestones, { stop: 0, anchor: stops.delivered });
  const own = reached.flatMap((stop, container) =>
    play(milestones, { stop, anchor: stops.delivered })
      .filter((event) => event.classifier === 'actual' && event.hours > 0)
      .map((event) => ({ ...event, container })),
  );
  return { ...found([...common, ...own]), containers: reached.length };
}
