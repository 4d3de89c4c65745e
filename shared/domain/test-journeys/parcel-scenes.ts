import { type FoundScene, type Turn, until } from './play-milestones.ts';
import type { TestTimeline } from './test-timelines.ts';

/** Delivered, with everything that proves it. */
export function provenDelivery(timeline: TestTimeline): FoundScene {
  const { delivered } = timeline.stops;
  const scene = until(timeline, delivered);
  const events = scene.events.map((event) =>
    event.code === 'delivered' && event.classifier === 'actual'
      ? { ...event, statusDetail: 'left_with_reception' as const }
      : event,
  );
  return { ...scene, events, states: ['product', 'recipient', 'proof'] };
}

/** Hours by which the window of the delivery ends later than first promised, and when the carrier said so. */
const windows = [
  { laterHours: 0, revisedHours: null },
  { laterHours: 3, revisedHours: -1.5 },
  { laterHours: 2.5, revisedHours: -1 },
] as const;
const windowHours = 2;

/** Out for delivery within two hours, which move with each advance: to the afternoon, then back by half an hour. */
export function movingWindow(timeline: TestTimeline): FoundScene[] {
  const scene = until(timeline, timeline.stops.outForDelivery);
  const isPromise = (event: FoundScene['events'][number]) =>
    event.code === 'delivered' && event.classifier === 'estimated';
  const others = scene.events.filter((event) => !isPromise(event));
  const promised = scene.events.filter(isPromise);
  return windows.map((_, last): FoundScene => {
    const moved = windows
      .slice(0, last + 1)
      .flatMap(({ laterHours, revisedHours }) =>
        promised.map((event) => ({ ...event, atHours: event.atHours + laterHours, revisedHours, windowHours })),
      );
    return { ...scene, events: [...others, ...moved], states: ['product'] };
  });
}

/** Three pieces on one vehicle: the first is lost, the second goes to a locker, the third is refused. */
export function severalPieces(timeline: TestTimeline): FoundScene[] {
  return stepwise(timeline, [
    { code: 'lost', piece: 0, statusDetail: 'lost' },
    { code: 'available_for_pickup', piece: 1, statusDetail: 'awaiting_collection_at_locker' },
    { code: 'delivery_attempted', piece: 2, statusDetail: 'refused' },
  ]).map((scene, step) => ({
    ...scene,
    containers: 0,
    pieces: 3,
    states: step < 2 ? ['product'] : ['product', 'locker_reached'],
  }));
}

/** On its way to a locker, waits there, is collected. */
export function collectedAtLocker(timeline: TestTimeline): FoundScene[] {
  return stepwise(timeline, [
    { code: 'available_for_pickup', statusDetail: 'awaiting_collection_at_locker' },
    { code: 'delivered', statusDetail: 'delivered_to_locker' },
  ]).map((scene, step) => ({ ...scene, states: ['product', step === 0 ? 'locker_ahead' : 'locker_reached'] }));
}

/** Refused at the door, on its way back, back at the sender. */
export function refusedAndReturned(timeline: TestTimeline): FoundScene[] {
  const [, ...scenes] = stepwise(timeline, [
    { code: 'delivery_attempted', statusDetail: 'refused' },
    { code: 'return_started', statusDetail: 'returned_refused' },
    { code: 'returned', statusDetail: 'returned_refused' },
  ]);
  return scenes.map((scene, step) => ({ ...scene, states: step === 0 ? ['product'] : ['product', 'return'] }));
}

/** The journey to the door, then one turn more with each step. */
function stepwise(timeline: TestTimeline, turns: readonly Turn[]): FoundScene[] {
  const counts = Array.from({ length: turns.length + 1 }, (_, count) => count);
  return counts.map((count) => until(timeline, timeline.stops.outForDelivery, turns.slice(0, count)));
}
