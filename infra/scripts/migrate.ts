import process from 'node:process';
import { parseArgs } from 'node:util';
import { readEnv, requireDatabaseUrl, requireMigrationDatabaseUrl } from '#shared/config/env.ts';
import { prepareDatabase } from '../prepare-database.ts';

// For several machines: run it once before the services of a new version start. `--set-password` gives logins that exist
// the password in DATABASE_URL.
try {
  const { values } = parseArgs({ options: { 'set-password': { type: 'boolean', default: false } } });
  const env = readEnv(process.env);
  const { applied } = await prepareDatabase(
    { ownerUrl: requireMigrationDatabaseUrl(env), databaseUrl: requireDatabaseUrl(env) },
    { setsPassword: values['set-password'] },
  );
  process.stdout.write(`${applied} migrations applied\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
