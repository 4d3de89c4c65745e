import type { TrackingReason } from '../shipments/shipment.ts';
import type { ReadEvent } from '../tracking/event.ts';

/** The numbers by which a carrier's event says what it is about, as they were written. */
export type NamedNumbers = { bookings: string[]; bills: string[]; containers: string[] };

/** One event of a delivery, not yet read. */
export type PushedItem = { raw: unknown; named: NamedNumbers };

/** An event that was read, or why it cannot be. */
export type ReadOutcome = ReadEvent | { reason: string };

/** What one connector's deliveries mean. */
export type DeliveryReader = {
  /** Where the data comes from, as in a refresh: push and pull of one connector are one family. */
  source: string;
  /** The events of a body; null when it is no list of events. */
  readBody: (body: string) => PushedItem[] | null;
  /** Reads raw events in each other's context, one outcome for each, in order: what a move means depends on the container's other moves. */
  readEvents: (raws: readonly unknown[]) => ReadOutcome[];
};

/** What a carrier says to a request about a subscription. `gone`: it has none with this id. `permanent`: a repeat will not help soon. */
export type CarrierReply<T> =
  | { ok: true; value: T }
  | {
      ok: false;
      gone: boolean;
      permanent: boolean;
      retryAfterMs: number | null;
      reason: TrackingReason;
      detail: string;
    };

/** A subscription as the carrier lists it. */
export type CarrierSubscription = { id: string; callbackUrl: string };

/** The carrier's side of subscriptions, with one credential. Secrets are base64 of the bytes of the HMAC key. Nothing here rejects. */
export type SubscriptionCarrier = {
  create: (wish: { callbackUrl: string; secret: string }) => Promise<CarrierReply<CarrierSubscription>>;
  find: (id: string) => Promise<CarrierReply<CarrierSubscription>>;
  list: () => Promise<CarrierReply<CarrierSubscription[]>>;
  move: (id: string, wish: { callbackUrl: string }) => Promise<CarrierReply<null>>;
  rotate: (id: string, wish: { secret: string }) => Promise<CarrierReply<null>>;
  remove: (id: string) => Promise<CarrierReply<null>>;
};

/** Tracking goes by polling with intervals this much longer while the carrier pushes. */
export const pushCadenceFactor = 6;

/** Bytes of the HMAC of a `Notification-Signature: sha256=<hex>` (DCSA Track & Trace 2.2); null when it is none. */
export function readSignature(header: string | undefined): Uint8Array<ArrayBuffer> | null {
  const hex = /^\s*sha256=([0-9a-f]{64})\s*$/i.exec(header ?? '')?.[1];
  if (hex === undefined) return null;
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}
