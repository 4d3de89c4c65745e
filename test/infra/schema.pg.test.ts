import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { schemaFile, schemaText } from '#infra/scripts/generate-schema.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A migrated database after these statements. */
async function databaseAfter(statements: string): Promise<string> {
  const { databaseUrl, drop } = await ownDatabase();
  cleanups.push(drop);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
  return databaseUrl;
}

it('matches infra/schema.sql after all migrations', async () => {
  const text = await schemaText(await databaseAfter(''));
  expect(readFileSync(schemaFile, 'utf8'), 'infra/schema.sql is out of date: run npm run generate').toBe(text);
});

it('shows every kind of change, and neither daily partitions nor the table of migrations', async () => {
  const databaseUrl = await databaseAfter(`
    create table landfall.planted (n integer default 7, word text collate "C", constraint planted_n check (n > 1))
      with (fillfactor = 60);
    create unique index planted_words on landfall.planted (word) where n > 2;
    create policy planted_rows on landfall.planted for select to landfall_app using (word = 'Two  Words');
    grant select (n, word), delete on landfall.planted to landfall_app;
    alter table landfall.planted enable row level security;
    create function landfall.plant() returns trigger language plpgsql as 'begin return null; end';
    create trigger planting after insert on landfall.planted for each row execute function landfall.plant();
    create sequence landfall.planted_seq as integer;
    create table landfall.spans_20200101 partition of landfall.spans
      for values from ('2020-01-01 00:00:00+00') to ('2020-01-02 00:00:00+00')`);
  const text = await schemaText(databaseUrl);
  expect(text).toContain(`create table landfall.planted (
  n integer default 7,
  word text collate "C",
  constraint planted_n check ((n > 1))
) with (fillfactor = 60);
create unique index planted_words on landfall.planted (word) where (n > 2);
create trigger planting after insert on landfall.planted for each row execute function landfall.plant();
alter table landfall.planted enable row level security;
create policy planted_rows on landfall.planted for select to landfall_app using (word = 'Two  Words');
grant delete on landfall.planted to landfall_app;
grant select (n, word) on landfall.planted to landfall_app;
`);
  expect(text).toContain(`create function landfall.plant()
  returns trigger
  language plpgsql
as $$begin return null; end$$;
`);
  expect(text).toContain('create sequence landfall.planted_seq as integer cache 1;\n');
  expect(text).not.toMatch(/_2\d{7}|landfall\.migrations/);
});
