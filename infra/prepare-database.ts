import {
  checkLoginPasswords,
  ensureLogins,
  explainMissingRoles,
  type LoginOptions,
} from '#shared/store/ensure-logins.ts';
import { type MigrateOptions, migrate } from './migrate.ts';

/** `ownerUrl`: the user that owns the schema. `databaseUrl`: the login of API and worker. */
export type DatabaseAddresses = { ownerUrl: string; databaseUrl: string };

/**
 * Applies the missing migrations, then creates the logins of API and worker. Throws MayNotCreateRoles with the
 * statements that an administrator must run, and OtherPassword before anything has changed.
 */
export async function prepareDatabase(
  { ownerUrl, databaseUrl }: DatabaseAddresses,
  { setsPassword = false, ...options }: MigrateOptions & LoginOptions = {},
): Promise<{ applied: number }> {
  if (!setsPassword) await checkLoginPasswords(ownerUrl, databaseUrl);
  const migrated = await migrate(ownerUrl, options).catch(async (error: unknown) => {
    await explainMissingRoles(ownerUrl, databaseUrl, error);
    throw error;
  });
  await ensureLogins(ownerUrl, databaseUrl, { setsPassword });
  return migrated;
}
