import type { TrackingEvent } from '../events/event.ts';
import { compareText, eventTimeMs } from '../events/event-order.ts';
import { shownSource } from '../events/event-subject.ts';
import type { HoldType } from '../events/stated-free-time.ts';
import { released, statedHoldsOf } from '../record/exceptions.ts';
import type { Hold } from '../record/free-time.ts';
import { compareSeen } from '../record/promised-times.ts';

/** A time in which a hold was active, ms since the epoch. `endMs` is infinite while it is. */
export type HoldPeriod = { startMs: number; endMs: number; endedBy: TrackingEvent | null };

/** The latest statement of each type of hold, sorted by type, and the periods in which a hold was active. */
export function readHolds(happened: readonly TrackingEvent[]): { latest: Hold[]; periods: HoldPeriod[] } {
  const latest = new Map<HoldType, Hold>();
  const active = new Map<HoldType, { startMs: number; isWorded: boolean }>();
  const periods: HoldPeriod[] = [];
  if (!happened.some((event) => statedHoldsOf(event).length > 0)) return { latest: [], periods };
  for (const event of [...happened].sort(compareStatements)) {
    const ended = [...active].filter(([, { isWorded }]) => isOver(event, isWorded));
    const implied = ended.map(([type]) => ({ type, status: 'released' as const, detail: undefined, isWorded: false }));
    for (const { type, status, detail, isWorded = false } of [...implied, ...statedHoldsOf(event)]) {
      const before = latest.get(type);
      const period = active.get(type);
      if (status === 'active' && period === undefined) active.set(type, { startMs: eventTimeMs(event), isWorded });
      if (status !== 'active' && period !== undefined) {
        active.delete(type);
        periods.push({ startMs: period.startMs, endMs: eventTimeMs(event), endedBy: event });
      }
      const isSame = before?.status === status;
      latest.set(type, {
        type,
        status,
        detail: detail ?? (isSame ? before.detail : null),
        source: shownSource(event),
        since: isSame ? before.since : event.time.at,
      });
    }
  }
  for (const { startMs } of active.values()) periods.push({ startMs, endMs: Number.POSITIVE_INFINITY, endedBy: null });
  return { latest: [...latest.values()].sort((left, right) => compareText(left.type, right.type)), periods };
}

function isOver({ code }: TrackingEvent, isWorded: boolean): boolean {
  return released.includes(code) || (isWorded && code === 'available_for_pickup');
}

/** By the time of the event; of one time, what was received later counts. */
export function compareStatements(left: TrackingEvent, right: TrackingEvent): number {
  return eventTimeMs(left) - eventTimeMs(right) || compareSeen(left, right);
}
