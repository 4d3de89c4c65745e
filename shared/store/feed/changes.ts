import type { ChangeData } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { Tx } from '../with-account.ts';
import { packChanges } from './packed-changes.ts';

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
 * Successive changes with the same snapshot are packed together into the last of them, which is deleted last.
 */
export async function appendChanges(tx: Tx, accountId: string, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query({
    name: 'append-changes',
    text: `
      with given as materialized (
        select c.*, uuidv7() as id
        from rows from (
          jsonb_to_recordset($2::jsonb) as (
            type text, "shipmentId" uuid, test boolean, "eventKeys" text[], traceparent text, pack integer, "packedPlace" smallint, packed text
          )
        ) with ordinality as c (type, shipment_id, test, event_keys, traceparent, pack, packed_place, packed, place)
      ),
      holder as (
        select id, pack from given where packed is not null
      )
      insert into landfall.changes (account_id, id, type, shipment_id, test, packed, packed_in, packed_place, event_keys, traceparent)
      select $1, g.id, g.type, g.shipment_id, g.test, decode(g.packed, 'base64'), case when g.packed is null then h.id end, g.packed_place, g.event_keys, g.traceparent
      from given as g
      join holder as h using (pack)
      order by g.place`,
    values: [accountId, JSON.stringify(packedTogether(changes).flatMap(rowsOf))],
  });
}

export async function appendChange(tx: Tx, accountId: string, change: NewChange): Promise<void> {
  await appendChanges(tx, accountId, [change]);
}

/** Larger values would make a page that shows one change of many unpack all of them. */
const maxTogether = 50;

function packedTogether(changes: readonly NewChange[]): NewChange[][] {
  const packs: NewChange[][] = [];
  for (const change of changes) {
    const last = packs.at(-1);
    if (last !== undefined && last.length < maxTogether && last[0]?.data.shipment === change.data.shipment)
      last.push(change);
    else packs.push([change]);
  }
  return packs;
}

function rowsOf(together: readonly NewChange[], pack: number) {
  const packed = packChanges(together.map(({ data }) => data)).toString('base64');
  return together.map(({ data: _data, ...change }, packedPlace) => ({
    ...change,
    pack,
    packedPlace,
    packed: packedPlace === together.length - 1 ? packed : null,
  }));
}
