import { shownSource } from '../journey/event-subject.ts';
import type { TrackingEvent } from '../tracking/event.ts';
import { compareText } from '../tracking/event-order.ts';
import { compareSeen } from '../tracking/promised-times.ts';
import type { Fee, FreeTimeFacts } from './free-time.ts';
import { isBelievableDay } from './stated.ts';

type FreeDay = NonNullable<FreeTimeFacts['freeDays']>[number];

/** The latest statement of each fee, sorted by type and currency. */
export function readFees(live: readonly TrackingEvent[]): Fee[] {
  const latest = new Map<string, Fee>();
  for (const event of inOrder(live, 'fees')) {
    for (const fee of event.details?.fees ?? [])
      latest.set(`${fee.type} ${fee.currency}`, { ...fee, source: shownSource(event) });
  }
  return sortedByKey(latest);
}

/** The latest last free day by authority and kind. */
export function readFreeDays(live: readonly TrackingEvent[]): FreeDay[] {
  const latest = new Map<string, FreeDay>();
  for (const event of inOrder(live, 'freeDays')) {
    for (const { by, kind, day } of event.details?.freeDays ?? [])
      if (isBelievableDay(day)) latest.set(`${by} ${kind}`, { by, kind, day, eventId: event.id });
  }
  return sortedByKey(latest);
}

function inOrder(live: readonly TrackingEvent[], name: 'fees' | 'freeDays'): TrackingEvent[] {
  return live.filter(({ details }) => details?.[name] !== undefined).sort(compareSeen);
}

function sortedByKey<Value>(values: ReadonlyMap<string, Value>): Value[] {
  return [...values].sort(([left], [right]) => compareText(left, right)).map(([, value]) => value);
}
