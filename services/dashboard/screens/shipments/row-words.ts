import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { clockWords, dayIn, dayWords, relativeWords, spanWords } from '../../parts/time-words.ts';
import { capital, wordOf } from '../../parts/words/code-words.ts';
import { detailWords } from '../../parts/words/detail-words.ts';
import { costWords, stateWord } from '../../parts/words/free-time-words.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { windowWords } from '../../parts/words/window-words.ts';
import { eventName } from '../shipment/timeline/event-words.ts';
import { reasonText } from '../shipment/words/refresh-words.ts';
import type { RowPlace, RowTime, ShipmentRow } from './shipment-row.ts';

export function carrierName(code: string): string {
  return findCarrier(code)?.name ?? code;
}

/**
 * The progress of the journey, 0 to 1; null while nothing is known. Based on time, since carriers report no distance.
 * It never reaches either end while the shipment is in transit.
 */
export function progressOf(row: Pick<ShipmentRow, 'status' | 'departure' | 'arrival'>, now: number): number | null {
  switch (row.status) {
    case 'pending':
    case 'cancelled':
      return null;
    case 'booked':
      return 0;
    case 'out_for_delivery':
      return 0.96;
    case 'arrived':
    case 'available_for_pickup':
    case 'delivered':
      return 1;
    default:
      return shareOfTime(row, now);
  }
}

const [minShare, maxShare, unknownShare] = [0.06, 0.94, 0.5];

function shareOfTime({ departure, arrival }: Pick<ShipmentRow, 'departure' | 'arrival'>, now: number): number {
  if (departure === null || arrival === null) return unknownShare;
  const [from, to] = [Date.parse(departure.at), Date.parse(arrival.at)];
  if (!(to > from)) return unknownShare;
  return Math.min(maxShare, Math.max(minShare, (now - from) / (to - from)));
}

/** `in 4 d`, `today`, `3 d ago`. Dates without a clock time are compared by day. */
export function arrivalWords(arrival: RowTime, now: number): string {
  if (arrival.precision !== 'date') return relativeWords(arrival.at, now);
  const days = daysBetween(dayIn(now), (arrival.local ?? arrival.at).slice(0, 10));
  if (days === 0) return 'today';
  if (days === 1) return 'tomorrow';
  if (days === -1) return 'yesterday';
  return days > 0 ? `in ${days} d` : `${-days} d ago`;
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / (24 * 3_600_000));
}

/** The age in a narrow column: `now`, `12 min`, `9 h`, `4 d`. */
export function ageText(at: string | null, now: number): string {
  if (at === null) return '–';
  const age = spanWords(Math.max(0, now - Date.parse(at)));
  return age === '0 min' ? 'now' : age;
}

export function placeWords(place: RowPlace | null): string {
  return place?.code ?? place?.name ?? place?.country ?? '';
}

/** The full place, as a tooltip of its code. */
export function placeTitle(place: RowPlace | null): string | undefined {
  if (place === null) return undefined;
  return [place.name, place.code, place.country].filter((part) => part !== null && part !== '').join(', ') || undefined;
}

/** `MAERSK ESSEN 247W`, `LH8401`; empty if nothing is known. */
export function vehicleWords(vehicle: ShipmentRow['vehicle']): string {
  if (vehicle == null) return '';
  return [vehicle.name, vehicle.voyage, vehicle.flight].filter((part) => part !== null && part !== '').join(' ');
}

