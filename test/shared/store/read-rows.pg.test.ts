import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keyOf, readRows } from '#shared/store/read-rows.ts';
import { sendInOrder } from '#shared/store/send-in-order.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
let accountId: string;

beforeAll(async () => {
  core = await openTestCore();
  ({ accountId } = await core.newCaller());
});

afterAll(() => core.close());

function inAccount<T>(fn: (tx: Tx) => Promise<T>): Promise<T> {
  return withAccount(core.store, accountId, fn);
}

function readText(text: string, name?: string): Promise<unknown[]> {
  return inAccount((tx) => readRows(tx, { text, ...(name === undefined ? {} : { name }) }));
}

const columnOf = (key: string) => key.replace(/[A-Z0-9]/g, (letter) => `_${letter.toLowerCase()}`);

describe('names', () => {
  test('a column in snake case becomes a key in camel case, and nothing else changes', () => {
    const names = ['id', 'created_at', 'embed_origins', 'held_for_s', '_x', 'position', 'openSince', '?column?'];
    expect(names.map(keyOf)).toEqual([
      ...['id', 'createdAt', 'embedOrigins', 'heldForS', '_x', 'position', 'openSince', '?column?'],
    ]);
  });

  test('the key of every column of the schema leads back to one column', async () => {
    const columns = await inAccount((tx) =>
      readRows<{ table: string; column: string }>(tx, {
        text: `select c.relname as "table", a.attname as "column" from pg_attribute as a
          join pg_class as c on c.oid = a.attrelid and c.relnamespace = 'landfall'::regnamespace and c.relkind = 'r'
          where a.attnum > 0 and not a.attisdropped`,
      }),
    );
    expect(columns.length).toBeGreaterThan(300);
    for (const { column } of columns)
      expect(columnOf(keyOf(column)).replaceAll('_', '')).toBe(column.replaceAll('_', ''));
    const keys = new Set(columns.map(({ table, column }) => `${table} ${keyOf(column)}`));
    expect(keys.size).toBe(columns.length);
  });

  test.each([
    ['select 1 as a_b, 2 as "aB"', 'aB'],
    ['select 1 as id, 2 as id', 'id'],
    ['select 1 as a_b, 2 as "aB" where false', 'aB'],
  ])('two columns with one key are refused: %s', async (text, key) => {
    await expect(readText(text)).rejects.toThrow(`two columns of one statement become ${key}`);
  });

  test('keys inside JSON stay as in the SQL', async () => {
    const text = `select json_build_object('a_b', 1) as of_json, '[{"c_d": 2}]'::jsonb as of_jsonb`;
    expect(await readText(text)).toEqual([{ ofJson: { a_b: 1 }, ofJsonb: [{ c_d: 2 }] }]);
  });

  test('a name that prepares other columns on another connection has their keys', async () => {
    const system = (text: string) => readRows(core.store.system, { name: 'two-shapes', text });
    expect(await readText('select 1 as first_one, 2 as second_one', 'two-shapes')).toEqual([
      { firstOne: 1, secondOne: 2 },
    ]);
    expect(await system('select 3 as third_one')).toEqual([{ thirdOne: 3 }]);
  });
});

