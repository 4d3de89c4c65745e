import type { Tx } from '../open-store.ts';
import { unpackRaws } from '../packing/raw-list.ts';
import { sortJson } from '../packing/sort-json.ts';
import { readRows } from '../read-rows.ts';

/** The carrier's raw data. Beyond the cap, `value` is the start of its JSON as text. */
export type RawEvent = { value: unknown; truncated: boolean };

/** Maximum length of a raw event that is returned whole, in characters of JSON. */
export const rawEventCap = 16_384;

type RawRow = { id: string; reading: number | null; rawIndex: number | null };
type Packed = { number: number; raws: Buffer };

/**
 * The raw bodies of these events of a shipment by id. Null where none was stored. One statement: the shipment need not
 * be locked, and may settle at any moment.
 */
export async function readRawEvents(
  tx: Tx,
  accountId: string,
  { shipmentId, ids }: { shipmentId: string; ids: readonly string[] },
): Promise<Map<string, RawEvent>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<(RawRow & { raws: null }) | (Packed & { id: null })>(tx, {
    name: 'read-raw-events',
    text: `
      with present as materialized (
        select id, reading, raw_index
        from landfall.events
        where account_id = $1 and shipment_id = $2 and id = any ($3::uuid[])
      )
      select id, reading, raw_index, null::integer as number, null::bytea as raws from present
      union all
      select null, null, null, number, raws
      from landfall.readings
      where account_id = $1 and shipment_id = $2 and number = any (array(select reading from present))`,
    values: [accountId, shipmentId, ids],
  });
  const rawOf = rawReader(rows.flatMap((row) => (row.id === null ? [row] : [])));
  return new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, capped(rawOf(row))]])));
}

/** The carrier's raw data of each current event, by event id. */
export function readLiveRaws(tx: Tx, accountId: string, shipmentId: string): Promise<Map<string, unknown>> {
  return readRaws(tx, accountId, { shipmentId, name: 'read-live-raws', isLive: true });
}

/** The whole raw data of every event that has some, by event id. */
export function readWholeRaws(tx: Tx, accountId: string, shipmentId: string): Promise<Map<string, unknown>> {
  return readRaws(tx, accountId, { shipmentId, name: 'read-whole-raws', isLive: false });
}

async function readRaws(
  tx: Tx,
  accountId: string,
  { shipmentId, name, isLive }: { shipmentId: string; name: string; isLive: boolean },
): Promise<Map<string, unknown>> {
  const values = [accountId, shipmentId];
  const [events, readings] = await Promise.all([
    readRows<RawRow>(tx, {
      name,
      text: `
        select id, reading, raw_index
        from landfall.events
        where account_id = $1 and shipment_id = $2 and reading is not null
          ${isLive ? 'and source is null and superseded_by is null and voided_at is null' : ''}
        order by event_at, id`,
      values,
    }),
    readRows<Packed>(tx, {
      name: 'read-readings',
      text: 'select number, raws from landfall.readings where account_id = $1 and shipment_id = $2',
      values,
    }),
  ]);
  const rawOf = rawReader(readings);
  return new Map(events.map((row) => [row.id, rawOf(row).value]));
}

type Found = { value: unknown; maxLength: number };

/** Unpacks each reading once. `maxLength`: no more characters than this, as JSON. */
function rawReader(readings: readonly Packed[]): (row: RawRow) => Found {
  const lists = new Map(readings.map(({ number, raws }) => [number, unpackRaws(raws)]));
  return ({ reading, rawIndex: index }) => {
    if (reading === null) return { value: null, maxLength: Number.POSITIVE_INFINITY };
    const list = lists.get(reading);
    if (list === undefined || index === null) throw new Error('the reading of a stored event is missing');
    return { value: list.values[index], maxLength: list.textLength };
  };
}

/** `maxLength`: the value has no more characters than this, as JSON. */
export function capped({ value, maxLength = Number.POSITIVE_INFINITY }: Partial<Found>): RawEvent {
  if (value === null || maxLength <= rawEventCap) return { value, truncated: false };
  const text = sortJson(value);
  if (text.length <= rawEventCap) return { value, truncated: false };
  // In code points, as PostgreSQL counts.
  const start = [...text.slice(0, 2 * rawEventCap)].slice(0, rawEventCap).join('');
  return start.length === text.length ? { value, truncated: false } : { value: start, truncated: true };
}
