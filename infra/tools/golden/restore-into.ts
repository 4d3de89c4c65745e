import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { restoreBackup } from '#infra/backup/restore-backup.ts';
import { writeBackup } from '#infra/backup/write-backup.ts';
import { ensureLogins } from '#shared/store/ensure-logins.ts';
import { newDatabase } from './new-database.ts';

/** Backs a database up and restores the backup into a new one on the same server, as the scripts do. */
export async function restoreInto(
  serverUrl: string,
  ownerUrl: string,
  before: (ownerUrl: string) => Promise<void>,
  { scratch }: { scratch: string },
): Promise<{ serviceUrl: string; backupBytes: number }> {
  const file = join(scratch, 'golden.backup');
  await writeBackup(createWriteStream(file), { databaseUrl: ownerUrl, credentialKeys: null });
  const target = await newDatabase(serverUrl, 'golden_restored', before, { schema: false });
  await restoreBackup(createReadStream(file), target.ownerUrl);
  await ensureLogins(target.ownerUrl, target.serviceUrl);
  return { serviceUrl: target.serviceUrl, backupBytes: statSync(file).size };
}
