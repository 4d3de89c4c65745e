import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey, TrackingState } from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** One number that rows name. `place` distinguishes the lookups. `carrier` and `transportMode` null: any. */
export type NumberLookup = {
  place: number;
  key: IdentifierKey;
  matchValue: string;
  carrier: string | null;
  transportMode: TransportMode | null;
};

/** A shipment that has a number and is not archived. `closed`: its journey is over. */
export type NumberedShipment = { shipmentId: string; state: TrackingState; closed: boolean };

/** Shipments that are looked at for one number, newest first. Equipment has carried many cargoes. */
export const maxPerNumber = 50;

/**
 * The shipments that have each number, the newest first, without archived ones. Each number is an index lookup of its
 * own (`offset 0` prevents a join).
 */
export async function findNumbered(
  tx: Tx,
  accountId: string,
  { test, numbers }: { test: boolean; numbers: readonly NumberLookup[] },
): Promise<Map<number, NumberedShipment[]>> {
  const found = new Map<number, NumberedShipment[]>();
  if (numbers.length === 0) return found;
  const rows = await readRows<{ place: number; shipmentId: string; state: TrackingState; closed: boolean }>(tx, {
    name: 'find-numbered',
    text: `
      select e.place, i.shipment_id, i.state, i.closed
      from json_to_recordset($3::json) as e (place integer, key text, "matchValue" text, carrier text, "transportMode" text)
      cross join lateral (
        select i.shipment_id, p.state, s.closed_at is not null as closed
        from landfall.shipment_identifiers as i
        join landfall.shipments as s on s.account_id = i.account_id and s.id = i.shipment_id
        join landfall.polling as p on p.account_id = i.account_id and p.shipment_id = i.shipment_id
        where i.account_id = $1 and i.match_value = e."matchValue" and i.key = e.key and i.test = $2
          and (e.carrier is null or i.carrier = e.carrier) and (e."transportMode" is null or i.transport_mode = e."transportMode")
          and s.archived_at is null
        order by i.shipment_id desc
        limit ${maxPerNumber}
        offset 0
      ) as i
      order by e.place, i.shipment_id desc`,
    values: [accountId, test, JSON.stringify(numbers)],
  });
  for (const { place, shipmentId, state, closed } of rows) {
    const list = found.get(place) ?? [];
    // A number may be stored twice: by the client and by the carrier.
    if (!list.some((known) => known.shipmentId === shipmentId)) list.push({ shipmentId, state, closed });
    found.set(place, list);
  }
  return found;
}

/**
 * The shipments of each reference: the one whose first reference it is and, unless that one is open, the newest open
 * ones that have it in their list.
 * Unused references are absent.
 */
export async function findReferenced(
  tx: Tx,
  accountId: string,
  { test, references }: { test: boolean; references: readonly string[] },
): Promise<Map<string, string[]>> {
  if (references.length === 0) return new Map();
  const rows = await readRows<{ reference: string; id: string }>(tx, {
    name: 'find-referenced',
    text: `
      select r.reference, s.id
      from unnest($3::text[]) as r (reference)
      cross join lateral (
        select s.id from landfall.shipments as s where s.account_id = $1 and s.test = $2 and s.reference = r.reference offset 0
      ) as s
      union all
      select r.reference, l.shipment_id
      from unnest($3::text[]) as r (reference)
      cross join lateral (
        select l.shipment_id from landfall.shipment_references as l
        join landfall.shipments as s on s.account_id = l.account_id and s.id = l.shipment_id
        where l.account_id = $1 and l.test = $2 and l.reference = r.reference and s.archived_at is null
        order by l.shipment_id desc
        limit ${maxPerNumber}
      ) as l
      where not exists (
        select from landfall.shipments as s
        where s.account_id = $1 and s.test = $2 and s.reference = r.reference and s.archived_at is null
      )`,
    values: [accountId, test, references],
  });
  const grouped = Map.groupBy(rows, ({ reference }) => reference);
  return new Map([...grouped].map(([reference, some]) => [reference, some.map(({ id }) => id)]));
}
