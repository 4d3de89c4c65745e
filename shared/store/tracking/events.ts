import type { TrackingEvent } from '#shared/domain/tracking/event.ts';
import type { Tx } from '../open-store.ts';

export type NewEvent = { event: TrackingEvent; raw: unknown };

export type RejectedEvent = { raw: unknown; reason: string };

type EventRow = {
  shipment_id: string;
  id: string;
  dedupe_text: string;
  event: Omit<TrackingEvent, 'id' | 'dedupeKey' | 'receivedAt' | 'supersededBy' | 'voidedAt'>;
  received_at: Date;
  superseded_by: string | null;
  voided_at: Date | null;
};

/** Every event of a shipment, oldest first by event time, including superseded and voided ones. */
export async function readEvents(tx: Tx, accountId: string, shipmentId: string): Promise<TrackingEvent[]> {
  return (await readEventsOf(tx, accountId, [shipmentId])).get(shipmentId) ?? [];
}

/** The same for several shipments. A shipment without events is absent. */
export async function readEventsOf(
  tx: Tx,
  accountId: string,
  shipmentIds: readonly string[],
): Promise<Map<string, TrackingEvent[]>> {
  const found = new Map<string, TrackingEvent[]>();
  if (shipmentIds.length === 0) return found;
  const result = await tx.query<EventRow>({
    name: 'read-events',
    text: `
      select shipment_id, id, dedupe_text, event, received_at, superseded_by, voided_at
      from landfall.events
      where account_id = $1 and shipment_id = any ($2::uuid[])
      order by shipment_id, event_at, id`,
    values: [accountId, shipmentIds],
  });
  for (const row of result.rows) {
    const events = found.get(row.shipment_id) ?? [];
    if (events.length === 0) found.set(row.shipment_id, events);
    events.push({
      ...row.event,
      id: row.id,
      dedupeKey: row.dedupe_text,
      receivedAt: row.received_at.toISOString(),
      supersededBy: row.superseded_by,
      voidedAt: row.voided_at?.toISOString() ?? null,
    });
  }
  return found;
}

/** The carrier's raw data. Beyond the cap, `value` is the start of its JSON as text. */
export type RawEvent = { value: unknown; truncated: boolean };

/** Maximum length of a raw event that is returned whole, in characters of JSON. */
export const rawEventCap = 16_384;

