import { join } from 'node:path';
import { runner } from 'node-pg-migrate';

const migrationsDir = join(import.meta.dirname, 'migrations');

/**
 * Brings the database's schema up to date with the numbered files in `migrations/`, all in one transaction. Several processes may call it at
 * once: they take turns on an advisory lock. Throws when the database cannot be reached or a migration fails; then nothing was changed.
 */
export async function migrate(databaseUrl: string): Promise<{ applied: number }> {
  const applied = await runner({
    databaseUrl,
    dir: migrationsDir,
    direction: 'up',
    schema: 'landfall',
    createSchema: true,
    migrationsTable: 'migrations',
    singleTransaction: true,
    advisoryLockMode: 'wait',
    logger: { info: () => {}, warn: () => {}, error: (text: string) => process.stderr.write(`${text}\n`) },
  });
  return { applied: applied.length };
}
