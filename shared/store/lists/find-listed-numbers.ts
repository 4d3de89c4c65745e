import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import type { MatchCandidate } from '#shared/domain/registration/identifiers.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { Candidate } from './shipment-filter.ts';

/** One of several numbers that are searched together. `shipmentId`: the uuid, if the number may be an id. */
export type ListedNumber = {
  candidates: readonly MatchCandidate[];
  reference: string;
  shipmentId: string | null;
};

/** A container may have travelled often: of each number, only its newest shipments are found. */
const maxEach = 20;

/** Shipments, archived ones too, that have one of the numbers, each with the places of its numbers in the list. */
export async function findListedNumbers(
  tx: Tx,
  { accountId, test, keys }: { accountId: string; test: boolean; keys: readonly IdentifierKey[] },
  numbers: readonly ListedNumber[],
): Promise<(Candidate & { places: number[] })[]> {
  const sought = numbers.flatMap(({ candidates }, place) => candidates.map((candidate) => ({ place, ...candidate })));
  const others = numbers.map(({ reference, shipmentId }, place) => ({ place, reference, id: shipmentId }));
  return readRows<{ id: string; createdAtMs: number; places: number[] }>(tx, {
    name: 'find-listed-numbers',
    text: `
      with found as (
        select n.place, i.shipment_id as id
        from jsonb_to_recordset($3::jsonb) as n (place integer, value text, carrier text, keys text[])
        cross join lateral (
          select i.shipment_id
          from landfall.shipment_identifiers as i
          where i.account_id = $1 and i.match_value = n.value and i.test = $2 and i.key = any ($5::text[])
            and (n.keys is null or i.key = any (n.keys)) and (n.carrier is null or i.carrier = n.carrier)
          order by i.shipment_id desc
          limit ${maxEach}
        ) as i
        union
        select o.place, s.id
        from jsonb_to_recordset($4::jsonb) as o (place integer, reference text)
        join landfall.shipments as s on s.account_id = $1 and s.test = $2 and s.reference = o.reference
        union
        select o.place, r.shipment_id
        from jsonb_to_recordset($4::jsonb) as o (place integer, reference text)
        cross join lateral (
          select r.shipment_id
          from landfall.shipment_references as r
          where r.account_id = $1 and r.test = $2 and r.reference = o.reference
          order by r.shipment_id desc
          limit ${maxEach}
        ) as r
        union
        select o.place, s.id
        from jsonb_to_recordset($4::jsonb) as o (place integer, id uuid)
        join landfall.shipments as s on s.account_id = $1 and s.test = $2 and s.id = o.id
      )
      select s.id, round(extract(epoch from s.created_at) * 1000)::float8 as created_at_ms,
        array_agg(distinct f.place order by f.place) as places
      from found as f
      join landfall.shipments as s on s.account_id = $1 and s.test = $2 and s.id = f.id
      group by s.id, s.created_at`,
    values: [accountId, test, JSON.stringify(sought), JSON.stringify(others), keys],
  });
}
