import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type {
  IdentifierKey,
  Identifiers,
  TrackingReason,
  TrackingState,
  Warning,
} from '#shared/domain/record/shipment.ts';
import { readRows } from '../read-rows.ts';
import { referencesOf, type StoredShipmentRow } from '../shipments/shipment-row.ts';
import type { Tx } from '../with-account.ts';

/**
 * One number of one row. `own`: it identifies a single shipment of its carrier; otherwise it is equipment, which is
 * reused. `place` is the index of the row.
 */
export type SoughtNumber = {
  place: number;
  transportMode: TransportMode;
  carrier: string;
  key: IdentifierKey;
  matchValue: string;
  own: boolean;
};

/** The state that a transaction finds before it registers rows. Times are the transaction's, by Postgres's clock. */
export type RegisteredShipments = {
  now: Date;
  /** `now` in whole milliseconds, as stored in columns. */
  createdAt: Date;
  /** The open shipments that each row matches, by index. Rows without a match are absent. */
  matches: Map<number, string[]>;
  /** The shipment that has each reference. Unused references are absent. */
  holders: Map<string, string>;
};

export type Sought = {
  test: boolean;
  numbers: readonly SoughtNumber[];
  ownKeys: readonly IdentifierKey[];
  references: readonly string[];
};

/**
 * Looks up the numbers and references of many rows at once. Each is a separate index lookup (`offset 0` prevents a
 * join): for an account that has just grown, the planner still expects a single row and would read all of them.
 */
export async function findRegistered(tx: Tx, accountId: string, sought: Sought): Promise<RegisteredShipments> {
  const [row] = await readRows<{
    now: string;
    createdAt: string;
    matches: [number, string][] | null;
    holders: [string, string][] | null;
  }>(tx, {
    name: 'find-registered',
    text: `
      select now() as now, now()::timestamptz(3) as created_at, (
        select json_agg(json_build_array(m.place, m.shipment_id))
        from (
          select distinct e.place, i.shipment_id
          from json_to_recordset($3::json) as e (
            place integer, "transportMode" text, carrier text, key text, "matchValue" text, own boolean
          )
          cross join lateral (
            select i.shipment_id
            from landfall.shipment_identifiers as i
            where i.account_id = $1 and i.match_value = e."matchValue" and i.key = e.key and i.test = $2
              and i.transport_mode = e."transportMode" and i.carrier = e.carrier and i.open and i.source = 'client'
            offset 0
          ) as i
          where e.own
            or (
              exists (
                select from landfall.shipments as s
                where s.account_id = $1 and s.id = i.shipment_id and s.closed_at is null and s.archived_at is null
              )
              and not exists (
                select from landfall.shipment_identifiers as other
                where other.account_id = $1 and other.shipment_id = i.shipment_id and other.source = 'client' and other.key = any($4)
                offset 0
              )
            )
          order by e.place, i.shipment_id
        ) as m
      ) as matches, (
        select json_agg(json_build_array(r.reference, s.id))
        from unnest($5::text[]) as r (reference)
        cross join lateral (
          select s.id from landfall.shipments as s where s.account_id = $1 and s.test = $2 and s.reference = r.reference offset 0
        ) as s
      ) as holders`,
    values: [accountId, sought.test, JSON.stringify(sought.numbers), sought.ownKeys, sought.references],
  });
  if (row === undefined) throw new Error('the database returned no rows');
  const matches = new Map<number, string[]>();
  for (const [place, shipmentId] of row.matches ?? []) matches.set(place, [...(matches.get(place) ?? []), shipmentId]);
  return { now: new Date(row.now), createdAt: new Date(row.createdAt), matches, holders: new Map(row.holders ?? []) };
}

/** Facts about the open shipment that a registration matches. */
export type MatchedShipment = {
  identifiers: Identifiers;
  references: string[];
  warnings: Warning[];
  state: TrackingState;
  reason: TrackingReason | null;
};

/** The displayed identifiers, references, warnings and tracking states of these shipments, by id. */
export async function readMatched(
  tx: Tx,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<Map<string, MatchedShipment>> {
  if (shipmentIds.length === 0) return new Map();
  const rows = await readRows<
    Omit<MatchedShipment, 'references'> & Pick<StoredShipmentRow, 'id' | 'reference' | 'referenceList'>
  >(tx, {
    name: 'read-matched',
    text: `
      select s.id, s.identifiers, s.reference, s.reference_list, s.warnings, p.state, p.reason
      from landfall.shipments as s
      join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
      where s.account_id = $1 and s.id = any($2::uuid[])`,
    values: [accountId, shipmentIds],
  });
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, references: referencesOf(row) }]));
}