describe('values', () => {
  test('a timestamp is ISO text with milliseconds, cut and not rounded', async () => {
    const text = `select t as at_time from unnest(array[
      '2026-03-01T12:00:00.123999Z', '2026-03-01T12:00:00Z', '2026-03-01T12:00:00.5Z', '2026-03-01T14:00:00.05+02:00',
      '0044-03-15 12:00:00+00 BC', '12026-03-01T12:00:00.001Z', null
    ]::timestamptz[]) as t`;
    expect(await readText(text)).toEqual([
      { atTime: '2026-03-01T12:00:00.123Z' },
      { atTime: '2026-03-01T12:00:00.000Z' },
      { atTime: '2026-03-01T12:00:00.500Z' },
      { atTime: '2026-03-01T12:00:00.050Z' },
      { atTime: '-000043-03-15T12:00:00.000Z' },
      { atTime: '+012026-03-01T12:00:00.001Z' },
      { atTime: null },
    ]);
  });

  test('a timestamp is the same instant in a session of another time zone', async () => {
    const rows = await inAccount(async (tx) => {
      await tx.query("set local timezone = 'Asia/Kolkata'");
      return readRows(tx, { text: "select '2026-03-01T12:00:00.25Z'::timestamptz as at" });
    });
    expect(rows).toEqual([{ at: '2026-03-01T12:00:00.250Z' }]);
  });

  test('an infinite timestamp is refused, and the connection stays usable', async () => {
    const seen = await inAccount(async (tx) => {
      const refused = await readRows(tx, { text: "select 'infinity'::timestamptz as at" }).catch(String);
      return [refused, await readRows(tx, { text: 'select 1 as next_one' })];
    });
    expect(seen).toEqual(['Error: the time infinity has no ISO text', [{ nextOne: 1 }]]);
  });

  test('arrays, nulls, bigint, numeric, bytes and dates as text', async () => {
    const text = `select array['2026-03-01T12:00:00Z', null]::timestamptz[] as some_times, array[1, null]::bigint[] as some_numbers,
      array['a,b', null, '{}'] as some_texts, array[]::bigint[] as no_numbers, null::timestamptz as no_time, 9007199254740991::bigint as large,
      1.50::numeric as exact, '\\x0102'::bytea as some_bytes, true as is_set`;
    expect(await readText(text)).toEqual([
      {
        someTimes: ['2026-03-01T12:00:00.000Z', null],
        someNumbers: [1, null],
        someTexts: ['a,b', null, '{}'],
        noNumbers: [],
        noTime: null,
        large: 9007199254740991,
        exact: '1.50',
        someBytes: Buffer.from([1, 2]),
        isSet: true,
      },
    ]);
  });

  test('a row keeps its values after the next one arrives', async () => {
    const rows = await readText('select n as of_row from generate_series(1, 3) as n');
    expect(rows).toEqual([{ ofRow: 1 }, { ofRow: 2 }, { ofRow: 3 }]);
    expect(new Set(rows).size).toBe(3);
  });
});

describe('answers', () => {
  test('a statement may have no rows or no columns', async () => {
    expect(await readText('select 1 as a_b where false')).toEqual([]);
    expect(await readText('select from generate_series(1, 2)')).toEqual([{}, {}]);
  });

  test('a prepared statement has its own values each time', async () => {
    const rows = await inAccount(async (tx) => {
      const statement = { name: 'read-rows-twice', text: 'select $1::int as of_value' };
      return [await readRows(tx, { ...statement, values: [1] }), await readRows(tx, { ...statement, values: [2] })];
    });
    expect(rows).toEqual([[{ ofValue: 1 }], [{ ofValue: 2 }]]);
  });

  test('statements sent without waiting each have their own rows', async () => {
    const seen: unknown[] = [];
    const read = (text: string) => async (tx: Tx) => {
      seen.push(await readRows(tx, { text }));
    };
    await inAccount((tx) =>
      sendInOrder(tx, [read('select 1 as first_one'), read('select now() - now() is null as second_one')]),
    );
    expect(seen).toEqual([[{ firstOne: 1 }], [{ secondOne: false }]]);
  });

  test('an error after the first rows rejects, and the next statement has its rows', async () => {
    const seen = await inAccount(async (tx) => {
      await tx.query('savepoint before');
      const failed = await readRows(tx, {
        text: 'select 10 / (5000 - n) as of_row from generate_series(1, 5000) as n',
      }).catch((error: unknown) => Object(error).code);
      await tx.query('rollback to savepoint before');
      return [failed, await readRows(tx, { text: 'select 1 as next_one' })];
    });
    expect(seen).toEqual(['22012', [{ nextOne: 1 }]]);
  });
});
