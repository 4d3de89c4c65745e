import type { Import, ImportFile, ImportFormat, ImportOptions } from '#shared/domain/registration/import.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type ImportRow = Omit<Import, 'file'> & { file: Partial<ImportFile> };

const columns =
  'id, format, options, file, test, dry_run, state, reason, received, processed, created, existing, updated, failed, warned, ' +
  'created_at, completed_at';

/** Of an import that an older version started. */
const unknownFile: ImportFile = { encoding: null, compression: null, headerLine: null, sheet: null };

function toImport(row: ImportRow): Import {
  return { ...row, file: { ...unknownFile, ...row.file } };
}

/** Null when the account has no import with this id in this mode (test or live). */
export async function readImport(
  tx: Tx,
  accountId: string,
  subject: { id: string; test: boolean },
): Promise<Import | null> {
  const rows = await readRows<ImportRow>(tx, {
    name: 'read-import',
    text: `select ${columns} from landfall.imports where account_id = $1 and id = $2 and test = $3`,
    values: [accountId, subject.id, subject.test],
  });
  return rows[0] === undefined ? null : toImport(rows[0]);
}

/** Up to `limit` imports in this mode (test or live) before `after` (a uuid), newest first. */
export async function listImports(
  tx: Tx,
  accountId: string,
  page: { test: boolean; after: string | null; limit: number },
): Promise<Import[]> {
  const rows = await readRows<ImportRow>(tx, {
    name: 'list-imports',
    text: `
      select ${columns} from landfall.imports
      where account_id = $1 and test = $2 and id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by id desc
      limit $4`,
    values: [accountId, page.test, page.after, page.limit],
  });
  return rows.map(toImport);
}

export type NewImport = {
  keyId: string | null;
  test: boolean;
  idempotencyKey: string | null;
  format: ImportFormat;
  options: ImportOptions;
  file: ImportFile;
  dryRun: boolean;
  receiver: string;
  receiverLeaseS: number;
  resumeS: number;
};

export async function insertImport(tx: Tx, accountId: string, added: NewImport): Promise<Import> {
  const rows = await readRows<ImportRow>(tx, {
    name: 'insert-import',
    text: `
      insert into landfall.imports (
        account_id, key_id, test, idempotency_key, format, options, dry_run, receiver, receiver_until, resumable_until, file
      )
      values (
        $1, $2, $3, $4, $5, $6::jsonb, $7, $8, now() + make_interval(secs => $9), now() + make_interval(secs => $10),
        $11::jsonb
      )
      returning ${columns}`,
    values: [
      accountId,
      added.keyId,
      added.test,
      added.idempotencyKey,
      added.format,
      JSON.stringify(added.options),
      added.dryRun,
      added.receiver,
      added.receiverLeaseS,
      added.resumeS,
      JSON.stringify(added.file),
    ],
  });
  if (rows[0] === undefined) throw new Error('the import was not stored');
  return toImport(rows[0]);
}

/**
 * The import that this key started within the last 24 hours, locked, and the seconds until another receiver's lease
 * expires.
 */
export async function lockImportByKey(
  tx: Tx,
  accountId: string,
  subject: { test: boolean; idempotencyKey: string },
): Promise<{ found: Import; heldForS: number } | null> {
  const rows = await readRows<ImportRow & { heldForS: number }>(tx, {
    name: 'lock-import-by-key',
    text: `
      select ${columns}, coalesce(greatest(extract(epoch from receiver_until - now()), 0), 0)::double precision as held_for_s
      from landfall.imports
      where account_id = $1 and test = $2 and idempotency_key = $3 and created_at > now() - interval '24 hours'
      order by created_at desc
      limit 1
      for no key update`,
    values: [accountId, subject.test, subject.idempotencyKey],
  });
  if (rows[0] === undefined) return null;
  const { heldForS, ...found } = rows[0];
  return { found: toImport(found), heldForS };
}

export type ImportReceiver = { importId: string; receiver: string; receiverLeaseS: number; resumeS: number };

/** Makes the caller the receiver of a locked import whose upload is incomplete. An interrupted import resumes. */
export async function takeOverImport(tx: Tx, accountId: string, by: ImportReceiver): Promise<void> {
  await tx.query({
    name: 'take-over-import',
    text: `
      update landfall.imports
      set receiver = $3, receiver_until = now() + make_interval(secs => $4), resumable_until = now() + make_interval(secs => $5),
        state = 'receiving', completed_at = null
      where account_id = $1 and id = $2`,
    values: [accountId, by.importId, by.receiver, by.receiverLeaseS, by.resumeS],
  });
}

/** Renews the receiver's lease. False when another receiver has taken over. */
export async function renewReceiver(tx: Tx, accountId: string, by: ImportReceiver): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'renew-receiver',
    text: `
      update landfall.imports
      set receiver_until = now() + make_interval(secs => $4), resumable_until = now() + make_interval(secs => $5)
      where account_id = $1 and id = $2 and receiver = $3 and state = 'receiving'`,
    values: [accountId, by.importId, by.receiver, by.receiverLeaseS, by.resumeS],
  });
  return rowCount === 1;
}

/** Releases an interrupted upload immediately, so that it can be resumed. */
export async function releaseReceiver(tx: Tx, accountId: string, by: ImportReceiver): Promise<void> {
  await tx.query({
    name: 'release-receiver',
    text: `
      update landfall.imports
      set receiver = null, receiver_until = null, resumable_until = now() + make_interval(secs => $4)
      where account_id = $1 and id = $2 and receiver = $3 and state = 'receiving'`,
    values: [accountId, by.importId, by.receiver, by.resumeS],
  });
}

/** An upload that has ended: its chunks, and what was recognized in the whole file. */
export type EndedUpload = { chunks: number; file: ImportFile };

/**
 * Ends the upload: `running`, or `completed` when every row has been registered. Null when another receiver has taken
 * over or more chunks are stored.
 */
export async function endUpload(
  tx: Tx,
  accountId: string,
  by: ImportReceiver,
  { chunks, file }: EndedUpload,
): Promise<Import | null> {
  const rows = await readRows<ImportRow>(tx, {
    name: 'end-upload',
    text: `
      update landfall.imports
      set receiver = null, receiver_until = null, resumable_until = null, file = $5::jsonb,
        state = case when processed = received then 'completed' else 'running' end,
        completed_at = case when processed = received then now() end
      where account_id = $1 and id = $2 and receiver = $3 and state = 'receiving' and chunks = $4
      returning ${columns}`,
    values: [accountId, by.importId, by.receiver, chunks, JSON.stringify(file)],
  });
  return rows[0] === undefined ? null : toImport(rows[0]);
}
