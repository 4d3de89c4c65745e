import type { ChangeData, EndpointChangeData } from '#shared/domain/feed/change.ts';
import type { ShipmentChangeType } from '#shared/domain/feed/change-types.ts';
import type { Tx } from '../with-account.ts';
import { noteWrittenChanges } from './committed-changes.ts';
import { eventHashes } from './event-hashes.ts';
import { packChanges } from './packed-changes.ts';

/** A visible change of a shipment before it is stored. */
export type NewChange = {
  type: ShipmentChangeType;
  shipmentId: string;
  test: boolean;
  data: ChangeData;
  /** `eventKeyOf` each added event, also of those that `data` leaves out. */
  eventKeys?: readonly string[];
  traceparent: string | null;
};

/**
 * Adds changes to the feed in this order. Lock or insert the shipment's row first, so that `write_order` follows its versions.
 * Successive changes with the same snapshot and trace are packed together into the last of them, which is deleted last.
 */
export async function appendChanges(tx: Tx, accountId: string, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return;
  noteWrittenChanges(tx);
  await tx.query({
    name: 'append-changes',
    text: `
      insert into landfall.changes (account_id, type, shipment_id, test, packed, packed_place, event_marks, traceparent)
      select $1, c.type, c.shipment_id, c.test, decode(c.packed, 'base64'), c.packed_place, c.event_marks, c.traceparent
      from rows from (
        jsonb_to_recordset($2::jsonb) as (
          type text, "shipmentId" uuid, test boolean, "eventHashes" integer[], "packedPlace" smallint, packed text, traceparent text
        )
      ) with ordinality as c (type, shipment_id, test, event_marks, packed_place, packed, traceparent, place)
      order by c.place`,
    values: [accountId, JSON.stringify(packedTogether(changes).flatMap(rowsOf))],
  });
}

export async function appendChange(tx: Tx, accountId: string, change: NewChange): Promise<void> {
  await appendChanges(tx, accountId, [change]);
}

/** Says in the feed that a webhook endpoint was disabled. */
export async function appendEndpointChange(
  tx: Tx,
  accountId: string,
  change: { test: boolean; data: EndpointChangeData; traceparent: string | null },
): Promise<void> {
  noteWrittenChanges(tx);
  await tx.query({
    name: 'append-endpoint-change',
    text: `
      insert into landfall.changes (account_id, type, test, data, traceparent)
      values ($1, 'webhook.disabled', $2, $3::jsonb, $4)`,
    values: [accountId, change.test, JSON.stringify(change.data), change.traceparent],
  });
}

/** Larger values would make a page that shows one change of many unpack all of them. */
const maxTogether = 50;

function packedTogether(changes: readonly NewChange[]): NewChange[][] {
  const packs: NewChange[][] = [];
  for (const change of changes) {
    const last = packs.at(-1);
    if (last !== undefined && last.length < maxTogether && isMadeWith(last[0], change)) last.push(change);
    else packs.push([change]);
  }
  return packs;
}

function isMadeWith(first: NewChange | undefined, { data, traceparent }: NewChange): boolean {
  return first?.data.shipment === data.shipment && first.traceparent === traceparent;
}

function rowsOf(together: readonly NewChange[]) {
  const packed = packChanges(together.map(({ data }) => data)).toString('base64');
  return together.map(({ type, shipmentId, test, eventKeys, traceparent }, packedPlace) => ({
    type,
    shipmentId,
    test,
    packedPlace,
    ...(eventKeys && { eventHashes: eventHashes(eventKeys) }),
    ...(packedPlace === together.length - 1 && { packed, traceparent }),
  }));
}
