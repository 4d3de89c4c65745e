import { LRUCache } from 'lru-cache';
import { toChangeId } from '#shared/contract/feed/change-wire.ts';
import { needsRecord, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import {
  type FeedOwner,
  readChangedRecord,
  readChangesAfter,
  readChangesAt,
} from '#shared/core/webhooks/read-changes.ts';
import { type Change, changedShipmentOf } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import type { DeliveryOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { Payload } from '#shared/domain/webhooks/endpoint.ts';

/** A change with what endpoints share: each body and the record are made once. */
export type PreparedChange = {
  change: Change;
  /** The `webhook-id`. */
  id: string;
  /** What its deliveries are stored with. */
  place: Pick<DeliveryOutcome, 'position' | 'changeId' | 'shipmentId' | 'type'>;
  /** Null: the shipment was removed. */
  record: () => Promise<Shipment | null>;
  /** Null: the shipment was removed and the body needs its record. */
  bodyOf: (payload: Payload) => string | Promise<string | null>;
};

/** A part of a feed: all changes up to `upTo`. */
export type PreparedPage = { changes: readonly PreparedChange[]; upTo: number };

export type PreparedFeeds = {
  /** Endpoints of a mode that are at the same position share the page. */
  after: (owner: FeedOwner, position: number) => Promise<PreparedPage>;
  /** By their position. */
  at: (owner: FeedOwner, positions: readonly number[]) => Promise<Map<number, PreparedChange>>;
};

const pageSize = 100;
/** About 50 MB at most, without records. */
const maxPages = 64;
/** Of records and the bodies that contain them, about. Those of all pages would be more than a gigabyte. */
const maxRecordBytes = 64 * 1024 * 1024;
/** Removed shipments must not be delivered from memory for long. */
const keptMs = 30_000;

/** Ends what is remembered of the records used least recently. */
type KeptRecords = { keep: (record: Shipment | null, forget: () => void) => void };

function openKeptRecords(maxSize: number): KeptRecords {
  const kept = new LRUCache<() => void, true>({ maxSize, dispose: (_value, forget) => forget() });
  return {
    keep: (record, forget) => void kept.set(forget, true, { size: Math.min(maxSize, bytesOf(record)) }),
  };
}

/** About, with the body: a part takes some kilobytes as an object and as text. */
function bytesOf(record: Shipment | null): number {
  if (record === null) return 1024;
  const { events, containers, legs, etaHistory } = record.journey;
  return 8192 + 4096 * (events.length + containers.length + legs.length + etaHistory.length);
}

/** Reads each page of a feed once for all endpoints that follow it. */
export function openPreparedFeeds(core: CoreContext, limits = { maxRecordBytes }): PreparedFeeds {
  const records = openKeptRecords(limits.maxRecordBytes);
  const pages = new LRUCache<string, Promise<PreparedPage>>({ max: maxPages, ttl: keptMs });
  const read = async (key: string, owner: FeedOwner, position: number): Promise<PreparedPage> => {
    try {
      const { changes, upTo } = await readChangesAfter(core, owner, { after: position, limit: pageSize });
      // The end of the feed is another one as soon as there is another change.
      if (upTo === position) pages.delete(key);
      return { changes: changes.map((change) => prepare(core, records, { owner, change })), upTo };
    } catch (error) {
      pages.delete(key);
      throw error;
    }
  };
  return {
    after: (owner, position) => {
      const key = `${owner.accountId} ${owner.test} ${position}`;
      const known = pages.get(key);
      if (known !== undefined) return known;
      const page = read(key, owner, position);
      pages.set(key, page);
      return page;
    },
    at: async (owner, positions) => {
      const changes = await readChangesAt(core, owner, positions);
      return new Map(changes.map((change) => [change.position, prepare(core, records, { owner, change })]));
    },
  };
}

function prepare(
  core: CoreContext,
  records: KeptRecords,
  { owner, change }: { owner: FeedOwner; change: Change },
): PreparedChange {
  let record: Promise<Shipment | null> | undefined;
  const bodies: Partial<Record<Payload, string | Promise<string | null>>> = {};
  const forget = (): void => {
    record = undefined;
    delete bodies.full;
  };
  const recordOf = (): Promise<Shipment | null> => {
    if (change.type === 'webhook.disabled') return Promise.resolve(null);
    if (record === undefined) {
      record = readChangedRecord(core, owner, change);
      // A failure is forgotten at once, so that the next try reads again.
      record.then((found) => records.keep(found, forget), forget);
    }
    return record;
  };
  const compose = (payload: Payload): string | Promise<string | null> =>
    needsRecord(change, payload)
      ? recordOf().then((found) => found && toWebhookBody(change, payload, found))
      : toWebhookBody(change, payload, null);
  return {
    change,
    id: toChangeId(change.id),
    place: {
      position: change.position,
      changeId: change.id,
      shipmentId: changedShipmentOf(change)?.id ?? null,
      type: change.type,
    },
    record: recordOf,
    bodyOf: (payload) => {
      bodies[payload] ??= compose(payload);
      return bodies[payload];
    },
  };
}
