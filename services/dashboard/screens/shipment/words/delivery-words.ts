import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { placeName } from '#shared/route-map/stops.ts';
import { capital, wordOf } from '../../../parts/words/code-words.ts';
import { detailWords } from '../../../parts/words/detail-words.ts';
import { momentOn, type TimeWindow, windowWords } from '../../../parts/words/window-words.ts';
import { type CarrierTime, carrierMoment } from '../carrier-time.ts';

/** Statuses after which nothing is delivered any more. */
const undelivered = ['returned', 'failed', 'cancelled'];
/** Details that say that the addressee has to collect it. */
const collectable = ['awaiting_collection_at_locker', 'awaiting_collection_at_pickup_point'];

type Headed = Pick<WireShipment, 'status' | 'delivery' | 'pickup_point' | 'return'>;

export type DeliveryHeadline = {
  title: string;
  words: string;
  /** Null: there is none, or it does not matter any more. */
  time: CarrierTime | null;
  /** When the window begins. */
  from: CarrierTime | null;
  isExpected: boolean;
};

/** The headline of the delivery: when it happened, when it is expected, or until when it can be collected. */
export function deliveryHeadline(shipment: Headed, now: number): DeliveryHeadline {
  const { actual, estimated, planned, window } = shipment.delivery;
  const expected = { title: 'Delivery', from: window?.from ?? null, isExpected: true };
  const settled = { title: 'Delivery', from: null, isExpected: false };
  if (actual !== null) return { ...settled, title: 'Delivered', words: capital(momentOn(actual, now)), time: actual };
  if (isUndelivered(shipment)) return { ...settled, words: 'Not delivered', time: null };
  if (shipment.status === 'available_for_pickup' && shipment.pickup_point !== null) {
    const until = shipment.pickup_point.kept_until;
    const words = until === null ? 'Ready to be collected' : `By ${momentOn(until, now)}`;
    return { ...settled, title: 'Collection', words, time: until };
  }
  const time = estimated ?? planned;
  const words = window === null ? '' : windowWords(window, now);
  if (words !== '') return { ...expected, words: capital(words), time: window?.to ?? window?.from ?? time };
  if (time === null) return { ...settled, words: '', time: null };
  return { ...expected, words: capital(momentOn(time, now)), time };
}

/** True when the shipment can no longer be delivered. */
function isUndelivered({ status, return: back }: Pick<WireShipment, 'status' | 'return'>): boolean {
  return back !== null || undelivered.includes(status);
}

type Promised = Pick<WireShipment, 'status' | 'return' | 'delivery' | 'events'>;

/** One sentence on the first promise: kept or broken. Null without a promise or while it is open. */
export function punctualityWords(shipment: Promised, now: number): string | null {
  const { promised, on_time: kept, actual } = shipment.delivery;
  if (promised === null || (actual === null && isUndelivered(shipment))) return null;
  const promise = `promised for ${promiseWords(promised, shipment.events, now)}`;
  switch (kept) {
    case 'on_time':
      return actual === null ? 'On time.' : 'Delivered on time.';
    case 'early':
      return actual === null ? `Earlier than promised: ${promise}.` : `Delivered early: ${promise}.`;
    case 'late':
      return actual === null ? `Late: ${promise}.` : `Delivered late: ${promise}.`;
    default:
      return null;
  }
}

type Revised = Pick<WireShipment, 'eta_history' | 'events' | 'delivery'>;

/** The expected deliveries that were replaced, oldest first: `Moved twice, from 10 May, then today 10:00–12:00.` */
export function movedWords({ eta_history: history, events, delivery }: Revised, now: number): string | null {
  const said = history.filter(({ kind }) => kind === 'delivery').map(({ eta }) => promiseWords(eta, events, now));
  const current = delivery.window === null ? null : windowWords(delivery.window, now);
  const changes = said.filter((words, index) => words !== (said[index + 1] ?? current ?? words));
  // Of a promise that isn't kept, the sentence about it says so.
  const isSaid = changes.length === 1 && ['early', 'late'].includes(delivery.on_time);
  if (changes.length === 0 || isSaid) return null;
  const times = ['once', 'twice'][changes.length - 1] ?? `${changes.length} times`;
  return `Moved ${times}, from ${changes.join(', then ')}.`;
}

/** A promised or expected time with the window that the carrier gave for it. */
function promiseWords(time: CarrierTime, events: readonly WireEvent[], now: number): string {
  const window = windowOf(time, events);
  return window === null ? momentOn(time, now) : windowWords(window, now);
}

/** The window of an expected delivery at a time; also of one that was replaced. */
function windowOf(time: CarrierTime, events: readonly WireEvent[]): TimeWindow | null {
  const expected = events.find(
    ({ code, classifier, time: at, details }) =>
      code === 'delivered' && classifier !== 'actual' && at.at === time.at && details?.window != null,
  );
  return expected?.details?.window ?? null;
}

export type Attempt = { eventId: string; time: CarrierTime; reason: string | null };

/** The failed attempts among the events, newest first, with their reasons. Those of several pieces at once are one. */
export function attemptsOf(events: readonly WireEvent[]): Attempt[] {
  const attempts = new Map<string, Attempt>();
  for (const { code, classifier, flags, event_id: eventId, time, details, description } of events) {
    if (code !== 'delivery_attempted' || classifier !== 'actual' || flags.length > 0) continue;
    const detail = details?.status_detail ?? null;
    const reason = detail === null ? description : detailWords(detail);
    if ((attempts.get(time.at)?.reason ?? null) === null) attempts.set(time.at, { eventId, time, reason });
  }
  return [...attempts.values()].toSorted((left, right) => Date.parse(right.time.at) - Date.parse(left.time.at));
}

type Detailed = Pick<WireShipment, 'status_detail' | 'pickup_point'>;

/** The status detail as a sentence: `In a locker, to be collected by 12 May.` Null: there is none. */
export function detailSentence({ status_detail: detail, pickup_point: point }: Detailed, now: number): string | null {
  if (detail === null) return null;
  const until = point?.kept_until ?? null;
  const by = until === null || !collectable.includes(detail) ? '' : ` by ${momentOn(until, now)}`;
  return `${detailWords(detail)}${by}.`;
}

type Returned = Pick<WireShipment, 'return' | 'pieces'>;

/** The way back as a sentence, with the number of pieces where only some go back. */
export function returnWords({ return: back, pieces }: Returned, now: number): string | null {
  if (back === null) return null;
  const count = pieces.filter(({ status }) => status === 'returned').length;
  const some = count === 0 || count === pieces.length ? null : `${count} of ${pieces.length} pieces`;
  const to = back.to === null ? 'the shipper' : placeName(back.to);
  if (back.completed_at !== null) {
    const verb = some === null ? 'Returned' : `${some} ${count === 1 ? 'was' : 'were'} returned`;
    return `${verb} to ${to} on ${carrierMoment(back.completed_at, now)}.`;
  }
  const since = back.started_at === null ? '' : ` since ${carrierMoment(back.started_at, now)}`;
  const verb = some === null ? 'On its way' : `${some} ${count === 1 ? 'is' : 'are'} on the way`;
  return `${verb} back to ${to}${since}.`;
}

const pointKinds: Record<string, string> = {
  locker: 'Parcel locker',
  shop: 'Parcel shop',
  post_office: 'Post office',
  depot: 'Depot of the carrier',
  other: 'Pickup point',
};

export function pointKindWords(kind: string): string {
  return pointKinds[kind] ?? wordOf(kind);
}
