import type { ShipmentMeasures } from '#shared/domain/analytics/shipment-measures.ts';
import { readRows } from '../read-rows.ts';
import { readLockedEvents } from '../settling/settled-shipments.ts';
import type { Tx } from '../with-account.ts';
import type { AnalyticsKey } from './cursors.ts';

const columns = {
  transportMode: ['transport_mode', 'text'],
  carrier: ['carrier', 'text'],
  registeredDay: ['registered_day', 'date'],
  firstEventMinutes: ['first_event_minutes', 'integer'],
  origin: ['origin', 'text'],
  destination: ['destination', 'text'],
  originCountry: ['origin_country', 'text'],
  destinationCountry: ['destination_country', 'text'],
  arrivedAt: ['arrived_at', 'timestamptz(3)'],
  arrivedDay: ['arrived_day', 'date'],
  onTime: ['on_time', 'text'],
  transitHours: ['transit_hours', 'integer'],
  delayCauses: ['delay_causes', 'text[]'],
  freeTimeOutcome: ['free_time_outcome', 'text'],
} as const satisfies Record<keyof ShipmentMeasures, readonly [string, string]>;

const names = Object.values(columns).map(([name]) => name);
const fields = Object.entries(columns);

/** The days that a measure counts for. */
export type CountedDays = { carrier: string; arrivedDay: string | null; registeredDay: string };

/** The kept first events of shipments, in minutes. One without measures, or without an event, is absent. */
export async function readFirstEvents(
  tx: Tx,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await readRows<{ shipmentId: string; firstEventMinutes: number }>(tx, {
    name: 'read-first-events',
    text: `
      select shipment_id, first_event_minutes from landfall.shipment_measures
      where account_id = $1 and shipment_id = any ($2::uuid[]) and first_event_minutes is not null`,
    values: [accountId, shipmentIds],
  });
  return new Map(rows.map((row) => [row.shipmentId, row.firstEventMinutes]));
}

/** When the first event of each shipment that happened was received, ISO UTC. One without events is absent. */
export async function findFirstReceived(
  tx: Tx,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<Map<string, string>> {
  if (shipmentIds.length === 0) return new Map();
  const events = await readLockedEvents(tx, accountId, shipmentIds);
  return new Map(
    [...events].flatMap(([id, own]) => {
      const received = own.filter(({ classifier }) => classifier === 'actual').map(({ receivedAt }) => receivedAt);
      const [first] = received.sort();
      return first === undefined ? [] : [[id, first] as const];
    }),
  );
}

/**
 * Writes measures that differ from those that are kept, and returns the days that they counted for before and count for
 * now. Shipments that are gone are left out. In a transaction that has locked the cursor. It locks shipments before
 * measures, as removing them does.
 */
export async function writeMeasures(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  made: readonly { shipmentId: string; measures: ShipmentMeasures }[],
): Promise<CountedDays[]> {
  if (made.length === 0) return [];
  const given = JSON.stringify(made.map(({ shipmentId, measures }) => ({ shipmentId, ...measures })));
  const source = `json_to_recordset($2::json) as g ("shipmentId" uuid, ${fields
    .map(([field, [, type]]) => `"${field}" ${type}`)
    .join(', ')})`;
  const asGiven = fields.map(([field]) => `g."${field}"`).join(', ');
  const differing = await readRows<{ id: string }>(tx, {
    name: 'lock-differing-measures',
    text: `
      select s.id
      from ${source}
      join landfall.shipments as s on s.account_id = $1 and s.id = g."shipmentId"
      left join landfall.shipment_measures as f on f.account_id = $1 and f.shipment_id = g."shipmentId"
      where f.shipment_id is null
        or (${names.map((name) => `f.${name}`).join(', ')}) is distinct from (${asGiven})
      order by s.id
      for key share of s`,
    values: [accountId, given],
  });
  if (differing.length === 0) return [];
  return readRows<{ carrier: string; arrivedDay: string | null; registeredDay: string }>(tx, {
    name: 'write-measures',
    text: `
      with wanted as (
        select g.* from ${source} where g."shipmentId" = any ($4::uuid[])
      ),
      before as (
        select f.carrier, f.arrived_day, f.registered_day
        from landfall.shipment_measures as f
        where f.account_id = $1 and f.shipment_id = any ($4::uuid[])
      ),
      written as (
        insert into landfall.shipment_measures as f (account_id, shipment_id, test, ${names.join(', ')})
        select $1, g."shipmentId", $3, ${asGiven} from wanted as g
        on conflict (account_id, shipment_id) do update
        set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
        returning f.carrier, f.arrived_day, f.registered_day
      )
      select carrier, arrived_day::text, registered_day::text from before
      union
      select carrier, arrived_day::text, registered_day::text from written`,
    values: [accountId, given, test, differing.map(({ id }) => id)],
  });
}
