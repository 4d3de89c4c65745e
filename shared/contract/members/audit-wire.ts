import { z } from 'zod';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';

export const wireAudit = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  /** `user_…`, `key_…` or `system`. */
  actor: z.string(),
  /** Current name of the actor. Null if it no longer exists or was the system. */
  actor_name: z.string().nullable(),
  /** `api_key.created`, `member.removed`, … More values may be added. */
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string().nullable(),
  request_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});
export type WireAudit = z.infer<typeof wireAudit>;

export const wireAuditPage = z.strictObject({
  data: z.array(wireAudit),
  page: z.strictObject({ limit: z.int(), has_more: z.boolean(), next_cursor: z.string().nullable() }),
});

export const auditQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(2000).optional(),
});

type ShownAudit = {
  id: string;
  createdAt: string;
  actor: string;
  actorName: string | null;
  action: string;
  subjectType: string;
  subjectId: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
};

const prefixes: Readonly<Record<string, string>> = {
  account: 'acc',
  api_key: 'key',
  app: 'app',
  bulk_action: 'blk',
  carrier_credentials: 'cred',
  import: 'imp',
  invite: 'inv',
  shipment: 'shp',
  user: 'user',
};

export function toWireAudit(line: ShownAudit): WireAudit {
  const { id, createdAt, actor, actorName, action, subjectType, subjectId, requestId, detail } = line;
  return {
    id: encodeTypeId('aud', id),
    at: createdAt,
    actor,
    actor_name: actorName,
    action,
    subject_type: subjectType,
    subject_id: subjectId === null ? null : encodeTypeId(prefixes[subjectType] ?? subjectType, subjectId),
    request_id: requestId,
    detail,
  };
}

const cursorBinding = 'audit';

/** The cursor after this line. */
export function auditCursor(uuid: string): string {
  return encodeCursor(encodeTypeId('aud', uuid), cursorBinding);
}

/** Parses the query of the audit log; `before` is the uuid of a line. Throws LandfallError `invalid_cursor`. */
export function parseAuditQuery(query: RawQuery): { limit: number; before: string | null } {
  const { limit, cursor } = parseQuery(auditQuery, query);
  return { limit, before: cursor === undefined ? null : readCursor(cursor) };
}

function readCursor(cursor: string): string {
  const position = decodeCursor(cursor, cursorBinding);
  const uuid = typeof position === 'string' ? decodeTypeId('aud', position) : null;
  if (uuid !== null) return uuid;
  throw new LandfallError('invalid_cursor', 'The cursor belongs to a different list. Start over without cursor.', {
    mistakes: [{ pointer: '?cursor', code: 'invalid_cursor', detail: 'cursor must be the next_cursor of a page.' }],
  });
}
