import { hash } from 'node:crypto';
import type { Place, TrackingEvent } from '#shared/domain/events/event.ts';
import type { Tx } from '../open-store.ts';
import { packRaws } from '../packing/raw-list.ts';
import { type EventRow, eventColumns, fromEventRow, type PlaceRow, placeOf, toEventRow } from './event-row.ts';

export type NewEvent = { event: TrackingEvent; raw: unknown };

type StoredRow = EventRow & { shipment_id: string; id: string };

/** Every event of a shipment, oldest first by event time, including superseded and voided ones. */
export async function readEvents(tx: Tx, accountId: string, shipmentId: string): Promise<TrackingEvent[]> {
  return (await readEventsOf(tx, accountId, [shipmentId])).get(shipmentId) ?? [];
}

const names = Object.keys(eventColumns);
const asText = ['event_at', 'received_at', 'source_created_at', 'voided_at', 'place'];
const readColumns = names.map((name) => `e.${name}${asText.includes(name) ? '::text' : ''}`);

/** The same for several shipments. A shipment without events is absent. */
export async function readEventsOf(
  tx: Tx,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<Map<string, TrackingEvent[]>> {
  const found = new Map<string, TrackingEvent[]>();
  if (shipmentIds.length === 0) return found;
  // Sent together. Places never change and are written with the first event at them.
  const [events, places] = await Promise.all([
    tx.query<StoredRow>({
      name: 'read-events',
      text: `
        select e.shipment_id, e.id, ${readColumns.join(', ')}
        from landfall.events as e
        where e.account_id = $1 and e.shipment_id = any ($2::uuid[])
        order by e.shipment_id, e.event_at, e.id`,
      values: [accountId, shipmentIds],
    }),
    tx.query<PlaceRow>({
      name: 'read-places-of-events',
      text: `
        select id::text, name, unlocode, iata, country, lat, lng, timezone, facility
        from landfall.places
        where account_id = $1 and id = any (array(
          select place from landfall.events where account_id = $1 and shipment_id = any ($2::uuid[])
        ))`,
      values: [accountId, shipmentIds],
    }),
  ]);
  const placeById = new Map<string | null, Place>(places.rows.map((row) => [row.id, placeOf(row)]));
  for (const row of events.rows) {
    const list = found.get(row.shipment_id) ?? [];
    if (list.length === 0) found.set(row.shipment_id, list);
    list.push(fromEventRow(row.id, row, placeById.get(row.place) ?? null));
  }
  return found;
}

/** Adds events in one statement. An event with a known dedupe key stays unchanged. Returns the number added. */
export async function insertEvents(
  tx: Tx,
  accountId: string,
  shipmentId: string,
  events: readonly NewEvent[],
): Promise<number> {
  return insertEventsOf(
    tx,
    accountId,
    events.map((event) => ({ ...event, shipmentId })),
  );
}

const written = Object.entries(eventColumns).map(([name, type]) => `${name} ${type}`);

/**
 * The same for several shipments, which must be locked: the lock, not an index, keeps another writer from adding the
 * same event.
 */
export async function insertEventsOf(
  tx: Tx,
  accountId: string,
  events: readonly (NewEvent & { shipmentId: string })[],
): Promise<number> {
  if (events.length === 0) return 0;
  const { rows, places, readings } = toRows(events);
  const result = await tx.query({
    name: 'insert-events',
    text: `
      with new_events as (
        select * from jsonb_to_recordset($2::jsonb) as e (
          shipment_id uuid, id uuid, dedupe_key bytea, raw_index smallint, ${written.join(', ')}
        )
      ),
      known as (
        select shipment_id, dedupe_key
        from landfall.events
        where account_id = $1 and shipment_id = any ($3::uuid[])
      ),
      added as (
        select * from new_events as e where (e.shipment_id, e.dedupe_key) not in (select shipment_id, dedupe_key from known)
      ),
      -- In the order of their keys, so that writers that share several wait for each other.
      new_places as (
        insert into landfall.places (account_id, id, lat, lng, name, unlocode, iata, country, timezone, facility)
        select $1, p.id, p.lat, p.lng, p.name, p.unlocode, p.iata, p.country, p.timezone, p.facility
        from jsonb_to_recordset($5::jsonb) as p (id bigint, lat float8, lng float8, name text, unlocode text, iata text, country text,
          timezone text, facility text)
        where p.id in (select place from added)
        order by p.id
        on conflict do nothing
      ),
      numbered as (
        select r.shipment_id, r.raws, 1 + coalesce((
          select max(former.number) from landfall.readings as former where former.account_id = $1 and former.shipment_id = r.shipment_id
        ), 0) as number
        from unnest($3::uuid[], $4::bytea[]) as r (shipment_id, raws)
        where r.raws is not null and r.shipment_id in (select shipment_id from added where raw_index is not null)
      ),
      new_readings as (
        insert into landfall.readings (account_id, shipment_id, number, raws)
        select $1, shipment_id, number, raws from numbered
      )
      insert into landfall.events (account_id, shipment_id, id, dedupe_key, reading, raw_index, ${names.join(', ')})
      select $1, a.shipment_id, a.id, a.dedupe_key, case when a.raw_index is not null then n.number end, a.raw_index,
        ${names.map((name) => `a.${name}`).join(', ')}
      from added as a
        left join numbered as n on n.shipment_id = a.shipment_id`,
    values: [
      accountId,
      JSON.stringify(rows),
      readings.map(({ shipmentId }) => shipmentId),
      readings.map(({ packed }) => packed),
      JSON.stringify(places),
    ],
  });
  return result.rowCount ?? 0;
}

function toRows(events: readonly (NewEvent & { shipmentId: string })[]) {
  const places = new Map<string, PlaceRow>();
  const readings: { shipmentId: string; packed: Buffer | null }[] = [];
  // By shipment and key, since no index keeps a call from adding one event twice.
  const rows = new Map<string, object>();
  for (const [shipmentId, own] of Map.groupBy(events, (event) => event.shipmentId)) {
    const [family = ''] = own[0]?.event.dedupeKey.split('|', 1) ?? [];
    const list = packRaws(
      own.map(({ raw }) => raw),
      family,
    );
    readings.push({ shipmentId, packed: list?.packed ?? null });
    for (const [index, { event }] of own.entries()) {
      const { row, place, dedupeKey } = toEventRow(event);
      if (place !== null) places.set(place.id, place);
      const dedupe_key = `\\x${hash('sha256', dedupeKey).slice(0, 32)}`;
      const key = `${shipmentId} ${dedupe_key}`;
      if (rows.has(key)) continue;
      rows.set(key, {
        shipment_id: shipmentId,
        id: event.id,
        dedupe_key,
        raw_index: list?.indexes[index] ?? null,
        ...withoutNulls(row),
      });
    }
  }
  return { rows: [...rows.values()], readings, places: [...places.values()] };
}

/** Half of the columns of an event are null, and a name that is missing is null, too. */
function withoutNulls(row: EventRow): Partial<EventRow> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

export type Supersession = { shipmentId: string; id: string; supersededBy: string | null };

/** Marks events as superseded by a newer row, or with null as current again. */
export async function supersedeEvents(tx: Tx, accountId: string, superseded: readonly Supersession[]): Promise<void> {
  if (superseded.length === 0) return;
  await tx.query({
    name: 'supersede-events',
    // The array parameters keep the planner from reading all events of an account that has just grown, for which it
    // still expects a single row.
    text: `
      with superseded as (
        select s.id, s."shipmentId", s."supersededBy"
        from json_to_recordset($2::json) as s (id uuid, "shipmentId" uuid, "supersededBy" uuid)
      )
      update landfall.events as e
      set superseded_by = s."supersededBy"
      from superseded as s
      where e.account_id = $1 and e.shipment_id = s."shipmentId" and e.id = s.id
        and e.shipment_id = any ($3::uuid[]) and e.id = any ($4::uuid[])`,
    values: [
      accountId,
      JSON.stringify(superseded),
      [...new Set(superseded.map(({ shipmentId }) => shipmentId))],
      superseded.map(({ id }) => id),
    ],
  });
}
