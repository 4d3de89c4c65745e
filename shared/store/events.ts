import type { TrackingEvent } from '#shared/domain/event.ts';
import type { Tx } from './open-store.ts';

export type NewEvent = { event: TrackingEvent; raw: unknown };

type EventRow = {
  id: string;
  dedupe_text: string;
  event: Omit<TrackingEvent, 'id' | 'dedupeKey' | 'receivedAt' | 'supersededBy' | 'voidedAt'>;
  received_at: Date;
  superseded_by: string | null;
  voided_at: Date | null;
};

/** Every event of a shipment, oldest first by event time; superseded and voided ones too. */
export async function readEvents(tx: Tx, accountId: string, shipmentId: string): Promise<TrackingEvent[]> {
  const result = await tx.query<EventRow>({
    name: 'read-events',
    text: `
      select id, dedupe_text, event, received_at, superseded_by, voided_at
      from landfall.events
      where account_id = $1 and shipment_id = $2
      order by event_at, id`,
    values: [accountId, shipmentId],
  });
  return result.rows.map((row) => ({
    ...row.event,
    id: row.id,
    dedupeKey: row.dedupe_text,
    receivedAt: row.received_at.toISOString(),
    supersededBy: row.superseded_by,
    voidedAt: row.voided_at?.toISOString() ?? null,
  }));
}

/** What the carrier literally said; beyond the cap `value` is the beginning of its JSON, as text. */
export type RawEvent = { value: unknown; truncated: boolean };

/** The longest raw event that is given whole, in characters of JSON. */
export const rawEventCap = 16_384;

/** The raw bodies of these events by id; null where none was kept. */
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

/** Adds events in one statement; one whose dedupe key is there already is left as it was. Gives the number added. */
export async function insertEvents(tx: Tx, accountId: string, shipmentId: string, events: NewEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map(({ event, raw }) => {
    const { id, dedupeKey, receivedAt, supersededBy, voidedAt: _, ...body } = event;
    return { id, dedupe_text: dedupeKey, received_at: receivedAt, superseded_by: supersededBy, event: body, raw };
  });
  const result = await tx.query({
    name: 'insert-events',
    text: `
      insert into landfall.events (
        account_id, id, shipment_id, dedupe_text, dedupe_hash, code, classifier, source, event_at, event, raw, received_at, superseded_by
      )
      select $1, e.id, $2, e.dedupe_text, sha256(convert_to(e.dedupe_text, 'utf8')), e.event ->> 'code', e.event ->> 'classifier', e.event ->> 'source',
        (e.event #>> '{time,at}')::timestamptz, e.event, e.raw, e.received_at, e.superseded_by
      from json_to_recordset($3::json) as e (
        id uuid, dedupe_text text, event jsonb, raw jsonb, received_at timestamptz, superseded_by uuid
      )
      on conflict on constraint events_dedupe_unique do nothing`,
    values: [accountId, shipmentId, storableJson(rows)],
  });
  return result.rowCount ?? 0;
}

/** Marks events as superseded by a newer row, or as current again with null. */
export async function supersedeEvents(tx: Tx, accountId: string, superseded: { id: string; supersededBy: string | null }[]): Promise<void> {
  if (superseded.length === 0) return;
  await tx.query({
    name: 'supersede-events',
    text: `
      update landfall.events as e
      set superseded_by = s."supersededBy"
      from json_to_recordset($2::json) as s (id uuid, "supersededBy" uuid)
      where e.account_id = $1 and e.id = s.id`,
    values: [accountId, JSON.stringify(superseded)],
  });
}

/** Keeps what could not be read, once per distinct body. */
export async function insertRejectedEvents(
  tx: Tx,
  accountId: string,
  shipmentId: string,
  rejected: { raw: unknown; reason: string }[],
): Promise<void> {
  if (rejected.length === 0) return;
  await tx.query({
    name: 'insert-rejected-events',
    text: `
      insert into landfall.rejected_events (account_id, shipment_id, raw, raw_hash, reason)
      select $1, $2, r.raw, sha256(convert_to(r.raw::text, 'utf8')), r.reason
      from json_to_recordset($3::json) as r (raw jsonb, reason text)
      on conflict on constraint rejected_events_unique do nothing`,
    values: [accountId, shipmentId, storableJson(rejected.map(({ raw, reason }) => ({ raw: raw ?? null, reason })))],
  });
}

/** jsonb refuses U+0000, which JSON may hold: a carrier's stray NUL must not lose the event. */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.replaceAll('\u0000', '\ufffd').toWellFormed() : part,
  );
}
