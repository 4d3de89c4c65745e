import type pg from 'pg';

/** The disk size of one relation of the schema, in bytes, and how its rows were written since the statistics began. */
export type TableSize = {
  table: string;
  rows: number;
  deadRows: number;
  /** Rows and their out-of-line values (TOAST). */
  heapBytes: number;
  /** Of it, the out-of-line values with their index. */
  toastBytes: number;
  indexBytes: Record<string, number>;
  inserted: number;
  updated: number;
  updatedInPlace: number;
  deleted: number;
};

/** The tables of the schema that aren't empty, largest first. */
export async function readTableSizes(client: pg.Client): Promise<TableSize[]> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<TableSize>(`
    select s.relname as table, s.n_live_tup::float8 as rows, s.n_dead_tup::float8 as "deadRows", pg_table_size(s.relid)::float8 as "heapBytes",
      (select coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)::float8 from pg_class as c where c.oid = s.relid) as "toastBytes",
      coalesce((
        select jsonb_object_agg(i.indexrelname, pg_relation_size(i.indexrelid))
        from pg_stat_user_indexes as i
        where i.relid = s.relid
      ), '{}') as "indexBytes",
      s.n_tup_ins::float8 as inserted, s.n_tup_upd::float8 as updated, s.n_tup_hot_upd::float8 as "updatedInPlace", s.n_tup_del::float8 as deleted
    from pg_stat_user_tables as s
    where s.schemaname = 'landfall' and s.relname <> 'migrations' and pg_relation_size(s.relid) > 0
    order by pg_total_relation_size(s.relid) desc`);
  return rows;
}

export function totalBytes(size: TableSize): number {
  return size.heapBytes + indexBytes(size);
}

export function indexBytes(size: TableSize): number {
  return Object.values(size.indexBytes).reduce((sum, bytes) => sum + bytes, 0);
}

/** Formats the bytes per shipment of each table, with its indexes one by one. */
export function costTable(sizes: readonly TableSize[], shipments: number): string {
  const per = (bytes: number) => (bytes / shipments).toFixed(0);
  const lines = sizes.flatMap((size) => [
    [size.table, (size.rows / shipments).toFixed(1), per(size.heapBytes), per(indexBytes(size)), per(totalBytes(size))],
    ...Object.entries(size.indexBytes)
      .toSorted(([, left], [, right]) => right - left)
      .map(([index, bytes]) => [`  ${index}`, '', '', per(bytes), '']),
  ]);
  const all = sizes.reduce((sum, size) => sum + totalBytes(size), 0);
  return aligned([['bytes per shipment', 'rows', 'table', 'indexes', 'all'], ...lines, ['all', '', '', '', per(all)]]);
}

/** The tables after the work beside the tables before it. */
export function growthTable(before: readonly TableSize[], after: readonly TableSize[]): string {
  const head = ['table', 'rows', 'table MB', 'index MB', 'dead rows', 'updates', 'in place'];
  const lines = after.map((size) => {
    const start = before.find(({ table }) => table === size.table);
    const updated = size.updated - (start?.updated ?? 0);
    const inPlace = size.updatedInPlace - (start?.updatedInPlace ?? 0);
    const both = (of: (one: TableSize) => number, digits = 0) =>
      `${start === undefined ? 0 : of(start).toFixed(digits)} → ${of(size).toFixed(digits)}`;
    return [
      size.table,
      both(({ rows }) => rows),
      both(({ heapBytes }) => heapBytes / 1e6, 1),
      both((one) => indexBytes(one) / 1e6, 1),
      both(({ deadRows }) => deadRows),
      updated.toFixed(0),
      updated === 0 ? '' : `${((100 * inPlace) / updated).toFixed(0)} %`,
    ];
  });
  return aligned([head, ...lines]);
}

/** Columns of equal width. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
