import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from '#infra/migrate.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';

const migrations = fileURLToPath(new URL('../../infra/migrations', import.meta.url));

/** The migrations of the release before rows were stored as cells. */
function earlierRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-migrations-'));
  cpSync(migrations, folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name >= '0005') rmSync(join(folder, name));
  return folder;
}

test('turns rows that an earlier release stored as lines of CSV into cells', async () => {
  const folder = earlierRelease();
  const { databaseUrl, drop } = await emptyDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await migrate(databaseUrl, { folder });
    await client.connect();
    const { rows } = await client.query("insert into landfall.accounts (name) values ('old') returning id");
    const account = rows[0].id;
    const options = { delimiter: ';', columns: ['mbl', 'reference'], carrier: null, transportMode: null };
    const found = await client.query(
      `insert into landfall.imports (account_id, test, format, options, dry_run, received)
        values ($1, false, 'csv', $2, false, 3) returning id`,
      [account, JSON.stringify(options)],
    );
    const importId = found.rows[0].id;
    const stored = JSON.stringify([['1;"a ""b"";\nc"'], ['2;'], ['"open', 'open_quote']]);
    await client.query(
      `insert into landfall.import_chunks (account_id, import_id, number, first_row, row_count, content_hash, rows)
        values ($1, $2, 0, 1, 3, sha256('x'), $3)`,
      [account, importId, stored],
    );
    await client.query(
      `insert into landfall.import_errors (account_id, import_id, row_number, raw, code, detail)
        values ($1, $2, 9, ';"x"', 'validation_failed', 'd')`,
      [account, importId],
    );

    await migrate(databaseUrl);

    const chunk = await client.query('select rows from landfall.import_chunks');
    expect(JSON.parse(chunk.rows[0].rows)).toEqual([
      { line: 2, content: ['1', 'a "b";\nc'], problem: null },
      { line: 3, content: ['2', ''], problem: null },
      { line: 4, content: ['"open'], problem: 'open_quote' },
    ]);
    const errors = await client.query('select raw, severity, line from landfall.import_errors');
    expect(errors.rows.map((row) => ({ ...row, raw: JSON.parse(row.raw) }))).toEqual([
      { raw: ['', 'x'], severity: 'error', line: null },
    ]);
  } finally {
    await client.end();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
