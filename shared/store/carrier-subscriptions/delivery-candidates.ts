import type { DeliveryCandidate } from '#shared/domain/carrier-subscriptions/match-delivery.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** `carrier` null: any carrier of the connector. */
export type DeliveryScope = { connector: string; carrier: string | null; values: readonly string[] };

type CandidateRow = { id: string; carrier: string; closed: boolean; numbers: { key: string; value: string }[] };

/** The account's live shipments on this connector that have one of these numbers, ordered by id. */
export async function findDeliveryCandidates(
  tx: Tx,
  accountId: string,
  scope: DeliveryScope,
): Promise<DeliveryCandidate[]> {
  if (scope.values.length === 0) return [];
  const rows = await readRows<CandidateRow>(tx, {
    name: 'find-push-candidates',
    text: `
      with named as (
        select distinct i.shipment_id
        from landfall.shipment_identifiers as i
        where i.account_id = $1 and i.match_value = any($4) and i.key in ('mbl', 'booking', 'container') and not i.test
      )
      select s.id, s.carrier, s.closed_at is not null as closed, own.numbers
      from named
      join landfall.shipments as s on s.account_id = $1 and s.id = named.shipment_id
      join landfall.polling as p on p.account_id = $1 and p.shipment_id = s.id
      cross join lateral (
        select json_agg(json_build_object('key', o.key, 'value', o.match_value)) as numbers
        from landfall.shipment_identifiers as o
        where o.account_id = $1 and o.shipment_id = s.id and o.key in ('mbl', 'booking', 'container')
      ) as own
      where p.connector = $2 and ($3::text is null or s.carrier = $3) and s.archived_at is null
        and p.state not in ('failed', 'stopped', 'completed')
      order by s.id`,
    values: [accountId, scope.connector, scope.carrier, scope.values],
  });
  return rows.map(({ id, carrier, closed, numbers }) => {
    const valuesOf = (key: string): string[] => [
      ...new Set(numbers.filter((number) => number.key === key).map(({ value }) => value)),
    ];
    return {
      shipmentId: id,
      carrier,
      closed,
      bills: valuesOf('mbl'),
      bookings: valuesOf('booking'),
      containers: valuesOf('container'),
    };
  });
}
