import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '#infra/migrate.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';

const migrations = fileURLToPath(new URL('../../infra/migrations', import.meta.url));

/** The migrations of the release that counted positions over all accounts. */
function earlierRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-migrations-'));
  cpSync(migrations, folder, { recursive: true });
  const names = readdirSync(folder).sort();
  const counting = names.findIndex((name) =>
    readFileSync(join(folder, name), 'utf8').includes('create table landfall.account_feeds'),
  );
  for (const name of names.slice(counting)) rmSync(join(folder, name));
  return folder;
}

test('keeps the feed positions that readers hold, and continues each account after the last one', async () => {
  const folder = earlierRelease();
  const { databaseUrl, drop } = await emptyDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await migrate(databaseUrl, { folder });
    await client.connect();
    const { rows } = await client.query(
      "insert into landfall.accounts (name) values ('one'), ('two') returning id, name",
    );
    const [one, two] = rows.map(({ id }) => id);
    const append = (account: string) =>
      client.query(`insert into landfall.changes (account_id, type, data) values ($1, 'shipment.updated', '{}')`, [
        account,
      ]);
    const positionAll = () => client.query('select landfall.position_changes(100)');
    for (const account of [one, two, two, one]) await append(account);
    await positionAll();
    await client.query("update landfall.feed_positions set position = 1 where name = 'removed'");
    await append(two);

    await migrate(databaseUrl);

    for (const account of [two, one, two]) await append(account);
    await positionAll();
    const found = await client.query(
      'select account_id, array_agg(position::integer order by position) as positions from landfall.changes group by 1',
    );
    expect(new Map(found.rows.map((row) => [row.account_id, row.positions]))).toEqual(
      new Map([
        [one, [1, 4, 5]],
        [two, [2, 3, 5, 6, 7]],
      ]),
    );
    const feeds = await client.query(
      'select given::integer, removed::integer from landfall.account_feeds order by given',
    );
    expect(feeds.rows).toEqual([
      { given: 5, removed: 1 },
      { given: 7, removed: 1 },
    ]);
  } finally {
    await client.end();
    await drop();
    rmSync(folder, { recursive: true });
  }
});
