import type { ChangeData } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { Tx } from '../with-account.ts';

/** A visible change before it is stored. */
export type NewChange = {
  type: ChangeType;
  shipmentId: string;
  test: boolean;
  data: ChangeData;
  /** `eventKeyOf` each added event, also of those that `data` leaves out. */
  eventKeys?: readonly string[];
  traceparent: string | null;
};

/**
 * Adds changes to the feed in this order. Lock or insert the shipment's row first, so that `seq` follows its versions.
 */
export async function appendChanges(tx: Tx, accountId: string, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query({
    name: 'append-changes',
    text: `
      insert into landfall.changes (account_id, type, shipment_id, test, data, event_keys, traceparent)
      select $1, c.type, c."shipmentId", c.test, c.data, c."eventKeys", c.traceparent
      from rows from (
        jsonb_to_recordset($2::jsonb) as (type text, "shipmentId" uuid, test boolean, data jsonb, "eventKeys" text[], traceparent text)
      ) with ordinality as c (type, "shipmentId", test, data, "eventKeys", traceparent, place)
      order by c.place`,
    values: [accountId, JSON.stringify(changes)],
  });
}

export async function appendChange(tx: Tx, accountId: string, change: NewChange): Promise<void> {
  await appendChanges(tx, accountId, [change]);
}
