import type { EventCode } from '../events/event.ts';
import type { StatusDetail } from '../events/status-details.ts';
import type { TestMilestone, TestTimeline } from './test-timelines.ts';

/**
 * An event of a test journey. `atHours` counts from the registration. `container` is the index of the container; null:
 * all.
 */
export type TestEvent = TestMilestone & {
  classifier: 'planned' | 'estimated' | 'actual';
  atHours: number;
  container: number | null;
  /** The index of the piece. Absent: all. */
  piece?: number;
  statusDetail?: StatusDetail;
  /** Length of the window that ends at `atHours`. Absent: the carrier states a time. */
  windowHours?: number;
};

/** Facts that the carrier of a test shipment states beside the events. */
export type TestStatement = 'product' | 'recipient' | 'proof' | 'locker_ahead' | 'locker_reached' | 'return';

/** `stale`: the record counts as stale although it was just read. */
export type FoundScene = {
  outcome: 'found';
  events: TestEvent[];
  containers: number;
  pieces: number;
  stale: boolean;
  states: readonly TestStatement[];
};

/** Report of a test shipment's carrier from one advance to the next. */
export type TestScene = FoundScene | { outcome: 'not_found' } | { outcome: 'carrier_down' };

/** Hours between the last milestone and the registration. */
export const sinceLastHours = 2;

export function found(events: TestEvent[]): FoundScene {
  return { outcome: 'found', events, containers: 1, pieces: 1, stale: false, states: [] };
}

type Play = {
  /** The last milestone that has happened. */
  stop: number;
  /** The milestone `agoHours` before the registration. Default: `stop`. */
  anchor?: number;
  agoHours?: number;
};

/**
 * Everything that is expected, and what has happened of it. The plan stays after its time, so that a delay can be
 * computed.
 */
export function play(
  milestones: readonly TestMilestone[],
  { stop, anchor = stop, agoHours = sinceLastHours }: Play,
): TestEvent[] {
  const zero = (milestones[anchor]?.hours ?? 0) + agoHours;
  const timed = milestones.map((milestone) => ({ ...milestone, atHours: milestone.hours - zero, container: null }));
  const expected = timed.flatMap((event): TestEvent[] => {
    if (departures.includes(event.code)) return [{ ...event, classifier: 'planned' }];
    return estimated.includes(event.code) ? [{ ...event, classifier: 'estimated' }] : [];
  });
  return [...expected, ...timed.slice(0, stop + 1).map((event): TestEvent => ({ ...event, classifier: 'actual' }))];
}

const departures: readonly EventCode[] = ['departed', 'rail_departed', 'picked_up'];
const estimated: readonly EventCode[] = ['arrived', 'rail_arrived', 'delivered'];

/** Something that happens at the last milestone's place, off the usual way. */
export type Turn = Pick<TestEvent, 'code'> & Partial<Pick<TestEvent, 'piece' | 'statusDetail'>>;

/** The journey up to a milestone, then turns, each half an hour after the one before, all in the past. */
export function until(timeline: TestTimeline, stop: number, turns: readonly Turn[] = []): FoundScene {
  const events = play(timeline.milestones, { stop });
  const place = timeline.milestones[stop];
  if (place === undefined) throw new Error('a test timeline has no such milestone');
  const added = turns.map((turn, index): TestEvent => {
    return {
      ...place,
      ...turn,
      hours: 0,
      atHours: (index + 1) / 2 - sinceLastHours,
      classifier: 'actual',
      container: null,
    };
  });
  return found([...events, ...added]);
}
