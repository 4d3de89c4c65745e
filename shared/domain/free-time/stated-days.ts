import type { Place, TrackingEvent } from '../events/event.ts';
import { compareText, isLater } from '../events/event-order.ts';
import { shownSource } from '../events/event-subject.ts';
import { placeKey } from '../events/place-key.ts';
import { isBelievableDay } from '../events/stated-free-time.ts';
import type { Fee, StatedDay } from '../record/free-time.ts';
import { compareSeen } from '../record/promised-times.ts';

/** Place and time at which the container reached its second terminal, and its port of discharge. */
export type SecondTerminal = { port: Place | null; ramp: Place | null; reached: Pick<TrackingEvent, 'time'> };

/** The latest statement of each fee, sorted by type and currency. */
export function readFees(live: readonly TrackingEvent[]): Fee[] {
  const latest = new Map<string, Fee>();
  for (const event of inOrder(live, 'fees')) {
    for (const fee of event.details?.fees ?? [])
      latest.set(`${fee.type} ${fee.currency}`, { ...fee, source: shownSource(event) });
  }
  return sortedByKey(latest);
}

/** The latest last free day by terminal, authority and kind. `second`: null at the first terminal. */
export function readFreeDays(live: readonly TrackingEvent[], second: SecondTerminal | null): StatedDay[] {
  const latest = new Map<string, StatedDay>();
  for (const event of inOrder(live, 'freeDays')) {
    const ofPort = second !== null && isOfPort(event, second);
    for (const { by, kind, day } of event.details?.freeDays ?? [])
      if (isBelievableDay(day))
        latest.set(`${by} ${kind} ${ofPort}`, { by, kind, day, eventId: event.id, ...(ofPort && { ofPort }) });
  }
  return sortedByKey(latest);
}

/** By its place; at another place or none, by whether it was stated before the container reached the ramp. */
function isOfPort(event: TrackingEvent, { port, ramp, reached }: SecondTerminal): boolean {
  const [place, portKey, rampKey] = [placeKey(event.location), placeKey(port), placeKey(ramp)];
  if (place !== null && portKey !== rampKey) {
    if (place === portKey) return true;
    if (place === rampKey) return false;
  }
  return isLater(reached, event);
}

function inOrder(live: readonly TrackingEvent[], name: 'fees' | 'freeDays'): TrackingEvent[] {
  return live.filter(({ details }) => details?.[name] !== undefined).sort(compareSeen);
}

function sortedByKey<Value>(values: ReadonlyMap<string, Value>): Value[] {
  return [...values].sort(([left], [right]) => compareText(left, right)).map(([, value]) => value);
}
