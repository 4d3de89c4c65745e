import type { ImportFailure } from '#shared/domain/registration/import.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** Ends an import that is not over as `failed`: its upload stops, and workers take none of its chunks any more. */
export async function failImport(
  tx: Tx,
  accountId: string,
  failed: { importId: string; reason: ImportFailure },
): Promise<void> {
  await tx.query({
    name: 'fail-import',
    text: `
      update landfall.imports
      set state = 'failed', reason = $3, completed_at = now(), receiver = null, receiver_until = null, resumable_until = null
      where account_id = $1 and id = $2 and state in ('receiving', 'running')`,
    values: [accountId, failed.importId, failed.reason],
  });
}

/**
 * Forgets the waiting rows of an import. A chunk that a worker is registering is left to it, because waiting for it
 * while holding the import would be a deadlock.
 */
export async function dropWaitingChunks(tx: Tx, accountId: string, importId: string): Promise<void> {
  await tx.query({
    name: 'drop-waiting-chunks',
    text: `
      with waiting as (
        select number, octet_length(rows) as bytes from landfall.import_chunks
        where account_id = $1 and import_id = $2 and done_at is null
        for update skip locked
      ), dropped as (
        update landfall.import_chunks as c
        set done_at = now(), rows = null
        from waiting
        where c.account_id = $1 and c.import_id = $2 and c.number = waiting.number
      )
      update landfall.imports
      set stored_bytes = stored_bytes - (select coalesce(sum(bytes), 0) from waiting)
      where account_id = $1 and id = $2`,
    values: [accountId, importId],
  });
}

/** Deletes an import whose work has been stopped. Waits for chunks that workers are registering. */
export async function deleteImport(tx: Tx, accountId: string, importId: string): Promise<void> {
  const values = [accountId, importId];
  // In the order in which workers lock: chunks first.
  await tx.query('delete from landfall.import_chunks where account_id = $1 and import_id = $2', values);
  await tx.query('delete from landfall.imports where account_id = $1 and id = $2', values);
}

/**
 * Until the transaction ends, no other one adds to what the account's imports take: parallel uploads would each see
 * only their own.
 */
export async function lockImportUsage(tx: Tx, accountId: string): Promise<void> {
  await tx.query({
    name: 'lock-import-usage',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`import-usage:${accountId}`],
  });
}

/**
 * Reads the usage of the account's imports: their number, up to one more than `maxImports`, and bytes of stored rows.
 */
export async function readImportUsage(
  tx: Tx,
  accountId: string,
  maxImports: number,
): Promise<{ imports: number; bytes: number }> {
  const rows = await readRows<{ imports: number; bytes: number }>(tx, {
    name: 'read-import-usage',
    text: `
      select count(*) as imports, coalesce(sum(stored_bytes), 0)::bigint as bytes
      from (select stored_bytes from landfall.imports where account_id = $1 limit $2) as kept`,
    values: [accountId, maxImports + 1],
  });
  return rows[0] ?? { imports: 0, bytes: 0 };
}
