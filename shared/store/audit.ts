import type { Tx } from './with-account.ts';

/** `actor` is the public id of the key that acted, or `system`. */
export type AuditEntry = {
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string | null;
  requestId: string | null;
  detail: Record<string, unknown>;
};

export async function appendAudit(tx: Tx, accountId: string, entry: AuditEntry): Promise<void> {
  await tx.query({
    name: 'append-audit',
    text: `
      insert into landfall.audit (account_id, actor, action, subject_type, subject_id, request_id, detail)
      values ($1, $2, $3, $4, $5, $6, $7::jsonb)`,
    values: [accountId, entry.actor, entry.action, entry.subjectType, entry.subjectId, entry.requestId, JSON.stringify(entry.detail)],
  });
}
