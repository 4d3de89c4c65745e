import process from 'node:process';
import { readEnv, requireDatabaseUrl, requireMigrationDatabaseUrl } from '#shared/config/env.ts';
import { prepareDatabase } from '../prepare-database.ts';

// For several machines: run it once before the services of a new version start.
try {
  const env = readEnv(process.env);
  const { applied } = await prepareDatabase({
    ownerUrl: requireMigrationDatabaseUrl(env),
    databaseUrl: requireDatabaseUrl(env),
  });
  process.stdout.write(`${applied} migrations applied\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
