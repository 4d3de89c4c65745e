import type { CarrierTime } from '../events/event.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import { instantOf } from '../instant-of.ts';
import type { Journey, PromisedTimes, Status } from './shipment.ts';

/** A shipment is late from this many hours on, by its delay or since its ETA. Parcels are late past their promise. */
export const lateHours = 24;

/** Input of lateness. */
export type TimedJourney = Pick<Journey, 'status' | 'eta' | 'arrival' | 'delayHours'> & { delivery: PromisedTimes };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const beforeArrival: readonly Status[] = ['pending', 'booked', 'in_transit'];
const beforeDelivery: readonly Status[] = [...beforeArrival, 'arrived', 'out_for_delivery'];

/**
 * The one definition of late: 24 hours after the first promise, or 24 hours past an ETA that nobody has confirmed. A
 * parcel is late once it is expected, or still unconfirmed, past the end of the promised window, otherwise past the
 * promised day.
 */
export function isLate(journey: TimedJourney, mode: TransportMode, overdueHours: number | null): boolean {
  return isDelayed(timesOf(journey), mode) || (overdueHours !== null && overdueHours >= overdueAllowance(mode));
}

/** True when the delay alone makes it late. */
export function isDelayed(times: PromisedTimes, mode: TransportMode): boolean {
  const { promised, delayHours } = times;
  const expected = times.actual ?? times.estimated ?? times.planned;
  if (promised === null || expected === null) return false;
  if (isIncomparable(promised, expected)) {
    const allowedMs = mode === 'parcel' ? 0 : lateHours * hourMs;
    return earliestMs(expected) - latestMs(promised) > allowedMs;
  }
  if (delayHours === null) return false;
  if (mode !== 'parcel') return delayHours >= lateHours;
  const isByDay = promised.precision === 'date' || expected.precision === 'date';
  return isByDay ? delayHours >= lateHours : Date.parse(expected.at) > Date.parse(promised.at);
}

/**
 * When the shipment becomes or became overdue (ISO UTC): its ETA, or the end of that day if the ETA is only a date.
 * Null: nothing is expected, or it has arrived or ended.
 */
export function overdueFrom(journey: TimedJourney): string | null {
  const { eta, status } = journey;
  if (eta === null) return null;
  const isOpen =
    eta.kind === 'arrival'
      ? journey.arrival.actual === null && journey.delivery.actual === null && beforeArrival.includes(status)
      : journey.delivery.actual === null && beforeDelivery.includes(status);
  return isOpen ? new Date(endMsOf(eta.time)).toISOString() : null;
}

/** Full hours since the shipment became overdue. Null: it is not. */
export function overdueHoursAt(journey: TimedJourney, nowMs: number): number | null {
  const from = overdueFrom(journey);
  const pastMs = from === null ? -1 : nowMs - Date.parse(from);
  return pastMs < 0 ? null : Math.floor(pastMs / hourMs);
}

/**
 * From when on the shipment is late if nothing changes: `-infinity` (as in Postgres) when its delay makes it late
 * already, otherwise ISO UTC. Null: never.
 */
export function lateFrom(journey: TimedJourney, mode: TransportMode): string | null {
  if (isDelayed(timesOf(journey), mode)) return '-infinity';
  const from = overdueFrom(journey);
  return from === null ? null : new Date(Date.parse(from) + overdueAllowance(mode) * hourMs).toISOString();
}

/** The times that the ETA and the delay of the shipment are about. */
export function timesOf({ eta, arrival, delivery }: Pick<TimedJourney, 'eta' | 'arrival' | 'delivery'>): PromisedTimes {
  return eta?.kind === 'delivery' ? delivery : arrival;
}

/** Hours that a shipment may be overdue before it is late. */
function overdueAllowance(mode: TransportMode): number {
  return mode === 'parcel' ? 0 : lateHours;
}

type Timed = Pick<CarrierTime, 'at' | 'local' | 'timezone'> & { precision: string; zoneSource?: string };

/** Hours between UTC and the first and the last zone: a clock of an unknown zone means an instant in between. */
const firstZoneHours = 14;
const lastZoneHours = 12;

/** True when the time is a clock in an unknown zone, whose instant assumes UTC. */
function isZoneUnknown({ zoneSource, timezone, precision }: Timed): boolean {
  return zoneSource === 'assumed_utc' && timezone === null && precision !== 'date';
}

/** True when the zone of one of two times is unknown: their difference is not known to the hour. */
export function isIncomparable(left: Timed, right: Timed): boolean {
  const isByDay = left.precision === 'date' || right.precision === 'date';
  return !isByDay && isZoneUnknown(left) !== isZoneUnknown(right);
}

function earliestMs(time: Timed): number {
  return Date.parse(time.at) - (isZoneUnknown(time) ? firstZoneHours * hourMs : 0);
}

function latestMs(time: Timed): number {
  return Date.parse(time.at) + (isZoneUnknown(time) ? lastZoneHours * hourMs : 0);
}

/**
 * The instant itself, or the end of the local day. Without a time zone, the day ends with its last zone (UTC−12), and a
 * time of day is then too.
 */
export function endMsOf(time: Timed): number {
  const { local, timezone, precision } = time;
  if (precision !== 'date') return latestMs(time);
  const midnightMs = Date.parse(`${local.slice(0, 10)}T00:00:00Z`) + dayMs;
  if (timezone === null) return midnightMs + lastZoneHours * hourMs;
  return instantOf(midnightMs, timezone) ?? midnightMs + lastZoneHours * hourMs;
}
