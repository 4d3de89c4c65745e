import type { ClockKind } from '../events/stated-free-time.ts';
import type { Journey, ShipmentException } from '../record/shipment.ts';
import type { AssessedClock } from './assess-clock.ts';
import { addDays } from './count-days.ts';
import { dayOfEvent, startOfDay } from './terminal-day.ts';

const words: Record<ClockKind, string> = {
  demurrage: 'demurrage',
  detention: 'detention',
  combined: 'demurrage and detention',
};

/**
 * The exception of a clock. While its last free day is near, and from the day after it on, which stays on record as
 * resolved when the container moves on late. Null: there is none.
 */
export function clockException(
  container: string,
  { clock, basis, zone }: AssessedClock,
  nearDays: number,
): ShipmentException | null {
  const { kind, state, lastFreeDay, startedAt, stoppedAt } = clock;
  if (lastFreeDay === null) return null;
  const isLate = stoppedAt !== null && dayOfEvent(stoppedAt, zone) > lastFreeDay;
  if (state !== 'expiring' && state !== 'over' && !isLate) return null;
  const isNear = state === 'expiring';
  const fromMs = startOfDay(addDays(lastFreeDay, isNear ? -nearDays : 1), zone);
  const openedMs = Math.max(fromMs, startedAt === null ? fromMs : Date.parse(startedAt.at));
  if (stoppedAt !== null && Date.parse(stoppedAt.at) < openedMs) return null;
  return {
    code: isNear ? 'last_free_day_near' : 'last_free_day_passed',
    severity: isNear ? 'warning' : 'critical',
    message: `The last free day for ${words[kind]} ${isNear ? 'is' : 'was'} ${lastFreeDay}`,
    openedAt: new Date(openedMs).toISOString(),
    resolvedAt: stoppedAt?.at ?? null,
    eventId: basis,
    container,
    piece: null,
    clock: kind,
  };
}

/**
 * The exceptions of a journey with those of its clocks. The carrier's bare notice that a last free day has passed gives
 * way to a clock that says so with the day; such notices are kept apart.
 */
export function withClockExceptions(
  { exceptions, freeDayNotices = [] }: Pick<Journey, 'exceptions' | 'freeDayNotices'>,
  found: readonly ShipmentException[],
): { exceptions: ShipmentException[]; notices: ShipmentException[] } {
  const stated = [...exceptions.filter(({ clock }) => clock === undefined), ...freeDayNotices];
  const passed = found.filter(({ code }) => code === 'last_free_day_passed');
  const isRepeated = ({ code, container }: ShipmentException) =>
    code === 'last_free_day_passed' && passed.some((own) => container === null || own.container === container);
  return {
    exceptions: [...stated.filter((exception) => !isRepeated(exception)), ...found],
    notices: stated.filter(isRepeated),
  };
}
