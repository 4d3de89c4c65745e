import type pg from 'pg';
import type { TestApi } from '#test/support/api/api.ts';

/** They change without a request: when a job is claimed, and whenever a key is used. */
const restless = ['lease_until', 'epoch', 'next_refresh_at', 'last_used_at'];

/** A hash of the rows that each table has of the first account, and of all people and sessions. */
export async function rowsOfAccount(api: TestApi, database: pg.Client): Promise<Record<string, string>> {
  // A first refresh that the queue did not take in time gives its lease back, which changes a row.
  await api.ctx.core.registrations.settled();
  const { rows: tables } = await database.query<{ name: string; owner: string }>(`
    select format('%I.%I', c.table_schema, c.table_name) as name, c.column_name as owner
    from information_schema.columns as c
    where (c.table_schema = 'landfall' and c.column_name = 'account_id')
      or (c.table_schema = 'landfall' and c.table_name = 'accounts' and c.column_name = 'id')
      or (c.table_schema = 'auth' and c.column_name = 'organization_id')`);
  if (tables.length < 20) throw new Error(`only ${tables.length} tables belong to accounts`);
  const hashes = tables.map(
    ({ name, owner }) => `
      select '${name}' as name, concat(count(*), ' ', md5(string_agg(row, '|' order by row))) as hash
      from (select (to_jsonb(t) - $2::text[])::text as row from ${name} as t where ${owner} = $1) as r`,
  );
  const { rows } = await database.query<{ name: string; hash: string }>(hashes.join(' union all '), [
    api.accountId,
    restless,
  ]);
  const { rows: people } = await database.query(
    'select u::text, s.id from auth.users as u left join auth.sessions as s on s.user_id = u.id order by 2',
  );
  return { ...Object.fromEntries(rows.map(({ name, hash }) => [name, hash])), people: JSON.stringify(people) };
}
