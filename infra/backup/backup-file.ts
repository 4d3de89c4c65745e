import type { KeptTable } from '#shared/store/backup/list-tables.ts';
import type { SequenceValue } from '#shared/store/backup/with-snapshot.ts';

// A backup is gzip over a sequence of parts, each starting with one line of JSON: the header; for each table its
// heading, blocks of `{"bytes":n}` followed by that many bytes in `copy` text format, and `{"rows":n}`; and the end. A
// file without the end is incomplete.

export const backupFormat = 'landfall-backup';
/** Backups of version 1 have the tables of older builds. */
export const backupVersion = 2;

export type BackupHeader = {
  format: typeof backupFormat;
  version: number;
  takenAt: string;
  serverVersion: string;
  /** Names of the migrations that created the schema, in order. */
  migrations: string[];
  tables: KeptTable[];
  /** As in their variable or file. Null: stored elsewhere. */
  credentialKeys: string | null;
};

export type BackupEnd = { tables: number; rows: number; sequences: SequenceValue[] };

/** The file is not a backup, or it is incomplete. */
export class BackupUnreadable extends Error {
  constructor(what: string, cause?: unknown) {
    super(`The backup can't be used: ${what}.`, { cause });
    this.name = 'BackupUnreadable';
  }
}
