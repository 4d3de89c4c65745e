import type { ChangeData } from '#shared/domain/feed/change.ts';
import { unpackChanges } from '#shared/store/feed/packed-changes.ts';

type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>;

type StoredChange = { shipment_id: string; type: string; data: ChangeData };

/** The changes of shipments as they are stored, in the order in which they were made. */
export async function storedChanges(query: Query, shipmentIds: readonly string[]): Promise<StoredChange[]> {
  const rows = await query<{
    shipment_id: string;
    type: string;
    data: ChangeData | null;
    packed: Buffer | null;
    packed_place: number;
  }>(
    `select c.shipment_id, c.type, c.data, c.packed_place,
       coalesce(c.packed, (
         select h.packed from landfall.changes as h
         where h.account_id = c.account_id and h.shipment_id = c.shipment_id and h.write_order > c.write_order and h.packed is not null
         order by h.write_order
         limit 1
       )) as packed
     from landfall.changes as c where c.shipment_id = any ($1) order by c.write_order`,
    [shipmentIds],
  );
  return rows.map(({ shipment_id, type, data, packed, packed_place }) => {
    const stored = data ?? (packed && unpackChanges(packed).dataAt(packed_place));
    if (stored === null) throw new Error('a change has no data');
    return { shipment_id, type, data: stored };
  });
}
