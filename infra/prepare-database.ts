import { ensureLogins } from '#shared/store/ensure-logins.ts';
import { type MigrateOptions, migrate } from './migrate.ts';

/** `ownerUrl`: the user that owns the schema. `databaseUrl`: the login of API and worker. */
export type DatabaseAddresses = { ownerUrl: string; databaseUrl: string };

/** Applies the missing migrations, then creates the logins of API and worker. */
export async function prepareDatabase(
  { ownerUrl, databaseUrl }: DatabaseAddresses,
  options: MigrateOptions = {},
): Promise<{ applied: number }> {
  const migrated = await migrate(ownerUrl, options);
  await ensureLogins(ownerUrl, databaseUrl);
  return migrated;
}
