import { eventKeysOf, type NarrowedEvents } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import { eventHashes } from '#shared/store/feed/event-hashes.ts';
import type { FoundChange } from '#shared/store/feed/feed-rows.ts';

/** The conditions of a stream, as in the list of changes. */
export type StreamConditions = {
  types: readonly ChangeType[] | null;
  /** A uuid. */
  shipmentId: string | null;
  narrowedBy: NarrowedEvents;
};

/** The conditions in the form in which each change is checked. */
export type StreamFilter = {
  types: readonly ChangeType[] | null;
  shipmentId: string | null;
  eventKeys: readonly string[] | null;
  marks: ReadonlySet<number> | null;
};

/** Streams that ask for everything share this one. */
const everything: StreamFilter = { types: null, shipmentId: null, eventKeys: null, marks: null };

export function streamFilterOf({ types, shipmentId, narrowedBy }: StreamConditions): StreamFilter {
  const eventKeys = eventKeysOf(narrowedBy);
  if (types === null && shipmentId === null && eventKeys === null) return everything;
  return {
    types: types === null ? null : [...new Set(types)],
    shipmentId,
    eventKeys,
    marks: eventKeys && new Set(eventHashes(eventKeys)),
  };
}

/** Returns whether the feed with this filter has the change. The store's query selects the same changes. */
export function passes(filter: StreamFilter, { type, data, eventHashes: marks }: FoundChange): boolean {
  if (filter.shipmentId !== null && !('shipment' in data && filter.shipmentId === data.shipment.id)) return false;
  if (filter.marks !== null) {
    const wanted = filter.marks;
    return type === 'shipment.event_added' && (marks?.some((mark) => wanted.has(mark)) ?? false);
  }
  return filter.types === null || filter.types.includes(type);
}

/** Returns whether the feed with this filter may have a change of which only the type is known. */
export function mayPass(filter: StreamFilter, { type }: Pick<FoundChange, 'type'>): boolean {
  if (filter.marks !== null) return type === 'shipment.event_added';
  return filter.types === null || filter.types.includes(type);
}
