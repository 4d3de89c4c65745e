import { readRows } from '../../read-rows.ts';
import type { Tx } from '../../with-account.ts';

/** The encrypted texts of each table: the column of the key's version, and that of the text. */
const columnsOf = {
  carrier_subscriptions: {
    present: ['key_version', 'secret_sealed'],
    previous: ['previous_key_version', 'previous_sealed'],
  },
  webhook_endpoints: {
    present: ['key_version', 'secret_sealed'],
    previous: ['previous_key_version', 'previous_sealed'],
    headers: ['headers_key_version', 'headers_sealed'],
  },
  alert_channels: {
    url: ['key_version', 'url_sealed'],
    secret: ['secret_key_version', 'secret_sealed'],
  },
} as const satisfies Record<string, Record<string, readonly [version: string, text: string]>>;

export type SealedTable = keyof typeof columnsOf;

/** `which` of the row's encrypted texts this is. */
export type SealedText<Table extends SealedTable> = {
  accountId: string;
  id: string;
  which: keyof (typeof columnsOf)[Table] & string;
  keyVersion: string;
  sealed: Buffer;
};

/**
 * Encrypted texts of up to `limit` rows after an id that have one encrypted with a key other than `keyVersion`, ordered
 * by id.
 */
export async function readOtherwiseSealedTexts<Table extends SealedTable>(
  tx: Tx,
  table: Table,
  search: { keyVersion: string; after: string | null; limit: number },
): Promise<SealedText<Table>[]> {
  const texts: [string, readonly [string, string]][] = Object.entries(columnsOf[table]);
  const isOther = texts.map(([, [version]]) => `${version} <> $1`).join(' or ');
  const each = texts.map(([which, [version, sealed]]) => `('${which}', f.${version}, f.${sealed})`).join(', ');
  return readRows<SealedText<Table>>(tx, {
    name: `read-otherwise-sealed-${table}`,
    text: `
      with found as (
        select * from landfall.${table}
        where (${isOther}) and ($2::uuid is null or id > $2)
        order by id
        limit $3
      )
      select f.account_id, f.id, s.which, s.key_version, s.sealed
      from found as f
      cross join lateral (values ${each}) as s (which, key_version, sealed)
      where s.key_version <> $1
      order by f.id`,
    values: [search.keyVersion, search.after, search.limit],
  });
}

/** Stores the same text encrypted with another key. False when it was changed concurrently. */
export async function writeResealedText<Table extends SealedTable>(
  tx: Tx,
  table: Table,
  { was, now }: { was: SealedText<Table>; now: { keyVersion: string; sealed: Buffer } },
): Promise<boolean> {
  const columns: Record<string, readonly [string, string]> = columnsOf[table];
  const [version, sealed] = columns[was.which] ?? [];
  const { rowCount } = await tx.query({
    name: `write-resealed-${table}-${was.which}`,
    text: `
      update landfall.${table} set ${version} = $3, ${sealed} = $4
      where account_id = $1 and id = $2 and ${sealed} = $5`,
    values: [was.accountId, was.id, now.keyVersion, now.sealed, was.sealed],
  });
  return rowCount === 1;
}
