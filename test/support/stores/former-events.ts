import pg from 'pg';
import type { Store } from '#shared/store/open-store.ts';
import { readEvents } from '#shared/store/tracking/events.ts';
import { readRawEvents } from '#shared/store/tracking/raw-events.ts';
import { withAccount } from '#shared/store/with-account.ts';

type Subject = { accountId: string; shipmentId: string };

/** Stores the events of a shipment as earlier releases did: each with its document, its text key and its raw value. */
export async function storeAsFormer(
  { store, databaseUrl }: { store: Store; databaseUrl: string },
  { accountId, shipmentId }: Subject,
  dedupeTextOf?: (dedupeKey: string) => string,
): Promise<void> {
  const { events, raws } = await withAccount(store, accountId, async (tx) => {
    const stored = await readEvents(tx, accountId, shipmentId);
    const ids = stored.map(({ id }) => id);
    return { events: stored, raws: await readRawEvents(tx, accountId, { shipmentId, ids }) };
  });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('delete from landfall.events where account_id = $1 and shipment_id = $2', [
      accountId,
      shipmentId,
    ]);
    await client.query('delete from landfall.readings where account_id = $1 and shipment_id = $2', [
      accountId,
      shipmentId,
    ]);
    for (const { id, dedupeKey, receivedAt, supersededBy, voidedAt, ...event } of events) {
      const text = dedupeTextOf?.(dedupeKey) ?? dedupeKey;
      await client.query(
        `insert into landfall.former_events (
          account_id, shipment_id, id, dedupe_text, dedupe_hash, code, classifier, source, event_at, event, raw, received_at,
          superseded_by, voided_at
        ) values ($1, $2, $3, $4::text, sha256(convert_to($4::text, 'utf8')), $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          ...[accountId, shipmentId, id, text, event.code, event.classifier, event.source, event.time.at],
          JSON.stringify(event),
          raws.get(id)?.value == null ? null : JSON.stringify(raws.get(id)?.value),
          ...[receivedAt, supersededBy, voidedAt],
        ],
      );
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
