import pg from 'pg';

export type Statement = {
  name?: string;
  text: string;
  values?: readonly unknown[];
  /** Rejects after it, when the server does not respond. Default: that of the pool. */
  maxSilenceMs?: number;
};

/**
 * For statements that take milliseconds: a server that does not answer one of them in this time answers none, such as
 * while packets to it vanish, and each of them would otherwise hold its request for the longest statement of its pool.
 */
export const maxSilenceMs = 4000;

type Answers = { query: (statement: pg.QueryArrayConfig) => Promise<pg.QueryArrayResult<unknown[]>> };

/** `columns` as the database names them, `keys` as the rows do, both in the order of the values. */
type Shape = { columns: string[]; keys: string[]; empty: Record<string, unknown> };

const timestampArrayOid = 1185;
const bigintArrayOid = 1016;

/** One shape for each prepared statement. There are as many of them as the code has statements. */
const shapes = new Map<string, Shape>();

/**
 * The rows that a statement returns, with their columns in camelCase: `created_at` becomes `createdAt`. Keys inside JSON
 * values stay as the SQL says. `timestamptz` is ISO UTC text with milliseconds, `bigint` is a number.
 */
export async function readRows<Row>(
  connection: Answers,
  { name, text, values, maxSilenceMs: own }: Statement,
): Promise<Row[]> {
  const { fields, rows } = await connection.query({
    ...(name === undefined ? {} : { name }),
    ...(values === undefined ? {} : { values: [...values] }),
    ...(own === undefined ? {} : { query_timeout: own }),
    ...{ text, rowMode: 'array', types: rowTypes },
  });
  const { keys, empty } = shapeOf(name, fields);
  return rows.map((found) => {
    const row = { ...empty };
    for (let index = 0; index < keys.length; index++) row[keys[index] as string] = found[index];
    return row as Row;
  });
}

/** The key in a row for a column. */
export function keyOf(column: string): string {
  return column.replace(/(?<=.)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A row that SQL returned inside JSON, with the keys that `readRows` gives it. Its values stay as JSON has them. */
export function withRowKeys<Row>(json: Record<string, unknown>): Row {
  return Object.fromEntries(Object.entries(json).map(([column, value]) => [keyOf(column), value])) as Row;
}

function shapeOf(name: string | undefined, fields: readonly pg.FieldDef[]): Shape {
  const known = name === undefined ? undefined : shapes.get(name);
  if (known !== undefined && describes(known, fields)) return known;
  const shape = formShape(fields.map((field) => field.name));
  if (name !== undefined) shapes.set(name, shape);
  return shape;
}

/** A prepared statement may return other columns than before: under one name in two databases, for example. */
function describes({ columns }: Shape, fields: readonly pg.FieldDef[]): boolean {
  return columns.length === fields.length && fields.every((field, index) => field.name === columns[index]);
}

function formShape(columns: string[]): Shape {
  const keys = columns.map(keyOf);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw new Error(`two columns of one statement become ${twice}: ${columns.join(', ')}`);
  return { columns, keys, empty: Object.fromEntries(keys.map((key) => [key, null])) };
}

const rowTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8) return Number;
    if (oid === pg.types.builtins.TIMESTAMPTZ) return isoTime;
    if (oid === timestampArrayOid) return (text: string) => textArray(text).map(elementAs(isoTime));
    if (oid === bigintArrayOid) return (text: string) => textArray(text).map(elementAs(Number));
    return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
  },
} as pg.CustomTypesConfig;

/**
 * Converts a `timestamptz` as PostgreSQL prints it in UTC (`2026-03-01 09:00:00.123456+00`) to ISO UTC with
 * milliseconds. Without a `Date`, which would be the most expensive part of reading a row.
 */
export function isoTime(text: string): string {
  const isUsual =
    text.endsWith('+00') && text.charCodeAt(10) === 32 && (text.length === 22 || text.charCodeAt(19) === 46);
  if (isUsual) return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`;
  const parsed: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')(text);
  if (!(parsed instanceof Date)) throw new Error(`the time ${text} has no ISO text`);
  return parsed.toISOString();
}

const textArrayOid = 1009;

function textArray(text: string): (string | null)[] {
  return pg.types.getTypeParser(textArrayOid as never, 'text')(text) as unknown as (string | null)[];
}

function elementAs<T>(parse: (text: string) => T): (element: string | null) => T | null {
  return (element) => (element === null ? null : parse(element));
}