/** `buyer: acme · season: SS27`. */
export function metadataWords(metadata: ShipmentRow['metadata']): string {
  return Object.entries(metadata ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
}

/** Statuses with which no delivery is expected: it happened, failed, or the addressee collects the cargo. */
const notDelivering = ['available_for_pickup', 'delivered', 'returned', 'failed', 'cancelled'];

/**
 * The window of an expected delivery, and why the cargo is where it is or how it was handed over: `Today 14:00–16:00`,
 * `Handed to a neighbour`. Null: neither is known.
 */
export function deliveryText({ status, window, detail }: ShipmentRow, now: number): string | null {
  const parts = [
    window === null || notDelivering.includes(status) ? '' : windowWords(window, now),
    detail === null ? '' : detailWords(detail),
  ];
  return capital(parts.filter((part) => part !== '').join(' · ')) || null;
}

/** The most important fact in the one line that a phone has for it: the delivery, unless tracking has a problem. */
export function cardText(row: ShipmentRow, now: number): LastEventText {
  const last = lastEventText(row, now);
  const text = row.state === 'active' || row.state === 'completed' ? deliveryText(row, now) : null;
  return text === null ? last : { ...last, text };
}

/** The most urgent state, and how many containers can't be assessed: `Over, 2 unknown`. Null: no clock counts. */
export function clockText(freeTime: ShipmentRow['freeTime']): string | null {
  if (freeTime === null) return null;
  const { state, unknown } = freeTime;
  if (state === 'unknown_terms') return unknown > 1 ? `Unknown, ${unknown} containers` : stateWord(state);
  return unknown === 0 ? stateWord(state) : `${stateWord(state)}, ${unknown} unknown`;
}

/** `MSKU1234565 +3`, and all that are known as a tooltip. */
export function containersText(freeTime: ShipmentRow['freeTime']): { text: string; title: string } {
  const numbers = freeTime?.containers.map(({ number }) => number) ?? [];
  const [first = '–'] = numbers;
  const rest = numbers.length - 1 + (freeTime?.more ?? 0);
  const title = [...numbers, ...((freeTime?.more ?? 0) > 0 ? [`${freeTime?.more} more`] : [])].join(', ');
  return { text: rest > 0 ? `${first} +${rest}` : first, title };
}

/** The free time in one line, beside the last free day: `Over · at least USD 360 · MSKU1234565 +3`. */
export function freeTimeText({ freeTime }: Pick<ShipmentRow, 'freeTime'>): string | null {
  const state = clockText(freeTime);
  if (freeTime === null || state === null) return null;
  return [state, costWords(freeTime.costs), containersText(freeTime).text].filter((part) => part !== null).join(' · ');
}

/** One sentence on the number of shipments that can't be assessed. `isShown`: the list shows exactly these. */
export function assessedWords(unknown: number, isShown: boolean): string {
  if (unknown === 0) return 'Every running clock can be assessed.';
  const shipments = unknown === 1 ? '1 shipment' : `${unknown.toLocaleString(numberLocale())} shipments`;
  return isShown
    ? `${shipments} can’t be assessed: a clock runs, and neither your terms nor the carrier state the last free day.`
    : `${shipments} can’t be assessed and ${unknown === 1 ? 'is' : 'are'} not in this list: ` +
        `${unknown === 1 ? 'its last free day is' : 'their last free days are'} unknown.`;
}

export type LastEventText = { text: string; severity: 'warning' | 'critical' | null };

/** Most severe first. */
const severities: readonly string[] = ['critical', 'warning', 'info'];
/** The description of the last event says more than this code, unless it is critical: a loss. */
const unspecific = 'other';
const lossCodes: readonly string[] = ['lost', 'destroyed', 'undeliverable'];

/** The most important fact about a shipment: tracking has failed, an exception is open, else the last event. */
export function lastEventText(row: ShipmentRow, now: number): LastEventText {
  const carrier = carrierName(row.carrier);
  if (row.state === 'failed')
    return {
      text: row.reason === null ? 'Tracking failed' : `Tracking failed: ${reasonText(row.reason)}`,
      severity: 'critical',
    };
  if (row.state === 'degraded') return { text: degradedText(row, now), severity: 'warning' };
  const access = row.state === 'awaiting_carrier' ? unreachable[row.reason ?? ''] : undefined;
  if (access !== undefined) return { text: access, severity: 'critical' };
  if (row.event === null) {
    if (row.reason === 'awaiting_events') return { text: 'No event pushed yet', severity: null };
    if (row.state !== 'awaiting_carrier') return { text: `Polling ${carrier}`, severity: null };
    const isUnknown = row.reason === null || row.reason === 'carrier_not_found_yet';
    return {
      text: isUnknown ? `No record at ${carrier} yet` : `Waiting: ${reasonText(row.reason ?? '')}`,
      severity: row.needsAttention ? 'warning' : null,
    };
  }
  const isPartial = row.event.isPartial && row.event.code !== 'delivery_attempted';
  const what = `${eventWords(row.event)}${isPartial ? ' in part' : ''}`;
  const happened = [what, row.event.place].filter((part) => part !== null).join(', ');
  if (!row.hasException) return { text: happened, severity: null };
  const [worst] = (row.exceptions ?? []).toSorted(
    (left, right) => severities.indexOf(left.severity) - severities.indexOf(right.severity),
  );
  const severity = worst?.severity === 'critical' ? 'critical' : 'warning';
  if (worst === undefined) return { text: `Exception · ${happened}`, severity };
  const isLoss = worst.code === unspecific && severity === 'critical' && !lossCodes.includes(row.event.code);
  if (worst.code === unspecific && !isLoss) return { text: happened, severity };
  const problem = isLoss ? 'Lost or undeliverable' : wordOf(worst.code);
  // The last event is the exception itself.
  if (wordOf(row.event.code) === problem || (eventOfException[worst.code] ?? worst.code) === row.event.code) {
    return { text: [problem, row.event.place].filter((part) => part !== null).join(', '), severity };
  }
  return { text: `${problem} · ${happened}`, severity };
}

/** Exceptions that are reported by an event with another code. */
const eventOfException: Record<string, string> = {
  delivery_attempt_failed: 'delivery_attempted',
  terminal_hold: 'not_available',
  last_free_day_passed: 'exception',
};

const unreachable: Record<string, string> = {
  carrier_auth_failed: 'Credentials rejected',
  credentials_missing: 'Credentials missing',
};

function degradedText({ seenAt, reason }: ShipmentRow, now: number): string {
  const why = unreachable[reason ?? ''] ?? 'No response';
  if (seenAt === null) return why;
  const isToday = dayIn(Date.parse(seenAt)) === dayIn(now);
  return `${why} since ${isToday ? clockWords(seenAt) : dayWords(seenAt, null, now)}`;
}

function eventWords({ code, description }: NonNullable<ShipmentRow['event']>): string {
  return (code === 'exception' || code === 'other') && description !== null ? description : eventName(code);
}
