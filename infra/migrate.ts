import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import { sleep } from '#shared/async/sleep.ts';
import { isOfOlderBuild } from '#shared/store/backup/read-schema-state.ts';
import { guessStatistics } from '#shared/store/guess-statistics.ts';
import { isLockTimeout, withMigrationLock } from '#shared/store/with-migration-lock.ts';

export type MigrateOptions = {
  /** Stops after this many migrations. */
  count?: number;
  /** Time that a migration waits for a table before it lets the queued requests pass. */
  lockTimeoutMs?: number;
  /** Number of attempts to lock a table that is in use. */
  attempts?: number;
  /** Remedy for a database that an older build created: the end of the error. */
  startOver?: string;
  /** Folder of the numbered files. */
  folder?: string;
};

const migrationsDir = join(import.meta.dirname, 'migrations');
const maxPauseMs = 5000;

/**
 * Applies the numbered files in `migrations/` that the database lacks, in one transaction, and sets estimated
 * statistics for tables that were never filled. Concurrent calls run one after another. A migration waits for a table
 * in use for a few seconds at a time, so that queued requests can pass, and retries. It also retries after a deadlock
 * with a request. Throws if the database is unreachable or was created by an older build, if a table stays in use, or
 * if a migration fails. In each case the database is unchanged.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<{ applied: number }> {
  const { count = Number.POSITIVE_INFINITY, lockTimeoutMs = 3000, attempts = 20, folder = migrationsDir } = options;
  if (count === 0) return { applied: 0 };
  return withMigrationLock(databaseUrl, { lockId: PG_MIGRATE_LOCK_ID, lockTimeoutMs }, async (client) => {
    if (await isOfOlderBuild(client)) {
      const { startOver = 'Create an empty database and set DATABASE_URL to it.' } = options;
      throw new Error(`An older build of Landfall created this database. It can't be upgraded. ${startOver}`);
    }
    for (let attempt = 1; ; attempt++) {
      const said: string[] = [];
      try {
        const applied = await runner({
          dbClient: client,
          noLock: true,
          dir: folder,
          direction: 'up',
          count,
          schema: 'landfall',
          createSchema: true,
          migrationsTable: 'migrations',
          singleTransaction: true,
          logger: { info: () => {}, warn: () => {}, error: (text: string) => said.push(text) },
        });
        await guessStatistics(client).catch(reportGuess);
        return { applied: applied.length };
      } catch (error) {
        if (isLockTimeout(error) && attempt < attempts) {
          await sleep(Math.min(lockTimeoutMs * attempt, maxPauseMs), { jitter: 0.25 });
          continue;
        }
        if (isLockTimeout(error))
          throw new Error(`A migration needs a table that other sessions keep in use. Nothing was changed. ${inUse}`, {
            cause: error,
          });
        process.stderr.write(`A migration failed ${placeOf(error, said.join('\n'))}\n`);
        throw error;
      }
    }
  });
}

const logged = 'Error executing:\n';

/** The place of an error in a file, which is too long to print. `said`: the runner's message, which contains the file. */
function placeOf(error: unknown, said: string): string {
  const { position, where } = Object(error) as { position?: string; where?: string };
  if (position === undefined) return `in ${where ?? 'its transaction'}`;
  const sql = said.slice(said.indexOf(logged) + logged.length);
  const line = sql.slice(0, Number(position) - 1).split('\n').length;
  return `in line ${line}: ${sql.split('\n')[line - 1]?.trim()}`;
}

/** The schema is up to date. The statistics only speed up the first minutes. */
function reportGuess(error: Error): void {
  process.stderr.write(`The statistics of empty tables could not be estimated: ${error.message}\n`);
}

const inUse =
  'Find the blocking session with: select pid, application_name, state, query_start, query from pg_stat_activity ' +
  "where state <> 'idle' order by query_start";

/** Names of all migrations, in order, as the database records them. */
export async function migrationNames(folder = migrationsDir): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted();
}
