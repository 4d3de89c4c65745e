import {
  eventKeyOf,
  maxAddedEvents,
  type ShipmentChanges,
  type ShipmentSnapshot,
  shownEvent,
} from '#shared/domain/feed/change.ts';
import type { ShipmentChangeType } from '#shared/domain/feed/change-types.ts';
import type { ChangedNote } from '#shared/domain/notes/note.ts';
import type { RecordEvent } from '#shared/domain/record/shipment.ts';
import type { NewChange } from '#shared/store/feed/changes.ts';

/** One kind of visible change with the old and new values of its fields, and the events that it added. */
export type VisibleChange = {
  type: ShipmentChangeType;
  changes: ShipmentChanges;
  added?: readonly RecordEvent[];
  note?: ChangedNote;
};

type ChangeSubject = { shipmentId: string; test: boolean; snapshot: ShipmentSnapshot; traceparent: string | null };

/** The change as the feed stores it. */
export function newChange(
  { type, changes, added, note }: VisibleChange,
  { shipmentId, test, snapshot, traceparent }: ChangeSubject,
): NewChange {
  const change = { type, shipmentId, test, traceparent };
  if (added === undefined) return { ...change, data: { shipment: snapshot, changes, ...(note && { note }) } };
  const events = added.slice(0, maxAddedEvents).map(shownEvent);
  return {
    ...change,
    data: { shipment: snapshot, changes, added: { events, more: added.length - events.length } },
    eventKeys: [...new Set(added.map(eventKeyOf))],
  };
}
