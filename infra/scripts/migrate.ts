import process from 'node:process';
import { readEnv, requireDatabaseUrl } from '#shared/config/env.ts';
import { migrate } from '../migrate.ts';

// For several machines: run it once before the services of a new version start.
try {
  const { applied } = await migrate(requireDatabaseUrl(readEnv(process.env)));
  process.stdout.write(`${applied} migrations applied\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