/** The raw bodies of these events by id. Null where none was stored. */
export async function readRawEvents(tx: Tx, accountId: string, ids: readonly string[]): Promise<Map<string, RawEvent>> {
  if (ids.length === 0) return new Map();
  const result = await tx.query<{ id: string; value: unknown; truncated: boolean }>({
    name: 'read-raw-events',
    text: `
      select e.id,
        case when length(e.raw::text) <= ${rawEventCap} then e.raw else to_jsonb(left(e.raw::text, ${rawEventCap})) end as value,
        coalesce(length(e.raw::text) > ${rawEventCap}, false) as truncated
      from landfall.events as e
      where e.account_id = $1 and e.id = any ($2::uuid[])`,
    values: [accountId, ids],
  });
  return new Map(result.rows.map(({ id, value, truncated }) => [id, { value, truncated }]));
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

/** The same for several shipments. */
export async function insertEventsOf(
  tx: Tx,
  accountId: string,
  events: readonly (NewEvent & { shipmentId: string })[],
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map(({ event, raw, shipmentId }) => {
    const { id, dedupeKey, receivedAt, supersededBy, voidedAt: _, ...body } = event;
    return {
      shipment_id: shipmentId,
      id,
      dedupe_text: dedupeKey,
      received_at: receivedAt,
      superseded_by: supersededBy,
      event: body,
      raw,
    };
  });
  const result = await tx.query({
    name: 'insert-events',
    text: `
      insert into landfall.events (
        account_id, id, shipment_id, dedupe_text, dedupe_hash, code, classifier, source, event_at, event, raw, received_at, superseded_by
      )
      select $1, e.id, e.shipment_id, e.dedupe_text, sha256(convert_to(e.dedupe_text, 'utf8')), e.event ->> 'code', e.event ->> 'classifier',
        e.event ->> 'source', (e.event #>> '{time,at}')::timestamptz, e.event, e.raw, e.received_at, e.superseded_by
      from jsonb_to_recordset($2::jsonb) as e (
        shipment_id uuid, id uuid, dedupe_text text, event jsonb, raw jsonb, received_at timestamptz, superseded_by uuid
      )
      on conflict on constraint events_dedupe_unique do nothing`,
    values: [accountId, storableJson(rows)],
  });
  return result.rowCount ?? 0;
}

/** Marks events as superseded by a newer row, or with null as current again. */
export async function supersedeEvents(
  tx: Tx,
  accountId: string,
  superseded: readonly { id: string; supersededBy: string | null }[],
): Promise<void> {
  if (superseded.length === 0) return;
  await tx.query({
    name: 'supersede-events',
    text: `
      update landfall.events as e
      set superseded_by = s."supersededBy"
      from json_to_recordset($2::json) as s (id uuid, "supersededBy" uuid)
      -- The array parameter keeps the planner from reading all events of an account that has just grown, for which it
      -- still expects a single row.
      where e.account_id = $1 and e.id = s.id and e.id = any ($3::uuid[])`,
    values: [accountId, JSON.stringify(superseded), superseded.map(({ id }) => id)],
  });
}

/** Stores rejected events, once per distinct body. Returns the number of new ones. */
export async function insertRejectedEvents(
  tx: Tx,
  accountId: string,
  shipmentId: string,
  rejected: readonly RejectedEvent[],
): Promise<number> {
  const added = await insertRejectedEventsOf(
    tx,
    accountId,
    rejected.map((one) => ({ ...one, shipmentId })),
  );
  return added.get(shipmentId) ?? 0;
}

/** The same for several shipments. A shipment without new ones is absent. */
export async function insertRejectedEventsOf(
  tx: Tx,
  accountId: string,
  rejected: readonly (RejectedEvent & { shipmentId: string })[],
): Promise<Map<string, number>> {
  if (rejected.length === 0) return new Map();
  const { rows } = await tx.query<{ shipment_id: string; added: number }>({
    name: 'insert-rejected-events',
    text: `
      with added as (
        insert into landfall.rejected_events (account_id, shipment_id, raw, raw_hash, reason)
        select $1, r."shipmentId", coalesce(r.raw, 'null'), sha256(convert_to(coalesce(r.raw, 'null')::text, 'utf8')), r.reason
        from jsonb_to_recordset($2::jsonb) as r ("shipmentId" uuid, raw jsonb, reason text)
        on conflict on constraint rejected_events_unique do nothing
        returning shipment_id
      )
      select shipment_id, count(*)::integer as added from added group by shipment_id`,
    values: [
      accountId,
      storableJson(rejected.map(({ shipmentId, raw, reason }) => ({ shipmentId, raw: raw ?? null, reason }))),
    ],
  });
  return new Map(rows.map(({ shipment_id: shipmentId, added }) => [shipmentId, added]));
}

/** Possible traces of U+0000 or an unpaired surrogate in JSON text. The text may also contain the escape literally. */
const maybeUnstorable = /\\u(?:0000|d[89a-f])/;
/** Matches every escape as a whole, so that an escaped backslash before `u0000` is left alone. */
const escapes = /\\(?:u(?:0000|d[89a-f][0-9a-f]{2})|.)/g;

/**
 * jsonb rejects U+0000 and unpaired surrogates, which JSON allows in values and names. A carrier's stray NUL must not
 * lose the event.
 */
function storableJson(value: unknown): string {
  const written = JSON.stringify(value);
  if (!maybeUnstorable.test(written)) return written;
  return written.replace(escapes, (part) => (maybeUnstorable.test(part) ? '\ufffd' : part));
}
