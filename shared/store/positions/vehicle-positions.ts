import type { VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import type { Tx } from '../with-account.ts';

export type ShipmentPosition = VehiclePosition & { shipmentId: string };

/**
 * Keeps the positions that are newer than the known ones, at most one for each shipment. Closed shipments and those
 * that the account doesn't have are skipped.
 */
export async function keepPositions(tx: Tx, accountId: string, positions: readonly ShipmentPosition[]): Promise<void> {
  if (positions.length === 0) return;
  await tx.query({
    name: 'keep-positions',
    text: `
      insert into landfall.vehicle_positions as v (account_id, shipment_id, lat, lng, at, source, vehicle)
      select distinct on (s.id) s.account_id, s.id, p.lat, p.lng, p.at, p.source, p.vehicle
      from json_to_recordset($2::json) as p ("shipmentId" uuid, lat float8, lng float8, at timestamptz, source text, vehicle jsonb)
      join landfall.shipments as s on s.account_id = $1 and s.id = p."shipmentId"
      where s.closed_at is null and s.id = any ($3::uuid[])
      -- Two of the same moment: whichever came first, the same one stays.
      order by s.id, p.at desc, p.source, p.lat, p.lng
      on conflict (account_id, shipment_id) do update
      set lat = excluded.lat, lng = excluded.lng, at = excluded.at, source = excluded.source, vehicle = excluded.vehicle
      where excluded.at > v.at`,
    values: [accountId, JSON.stringify(positions), [...new Set(positions.map(({ shipmentId }) => shipmentId))]],
  });
}
