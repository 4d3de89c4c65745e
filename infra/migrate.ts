import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import { guessStatistics } from '#shared/store/guess-statistics.ts';
import { isLockTimeout, withMigrationLock } from '#shared/store/with-migration-lock.ts';

export type MigrateOptions = {
  /** Stops after so many. */
  count?: number;
  /** The longest that a migration waits for a table before it lets everybody else pass, in milliseconds. */
  lockTimeoutMs?: number;
  /** How often it tries. */
  attempts?: number;
};

const migrationsDir = join(import.meta.dirname, 'migrations');
const longestPauseMs = 5000;

/**
 * Brings the database's schema up to date with the numbered files in `migrations/`, all in one transaction, and guesses the
 * statistics of tables that were never filled. Several processes may call it at
 * once: they take turns. A table that is in use is waited for a few seconds at a time, so that requests behind a waiting migration go on; so is one over which it and a request waited for each other.
 * Throws when the database cannot be reached, a table stays in use or a migration fails; then nothing was changed.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<{ applied: number }> {
  const { count = Number.POSITIVE_INFINITY, lockTimeoutMs = 3000, attempts = 20 } = options;
  if (count === 0) return { applied: 0 };
  return withMigrationLock(databaseUrl, { lockId: PG_MIGRATE_LOCK_ID, lockTimeoutMs }, async (client) => {
    for (let attempt = 1; ; attempt++) {
      const said: string[] = [];
      try {
        const applied = await runner({
          dbClient: client,
          noLock: true,
          dir: migrationsDir,
          direction: 'up',
          count,
          schema: 'landfall',
          createSchema: true,
          migrationsTable: 'migrations',
          singleTransaction: true,
          logger: { info: () => {}, warn: () => {}, error: (text: string) => said.push(text) },
        });
        await guessStatistics(client).catch(tellOfGuess);
        return { applied: applied.length };
      } catch (error) {
        if (isLockTimeout(error) && attempt < attempts) {
          await pause(Math.min(lockTimeoutMs * attempt, longestPauseMs) * (0.5 + Math.random() / 2));
          continue;
        }
        if (isLockTimeout(error))
          throw new Error(`A migration needs a table that others keep in use; nothing was changed. ${inUse}`, {
            cause: error,
          });
        process.stderr.write(`${said.join('\n')}\n`);
        throw error;
      }
    }
  });
}

/** The schema is up to date; statistics only make the first minutes faster. */
function tellOfGuess(error: Error): void {
  process.stderr.write(`The statistics of empty tables could not be guessed: ${error.message}\n`);
}

const inUse =
  "Find who holds it with: select pid, application_name, state, query_start, query from pg_stat_activity where state <> 'idle' order by query_start";

/** Names of all migrations, in order, as the database records them. */
export async function migrationNames(): Promise<string[]> {
  const files = await readdir(migrationsDir);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted();
}
