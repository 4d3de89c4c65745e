import type { Tx } from '../open-store.ts';

export type ScheduledRefreshes = {
  connector: string;
  /** Some shipment is to be looked at, now or later. */
  planned: boolean;
  /** Some shipment should have been looked at by now; it may be under way. */
  due: boolean;
};

/** What there is to do for each of these connectors: two steps into one index each. */
export async function readScheduledRefreshes(tx: Tx, connectors: readonly string[]): Promise<ScheduledRefreshes[]> {
  const { rows } = await tx.query<ScheduledRefreshes>({
    name: 'read-planned-refreshes',
    text: `
      select c.connector, first.next_refresh_at is not null as planned, coalesce(first.next_refresh_at <= now(), false) as due
      from unnest($1::text[]) as c (connector)
      left join lateral (
        select p.next_refresh_at from landfall.polling as p
        where p.connector = c.connector and p.next_refresh_at is not null
        order by p.next_refresh_at
        limit 1
      ) as first on true`,
    values: [connectors],
  });
  return rows;
}
