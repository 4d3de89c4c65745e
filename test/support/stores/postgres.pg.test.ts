import pg from 'pg';
import { expect, it } from 'vitest';
import { ownDatabase, testDatabase } from './postgres.ts';

it('gives every test of this process the same database, and leaves it when one of them drops it', async () => {
  const [first, second] = [await testDatabase(), await testDatabase()];
  expect(second.databaseUrl).toBe(first.databaseUrl);
  await first.drop();
  expect(await tablesOf(second.databaseUrl)).toBeGreaterThan(50);
});

it('gives a test that asks for it a database of its own, and drops it', async () => {
  const own = await ownDatabase();
  expect(own.databaseUrl).not.toBe((await testDatabase()).databaseUrl);
  expect(await tablesOf(own.databaseUrl)).toBeGreaterThan(50);
  await own.drop();
  await expect(tablesOf(own.databaseUrl)).rejects.toThrow(/does not exist/);
});

async function tablesOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(`select 1 from pg_tables where schemaname = 'landfall'`);
    return rows.length;
  } finally {
    await client.end();
  }
}
