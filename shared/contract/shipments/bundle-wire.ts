import type { Change } from '#shared/domain/feed/change.ts';
import type { Note } from '#shared/domain/notes/note.ts';
import type { RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { toWireChange } from '../feed/change-wire.ts';
import { toWireNote } from '../notes/note-wire.ts';
import { toEventId, toWireEvent } from '../record/event-wire.ts';
import { toWireShipment } from '../record/shipment-wire.ts';
import { type RefreshRow, toWireRefreshList } from './record-wire.ts';

type StatusChange = {
  changedAt: string;
  from: string | null;
  to: string;
  reason: string;
  eventId: string | null;
  eventCode: string | null;
  reachedAt: string | null;
  receivedAt: string | null;
  traceId: string | null;
};

type Identifier = { key: string; value: string; source: string; open: boolean; createdAt: string };

type Audit = { id: string; createdAt: string; actor: string; action: string; requestId: string | null };

type Proof = { proofId: string; piece: string | null; mediaType: string; fetchedAt: string; content: string };

/** A part of a bundle, as `readBundle` of the core yields it. */
export type BundlePart =
  | { part: 'record'; data: Shipment }
  | { part: 'identifier'; data: Identifier }
  | { part: 'event'; data: RecordEvent; raw: unknown }
  | { part: 'status_change'; data: StatusChange }
  | { part: 'refresh'; data: RefreshRow }
  | { part: 'unreadable_event'; data: { reason: string; seenAt: string; raw: unknown } }
  | { part: 'proof'; data: Proof }
  | { part: 'note'; data: Note }
  | { part: 'change'; data: Change }
  | { part: 'audit'; data: Audit };

/** One line of a bundle: `{"part": …, "data": …}`. */
export function bundleLine(part: BundlePart): string {
  return lineOf(part.part, toWirePart(part));
}

/** The last line, without which a bundle is not complete. `lines`: how many came before it. */
export function bundleEnd(lines: number): string {
  return lineOf('end', { lines });
}

function lineOf(part: string, data: unknown): string {
  return `${JSON.stringify({ part, data })}\n`;
}

function toWirePart(given: BundlePart): unknown {
  switch (given.part) {
    case 'record':
      return toWireShipment(given.data);
    case 'identifier': {
      const { createdAt, ...identifier } = given.data;
      return { ...identifier, created_at: createdAt };
    }
    case 'event':
      return { ...toWireEvent(given.data), raw: given.raw };
    case 'status_change':
      return toWireStatusChange(given.data);
    case 'refresh':
      return toWireRefreshList([given.data]).data[0];
    case 'unreadable_event':
      return { reason: given.data.reason, seen_at: given.data.seenAt, raw: given.data.raw };
    case 'proof': {
      const { proofId, piece, mediaType, fetchedAt, content } = given.data;
      return { id: proofId, piece, media_type: mediaType, fetched_at: fetchedAt, content };
    }
    case 'note':
      return toWireNote(given.data);
    case 'change':
      return toWireChange(given.data);
    case 'audit':
      return {
        id: encodeTypeId('aud', given.data.id),
        at: given.data.createdAt,
        actor: given.data.actor,
        action: given.data.action,
        request_id: given.data.requestId,
      };
  }
}

function toWireStatusChange(change: StatusChange) {
  return {
    at: change.changedAt,
    from: change.from,
    to: change.to,
    reason: change.reason,
    event_id: change.eventId === null ? null : toEventId(change.eventId),
    event_code: change.eventCode,
    reached_at: change.reachedAt,
    received_at: change.receivedAt,
    trace_id: change.traceId,
  };
}
