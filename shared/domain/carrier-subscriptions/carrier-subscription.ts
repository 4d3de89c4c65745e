import type { ReadEvent } from '../events/event.ts';
import type { TrackingReason } from '../record/shipment.ts';

/** The numbers by which a carrier's event identifies the cargo, as written. */
export type NamedNumbers = { bookings: string[]; bills: string[]; containers: string[] };

/** One event of a delivery, not parsed yet. */
export type PushedItem = { raw: unknown; named: NamedNumbers };

/** A parsed event, or why it can't be parsed. */
export type ReadOutcome = ReadEvent | { reason: string };

/** Reader of one connector's deliveries. */
export type DeliveryReader = {
  /** The data source, as in a refresh: push and pull of a connector are one family. */
  source: string;
  /** The events of a body. Null: it isn't a list of events. */
  readBody: (body: string) => PushedItem[] | null;
  /**
   * Parses raw events in each other's context: what a move means depends on the container's other moves. Returns one
   * outcome per event, in order.
   */
  readEvents: (raws: readonly unknown[]) => ReadOutcome[];
};

/**
 * A carrier's response to a subscription request. `gone`: it has none with this id. `permanent`: a retry won't help
 * soon.
 */
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

/**
 * The carrier's subscription API with one credential. Secrets are the base64 of the HMAC key's bytes. Never rejects.
 */
export type SubscriptionCarrier = {
  create: (wish: { callbackUrl: string; secret: string }) => Promise<CarrierReply<CarrierSubscription>>;
  find: (id: string) => Promise<CarrierReply<CarrierSubscription>>;
  list: () => Promise<CarrierReply<CarrierSubscription[]>>;
  move: (id: string, wish: { callbackUrl: string }) => Promise<CarrierReply<null>>;
  rotate: (id: string, wish: { secret: string }) => Promise<CarrierReply<null>>;
  remove: (id: string) => Promise<CarrierReply<null>>;
};

/** Polling continues at intervals this many times as long while the carrier pushes. */
export const pushCadenceFactor = 6;

/** The HMAC bytes of a `Notification-Signature: sha256=<hex>` (DCSA Track & Trace 2.2). Null: it isn't one. */
export function readSignature(header: string | undefined): Uint8Array<ArrayBuffer> | null {
  const hex = /^\s*sha256=([0-9a-f]{64})\s*$/i.exec(header ?? '')?.[1];
  if (hex === undefined) return null;
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
}
