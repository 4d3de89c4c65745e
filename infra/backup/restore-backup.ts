import type { Readable } from 'node:stream';
import { DatabaseNotEmpty, fillEmptyDatabase } from '#shared/store/backup/fill-empty-database.ts';
import { readSchemaState } from '#shared/store/backup/read-schema-state.ts';
import { pauseRestoredAlerts } from '#shared/store/backup/restored-alerts.ts';
import { disableRestoredWebhooks } from '#shared/store/backup/restored-webhooks.ts';
import { migrate, migrationNames } from '../migrate.ts';
import { type BackupEnd, type BackupHeader, BackupUnreadable } from './backup-file.ts';
import { openBackup } from './read-backup.ts';

export type Restored = BackupEnd & {
  header: BackupHeader;
  migrationsSince: number;
  disabledWebhooks: number;
  pausedAlerts: number;
};

export type RestoreOptions = {
  /** Called with the header before anything is written. Throws to reject the backup. */
  accept?: (header: BackupHeader) => void;
  /** Folder of the migrations. */
  folder?: string;
  /**
   * Keeps webhook endpoints enabled and alerts active. Off by default: a copy must not send to the receivers and
   * members of the installation that the backup was taken from.
   */
  keepWebhooks?: boolean;
};

/**
 * Loads a backup into an empty database: creates the schema that the backup was taken from, loads every row in one
 * transaction, and then applies the migrations since. The feeds continue in a new generation, webhook endpoints are
 * disabled, and alerts are paused. A failure leaves a database without rows. Throws `BackupUnreadable` or `DatabaseNotEmpty`.
 */
export async function restoreBackup(
  input: Readable,
  databaseUrl: string,
  { accept, keepWebhooks = false, ...place }: RestoreOptions = {},
): Promise<Restored> {
  const backup = await openBackup(input);
  accept?.(backup.header);
  const { migrations } = backup.header;
  const known = await migrationNames(place.folder);
  const unknown = migrations.filter((name, index) => known[index] !== name);
  if (unknown.length > 0)
    throw new BackupUnreadable(`it was created by a newer Landfall: the migration ${unknown[0]} is unknown`);
  const state = await readSchemaState(databaseUrl);
  if (state.hasAccounts) throw new DatabaseNotEmpty();
  if (state.migrations.length > migrations.length)
    throw new Error(
      `The database has the schema of ${state.migrations.at(-1)}, and the backup an older one ` +
        `(${migrations.at(-1)}). Restore into a database without a schema; it is migrated afterwards.`,
    );
  await migrate(databaseUrl, { ...place, count: migrations.length - state.migrations.length });
  const filled = await fillEmptyDatabase(databaseUrl, async (filling) => {
    const read = await backup.readTables(filling.loadTable);
    for (const sequence of read.sequences) await filling.setSequence(sequence);
    return read;
  });
  const { applied } = await migrate(databaseUrl, place);
  const disabledWebhooks = keepWebhooks ? 0 : await disableRestoredWebhooks(databaseUrl);
  const pausedAlerts = keepWebhooks ? 0 : await pauseRestoredAlerts(databaseUrl);
  return { ...filled, header: backup.header, migrationsSince: applied, disabledWebhooks, pausedAlerts };
}
