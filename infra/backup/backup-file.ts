import type { KeptTable } from '#shared/store/backup/list-tables.ts';
import type { SequenceValue } from '#shared/store/backup/with-snapshot.ts';

// A backup is gzip over a sequence of parts. Each begins with one line of JSON:
//   the header; then for each table its heading, blocks of `{"bytes":n}` followed by that many bytes in the text form of `copy`, and
//   `{"rows":n}`; and the end, without which the file is not whole.

export const backupFormat = 'landfall-backup';
export const backupVersion = 1;

export type BackupHeader = {
  format: typeof backupFormat;
  version: number;
  takenAt: string;
  serverVersion: string;
  /** Names of the migrations that made the schema, in order. */
  migrations: string[];
  tables: KeptTable[];
  /** As their variable or file has them; null: kept elsewhere. */
  credentialKeys: string | null;
};

export type BackupEnd = { tables: number; rows: number; sequences: SequenceValue[] };

/** A file that is no backup, or not a whole one. */
export class BackupUnreadable extends Error {
  constructor(what: string, cause?: unknown) {
    super(`The backup cannot be used: ${what}.`, { cause });
    this.name = 'BackupUnreadable';
  }
}
