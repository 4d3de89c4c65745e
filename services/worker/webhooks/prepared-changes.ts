import { LRUCache } from 'lru-cache';
import { toChangeId } from '#shared/contract/feed/change-wire.ts';
import { needsRecord, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import {
  type FeedOwner,
  readChangedRecord,
  readChangesAfter,
  readChangesAt,
  type UnreadableChange,
} from '#shared/core/webhooks/read-changes.ts';
import { type Change, changedShipmentOf } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import type { DeliveryOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { Payload } from '#shared/domain/webhooks/endpoint.ts';

/** A change with what endpoints share: each body and the record are made once. */
export type PreparedChange = {
  change: Change | UnreadableChange;
  /** The `webhook-id`. */
  id: string;
  /** Columns of its stored deliveries. */
  place: Pick<DeliveryOutcome, 'sequence' | 'changeId' | 'shipmentId' | 'type'>;
  /** Null: the shipment was removed. */
  record: () => Promise<Shipment | null>;
  /** Null: the shipment was removed and the body needs its record. */
  bodyOf: (payload: Payload) => string | Promise<string | null>;
};

/** A part of a feed: all changes up to `upTo`. `isLast`: there were no more when it was read. */
export type PreparedPage = { changes: readonly PreparedChange[]; upTo: number; isLast: boolean };

export type PreparedFeeds = {
  /** Endpoints of a mode share the page, also those that come to it at a sequence within it. */
  after: (owner: FeedOwner, sequence: number) => Promise<PreparedPage>;
  /** By their sequence. */
  at: (owner: FeedOwner, sequences: readonly number[]) => Promise<Map<number, PreparedChange>>;
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
  /** The pages of a feed that are at hand, by the sequence they begin after. */
  const feeds = new Map<string, Map<number, KeptPage>>();
  const pages = new LRUCache<string, KeptPage>({
    max: maxPages,
    ttl: keptMs,
    dispose: ({ feed, begin }) => {
      const ofFeed = feeds.get(feed);
      ofFeed?.delete(begin);
      if (ofFeed?.size === 0) feeds.delete(feed);
    },
  });
  const keyOf = (feed: string, begin: number): string => `${feed} ${begin}`;
  const findPage = (feed: string, sequence: number): KeptPage | undefined => {
    const exact = pages.get(keyOf(feed, sequence));
    if (exact !== undefined) return exact;
    for (const { begin, upTo } of feeds.get(feed)?.values() ?? [])
      if (begin < sequence && upTo !== null && sequence < upTo) return pages.get(keyOf(feed, begin));
    return undefined;
  };
  const read = async (owner: FeedOwner, kept: Omit<KeptPage, 'page'>): Promise<PreparedPage> => {
    const { feed, begin } = kept;
    try {
      const page = await readChangesAfter(core, owner, { after: begin, limit: pageSize });
      const { upTo, isLast } = page;
      // The end of the feed is another one as soon as there is another change.
      if (upTo === begin) pages.delete(keyOf(feed, begin));
      kept.upTo = upTo;
      const changes = [
        ...page.changes.map((change) => prepare(core, records, { owner, change })),
        ...page.unreadable.map(prepareUnreadable),
      ];
      if (page.unreadable.length > 0) changes.sort((left, right) => left.change.sequence - right.change.sequence);
      return { changes, upTo, isLast };
    } catch (error) {
      pages.delete(keyOf(feed, begin));
      throw error;
    }
  };
  return {
    after: async (owner, sequence) => {
      const feed = `${owner.accountId} ${owner.test}`;
      const known = findPage(feed, sequence);
      if (known !== undefined) return restOf(await known.page, sequence);
      const reading: Omit<KeptPage, 'page'> = { feed, begin: sequence, upTo: null };
      const kept = Object.assign(reading, { page: read(owner, reading) });
      pages.set(keyOf(feed, sequence), kept);
      const ofFeed = feeds.get(feed) ?? new Map<number, KeptPage>();
      feeds.set(feed, ofFeed.set(sequence, kept));
      return kept.page;
    },
    at: async (owner, sequences) => {
      const changes = await readChangesAt(core, owner, sequences);
      return new Map(changes.map((change) => [change.sequence, prepare(core, records, { owner, change })]));
    },
  };
}

/** Its delivery fails with the reason in the log, and those behind it go on. */
function prepareUnreadable(change: UnreadableChange): PreparedChange {
  const { id: changeId, sequence, type } = change;
  return {
    change,
    id: toChangeId(changeId),
    place: { sequence, changeId, shipmentId: null, type },
    record: () => Promise.reject(change.error),
    bodyOf: () => Promise.reject(change.error),
  };
}

/** A page that is being read (`upTo` null) or was read. */
type KeptPage = { feed: string; begin: number; upTo: number | null; page: Promise<PreparedPage> };

function restOf(page: PreparedPage, sequence: number): PreparedPage {
  const first = page.changes.findIndex(({ change }) => change.sequence > sequence);
  if (first === 0) return page;
  return { ...page, changes: first === -1 ? [] : page.changes.slice(first) };
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
      sequence: change.sequence,
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
