import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';

const migrationsDir = join(import.meta.dirname, 'migrations');

/**
 * Brings the database's schema up to date with the numbered files in `migrations/`, all in one transaction. Several processes may call it at
 * once: they take turns on an advisory lock. `count` stops after so many. Throws when the database cannot be reached or a migration fails;
 * then nothing was changed.
 */
export async function migrate(databaseUrl: string, count = Number.POSITIVE_INFINITY): Promise<{ applied: number }> {
  if (count === 0) return { applied: 0 };
  const applied = await runner({
    databaseUrl,
    dir: migrationsDir,
    direction: 'up',
    count,
    schema: 'landfall',
    createSchema: true,
    migrationsTable: 'migrations',
    singleTransaction: true,
    advisoryLockMode: 'wait',
    logger: { info: () => {}, warn: () => {}, error: (text: string) => process.stderr.write(`${text}\n`) },
  });
  return { applied: applied.length };
}

/** Names of all migrations, in order, as the database records them. */
export async function migrationNames(): Promise<string[]> {
  const files = await readdir(migrationsDir);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted();
}
