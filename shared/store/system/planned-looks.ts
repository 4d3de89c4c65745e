import type { Tx } from '../open-store.ts';

export type PlannedLooks = {
  connector: string;
  /** Some shipment is to be looked at, now or later. */
  planned: boolean;
  /** Some shipment should have been looked at by now; it may be under way. */
  due: boolean;
};

/** What there is to do for each of these connectors: two steps into one index each. */
export async function readPlannedLooks(tx: Tx, connectors: readonly string[]): Promise<PlannedLooks[]> {
  const { rows } = await tx.query<PlannedLooks>({
    name: 'read-planned-looks',
    text: `
      select c.connector, first.next_check_at is not null as planned, coalesce(first.next_check_at <= now(), false) as due
      from unnest($1::text[]) as c (connector)
      left join lateral (
        select p.next_check_at from landfall.polling as p
        where p.connector = c.connector and p.next_check_at is not null
        order by p.next_check_at
        limit 1
      ) as first on true`,
    values: [connectors],
  });
  return rows;
}
