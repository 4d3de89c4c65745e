import type { RawChunk } from '#shared/domain/registration/import.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { ImportReceiver } from './imports.ts';

/** Stores a new chunk and counts its rows. `lost`: another receiver has taken over. */
export async function storeChunk(
  tx: Tx,
  accountId: string,
  by: ImportReceiver,
  chunk: RawChunk,
): Promise<'stored' | 'there' | 'other' | 'lost'> {
  const rows = JSON.stringify(chunk.rows);
  const stored = await tx.query({
    name: 'store-chunk',
    text: `
      with counted as (
        update landfall.imports
        set chunks = chunks + 1, received = received + $5, stored_bytes = stored_bytes + $11,
          receiver_until = now() + make_interval(secs => $6), resumable_until = now() + make_interval(secs => $7)
        where account_id = $1 and id = $2 and receiver = $3 and state = 'receiving' and chunks = $4
        returning id
      )
      insert into landfall.import_chunks (account_id, import_id, number, first_row, row_count, content_hash, rows)
      select $1, id, $4, $8, $5, decode($9, 'hex'), $10 from counted`,
    values: [
      accountId,
      by.importId,
      by.receiver,
      chunk.number,
      chunk.rows.length,
      by.receiverLeaseS,
      by.resumeS,
      chunk.firstRow,
      chunk.contentHash,
      rows,
      Buffer.byteLength(rows),
    ],
  });
  if (stored.rowCount === 1) return 'stored';
  const same = await compareChunk(tx, accountId, { importId: by.importId, chunk });
  return same === null ? 'lost' : same ? 'there' : 'other';
}

/** Compares a chunk with the stored one of its number: true for the same bytes. Null when there is none. */
export async function compareChunk(
  tx: Tx,
  accountId: string,
  subject: { importId: string; chunk: RawChunk },
): Promise<boolean | null> {
  const rows = await readRows<{ same: boolean }>(tx, {
    name: 'compare-chunk',
    text: `
      select content_hash = decode($4, 'hex') as same from landfall.import_chunks
      where account_id = $1 and import_id = $2 and number = $3`,
    values: [accountId, subject.importId, subject.chunk.number, subject.chunk.contentHash],
  });
  return rows[0]?.same ?? null;
}

export async function countChunks(tx: Tx, accountId: string, importId: string): Promise<number> {
  const rows = await readRows<{ chunks: number }>(tx, {
    name: 'count-chunks',
    text: 'select chunks from landfall.imports where account_id = $1 and id = $2',
    values: [accountId, importId],
  });
  return rows[0]?.chunks ?? 0;
}
