import type { Import, ImportError, RawRow, RowSeverity } from '#shared/domain/registration/import.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { readImport } from './imports.ts';

export type ChunkPlace = { importId: string; number: number };

export type LockedChunk = {
  import: Import;
  keyId: string | null;
  number: number;
  firstRow: number;
  attempts: number;
  rows: RawRow[];
  /** Size of the rows as they are stored. */
  bytes: number;
};

/** Locks an unfinished chunk until the transaction ends. Null when another worker has locked it or it is done. */
export async function lockChunk(tx: Tx, accountId: string, place: ChunkPlace): Promise<LockedChunk | null> {
  const rows = await readRows<{
    rows: string;
    firstRow: number;
    attempts: number;
    test: boolean;
    keyId: string | null;
  }>(tx, {
    name: 'lock-chunk',
    text: `
      select c.rows, c.first_row, c.attempts, i.test, i.key_id
      from landfall.import_chunks as c
      join landfall.imports as i on i.account_id = c.account_id and i.id = c.import_id
      where c.account_id = $1 and c.import_id = $2 and c.number = $3 and c.done_at is null
      for update of c skip locked`,
    values: [accountId, place.importId, place.number],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const found = await readImport(tx, accountId, { id: place.importId, test: row.test });
  if (found === null) return null;
  return {
    import: found,
    keyId: row.keyId,
    number: place.number,
    firstRow: row.firstRow,
    attempts: row.attempts,
    rows: JSON.parse(row.rows) as RawRow[],
    bytes: Buffer.byteLength(row.rows),
  };
}

/** `warned` are among the rows that did not fail. */
export type ChunkCounts = { created: number; existing: number; updated: number; failed: number; warned: number };

/** Counts of the import, with this chunk. */
export type CountedImport = Pick<Import, 'state' | 'processed' | 'failed' | 'warned' | 'created' | 'existing'>;

/**
 * Marks a locked chunk of `bytes` as done and counts its rows. The last chunk of a complete upload completes the import.
 */
export async function finishChunk(
  tx: Tx,
  accountId: string,
  done: ChunkPlace & ChunkCounts & { bytes: number },
): Promise<CountedImport> {
  await tx.query({
    name: 'finish-chunk',
    text: 'update landfall.import_chunks set done_at = now(), rows = null where account_id = $1 and import_id = $2 and number = $3',
    values: [accountId, done.importId, done.number],
  });
  // Last, because the upload updates the same row when it counts its chunks.
  const rows = await readRows<CountedImport>(tx, {
    name: 'count-processed',
    text: `
      update landfall.imports
      set created = created + $3, existing = existing + $4, updated = updated + $5, failed = failed + $6,
        warned = warned + $7, processed = processed + $3 + $4 + $5 + $6, stored_bytes = stored_bytes - $8,
        state = case when state = 'running' and processed + $3 + $4 + $5 + $6 = received then 'completed' else state end,
        completed_at = case when state = 'running' and processed + $3 + $4 + $5 + $6 = received then now() else completed_at end
      where account_id = $1 and id = $2
      returning state, processed, failed, warned, created, existing`,
    values: [accountId, done.importId, done.created, done.existing, done.updated, done.failed, done.warned, done.bytes],
  });
  if (rows[0] === undefined) throw new Error('an import disappeared while its chunk was registered');
  return rows[0];
}

/** Postpones a failed chunk, with exponential backoff. */
export async function postponeChunk(tx: Tx, accountId: string, place: ChunkPlace): Promise<void> {
  await tx.query({
    name: 'postpone-chunk',
    text: `
      update landfall.import_chunks
      set attempts = attempts + 1, retry_at = now() + least(interval '1 second' * power(2, least(attempts, 10)), interval '5 minutes')
      where account_id = $1 and import_id = $2 and number = $3 and done_at is null`,
    values: [accountId, place.importId, place.number],
  });
}

/** Stores failed rows and rows with warnings of an import that this transaction has locked. */
export async function insertImportErrors(
  tx: Tx,
  accountId: string,
  added: { importId: string; errors: readonly ImportError[] },
): Promise<void> {
  if (added.errors.length === 0) return;
  await tx.query({
    name: 'insert-import-errors',
    text: `
      insert into landfall.import_errors (account_id, import_id, row_number, line, severity, raw, code, detail, mistakes)
      select $1, $2, e."rowNumber", e.line, e.severity, e.raw, e.code, e.detail, e.mistakes
      from json_to_recordset($3::json) as e (
        "rowNumber" bigint, line bigint, severity text, raw text, code text, detail text, mistakes jsonb
      )`,
    values: [accountId, added.importId, JSON.stringify(added.errors)],
  });
  const bytes = added.errors.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
  await tx.query({
    name: 'count-stored-errors',
    text: 'update landfall.imports set stored_bytes = stored_bytes + $3 where account_id = $1 and id = $2',
    values: [accountId, added.importId, bytes],
  });
}

/**
 * Up to `limit` rows of these severities after a row number, in order: at least one, and more while they total less
 * than `limitBytes`.
 */
export async function listImportErrors(
  tx: Tx,
  accountId: string,
  page: { importId: string; severities: readonly RowSeverity[]; after: number; limit: number; limitBytes: number },
): Promise<ImportError[]> {
  return readRows<ImportError>(tx, {
    name: 'list-import-errors',
    text: `
      select row_number, line, severity, raw, code, detail, mistakes
      from (
        select *, sum(octet_length(raw)) over (order by row_number) - octet_length(raw) as bytes_before
        from (
          select row_number, line, severity, raw, code, detail, mistakes from landfall.import_errors
          where account_id = $1 and import_id = $2 and row_number > $3 and severity = any ($6)
          order by row_number
          limit $4
        ) as page
      ) as measured
      where bytes_before < $5
      order by row_number`,
    values: [accountId, page.importId, page.after, page.limit, page.limitBytes, page.severities],
  });
}
