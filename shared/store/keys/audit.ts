import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** `actor` is the public id of the key or user, or `system`. */
export type AuditEntry = {
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
};

/** The roles for requests, for the system and for people may append; none may change or delete. */
export async function appendAudit(tx: Tx, accountId: string, entry: AuditEntry): Promise<void> {
  await tx.query({
    name: 'append-audit',
    text: `
      insert into landfall.audit (account_id, actor, action, subject_type, subject_id, request_id, detail)
      values ($1, $2, $3, $4, $5, $6, $7::jsonb)`,
    values: [
      accountId,
      entry.actor,
      entry.action,
      entry.subjectType,
      entry.subjectId,
      entry.requestId,
      JSON.stringify(entry.detail),
    ],
  });
}

/** A row of the audit log. `id` and `subjectId` are UUIDs; `createdAt` is ISO UTC. */
export type AuditRow = AuditEntry & { id: string; createdAt: string };

const auditColumns = 'id, actor, action, subject_type, subject_id, request_id, detail, created_at';

/** The account's rows, newest first, before the one with the id `before`. */
export async function readAudit(
  tx: Tx,
  accountId: string,
  page: { before: string | null; limit: number },
): Promise<AuditRow[]> {
  return readRows<AuditRow>(tx, {
    name: 'read-audit',
    text: `
      select ${auditColumns}
      from landfall.audit
      where account_id = $1 and ($2::uuid is null or id < $2)
      order by id desc
      limit $3`,
    values: [accountId, page.before, page.limit],
  });
}

/** The account's rows about one subject, oldest first. */
export async function readAuditOf(tx: Tx, accountId: string, subjectId: string): Promise<AuditRow[]> {
  return readRows<AuditRow>(tx, {
    name: 'read-audit-of',
    text: `
      select ${auditColumns}
      from landfall.audit
      where account_id = $1 and subject_id = $2
      order by id`,
    values: [accountId, subjectId],
  });
}
