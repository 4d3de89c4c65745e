import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** The ids of shipments, and the numbers and references by which other rows mention them. */
export type Mentions = { ids: readonly string[]; names: readonly string[] };

/** Shorter references would match rows about anything. */
const minNameLength = 4;

/**
 * Reads the numbers and texts of these shipments that copies may mention. Shipments that the account doesn't have are
 * left out.
 */
export async function readMentions(tx: Tx, accountId: string, shipmentIds: readonly string[]): Promise<Mentions> {
  const rows = await readRows<{ ids: string[]; names: string[] }>(tx, {
    name: 'read-mentions',
    text: `
      with found as (
        select id, reference, reference_list from landfall.shipments where account_id = $1 and id = any ($2::uuid[])
      ),
      named as (
        select reference as name from found where reference is not null
        union
        select r.name from found cross join lateral unnest(reference_list) as r (name)
        union
        select n.name
        from landfall.shipment_identifiers as i
        cross join lateral (values (i.value), (i.match_value)) as n (name)
        where i.account_id = $1 and i.shipment_id = any (array(select id from found))
      )
      select array(select id::text from found) as ids,
        array(select name from named where length(name) >= ${minNameLength} order by name) as names`,
    values: [accountId, shipmentIds],
  });
  return rows[0] ?? { ids: [], names: [] };
}

/** Progress of a search through the copies of an account. Null: it is over. */
export type CopyPlace = { table: number; after: string[] } | null;

export const firstCopies: CopyPlace = { table: 0, after: [] };

/**
 * Deletes a page of the rows that hold what a client or a carrier sent about these shipments: responses stored for an
 * Idempotency-Key, failed import rows, and processed deliveries of carriers. Returns where to go on.
 */
export async function forgetCopies(
  tx: Tx,
  accountId: string,
  { mentions, place }: { mentions: Mentions; place: NonNullable<CopyPlace> },
): Promise<CopyPlace> {
  const table = copies[place.table];
  if (table === undefined) return null;
  const next = { table: place.table + 1, after: [] };
  const wanted = table.by === 'id' ? mentions.ids : mentions.names;
  if (wanted.length === 0) return next;
  const [row] = await readRows<{ read: number; last: string[] | null }>(tx, {
    name: `forget-copies-${place.table}${place.after.length === 0 ? '' : '-after'}`,
    text: textOf(table, place.after.length > 0),
    values: [accountId, table.pageSize, patternsOf(wanted), ...place.after],
  });
  return row === undefined || row.last === null || row.read < table.pageSize
    ? next
    : { table: place.table, after: row.last };
}

type CopyTable = {
  name: string;
  key: readonly (readonly [column: string, type: string])[];
  content: string;
  only: string;
  by: 'id' | 'name';
  /** Rows that one call reads: few megabytes, also where rows are as large as they can be. */
  pageSize: number;
};

const copies: readonly CopyTable[] = [
  {
    name: 'idempotency',
    key: [
      ['route', 'text'],
      ['key', 'text'],
    ],
    content: 'response::text',
    only: 'true',
    by: 'id',
    // The response to a batch has a thousand records.
    pageSize: 50,
  },
  {
    name: 'import_errors',
    key: [
      ['import_id', 'uuid'],
      ['row_number', 'bigint'],
    ],
    content: 'raw',
    only: 'true',
    by: 'name',
    pageSize: 500,
  },
  {
    name: 'carrier_deliveries',
    key: [['id', 'uuid']],
    content: `encode(body, 'escape')`,
    only: `state <> 'received'`,
    by: 'name',
    pageSize: 50,
  },
];

function textOf({ name, key, content, only }: CopyTable, goesOn: boolean): string {
  const columns = key.map(([column]) => column).join(', ');
  const after = key.map(([, type], index) => `$${index + 4}::${type}`).join(', ');
  const same = key.map(([column]) => `c.${column} = p.${column}`).join(' and ');
  const last = key.map(([column]) => `${column}::text`).join(', ');
  const backwards = key.map(([column]) => `${column} desc`).join(', ');
  return `
      with page as materialized (
        select ${columns}, ${only} and ${content} ~ any ($3::text[]) as mentions from landfall.${name}
        where account_id = $1 ${goesOn ? `and (${columns}) > (${after})` : ''}
        order by ${columns}
        limit $2
      ),
      gone as (
        delete from landfall.${name} as c using page as p where c.account_id = $1 and ${same} and p.mentions
      )
      select (select count(*)::integer from page) as read, (select array[${last}] from page order by ${backwards} limit 1) as last`;
}

/** PostgreSQL refuses expressions of about ten thousand words. */
const wordsPerPattern = 300;

/** Whole words only: one number may be the beginning of another. */
function patternsOf(words: readonly string[]): string[] {
  const escaped = words.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, (character) => `\\${character}`));
  const patterns: string[] = [];
  for (let from = 0; from < escaped.length; from += wordsPerPattern)
    patterns.push(`(^|[^[:alnum:]])(${escaped.slice(from, from + wordsPerPattern).join('|')})([^[:alnum:]]|$)`);
  return patterns;
}
