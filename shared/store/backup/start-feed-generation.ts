import type pg from 'pg';
import { openOwner } from './open-owner.ts';

/**
 * Starts a new generation of every feed, in the transaction of `client`. Positions that were given after the backup are
 * then known as such, and none of them is given again. False: the schema is older and has no generations yet.
 */
export async function startFeedGeneration(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regprocedure('landfall.start_feed_generation()') is not null as there`,
  );
  if (rows[0]?.there !== true) return false;
  await client.query('set local role landfall_system');
  await client.query('select landfall.start_feed_generation()');
  await client.query('reset role');
  return true;
}

/** Does the same in a transaction of its own, for a backup whose schema was older and has been migrated since. */
export async function startFeedGenerationOf(databaseUrl: string): Promise<void> {
  const client = await openOwner(databaseUrl);
  try {
    await client.query('begin');
    if (!(await startFeedGeneration(client))) throw new Error('the database has no feed generations: migrate it first');
    await client.query('commit');
  } finally {
    await client.end().catch(() => {});
  }
}
