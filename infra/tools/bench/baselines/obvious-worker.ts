import process from 'node:process';
import { Worker } from 'bullmq';
import pg from 'pg';
import { createCarrierFetch, openCarrierAgent } from '#services/worker/calls/carrier-fetch.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { settingsFor } from '#services/worker/carriers/settings-for.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';

/**
 * The straightforward way to refresh: one job per shipment, one statement per event, and a record composed from the
 * stored events.
 */
const pool = new pg.Pool({ connectionString: process.env.MIGRATION_DATABASE_URL, max: 10 });
const nothing = {
  baseUrl: null,
  authUrl: null,
  clientId: null,
  clientSecret: null,
  apiKey: null,
  certificate: null,
  privateKey: null,
  scope: null,
};
const settings = settingsFor(connectors.dcsa, nothing, process.env.SIMULATOR_URL ?? '');
if (settings === null) throw new Error('carrier not found');
const now = () => new Date();
const carrier = {
  settings,
  fetch: createCarrierFetch(openCarrierAgent(), { settings, maxBodyBytes: 2 * 1024 * 1024 }),
  budget: { take: () => 0, charge: () => undefined, free: () => 1, close: () => undefined },
  tokens: createTokenCache(now),
  now,
};

// Events as documents, without what the real table does to be small.
await pool.query(`
  create table if not exists landfall.obvious_events (
    id uuid primary key default uuidv7(),
    account_id uuid not null,
    shipment_id uuid not null,
    dedupe_text text not null,
    dedupe_hash bytea not null,
    code text not null,
    classifier text not null,
    source text not null,
    event_at timestamptz not null,
    event jsonb not null,
    raw jsonb,
    received_at timestamptz not null default now(),
    unique (account_id, shipment_id, dedupe_hash)
  )`);
await pool.query(
  'create index if not exists obvious_events_by_shipment on landfall.obvious_events (account_id, shipment_id, event_at)',
);

type Job = { accountId: string; shipmentId: string };

async function refresh({ accountId, shipmentId }: Job): Promise<void> {
  const { rows: found } = await pool.query('select * from landfall.shipments where account_id = $1 and id = $2', [
    accountId,
    shipmentId,
  ]);
  const subject = {
    accountId,
    shipmentId,
    carrier: found[0].carrier,
    identifiers: found[0].identifiers,
    transportMode: 'ocean',
  };
  const refreshes = await connectors.dcsa.fetch(carrier, [subject as RefreshSubject], AbortSignal.timeout(30_000));
  const refresh = refreshes.get(shipmentId);
  if (refresh?.outcome !== 'found') throw new Error(JSON.stringify(refresh));
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const { raw, ...event } of refresh.reading.events) {
      const key = [event.code, event.time.at, event.location?.unlocode, event.container].join('|');
      await client.query(
        `insert into landfall.obvious_events (account_id, shipment_id, dedupe_text, dedupe_hash, code, classifier, source, event_at, event, raw)
        values ($1, $2, $3, sha256(convert_to($3, 'utf8')), $4, $5, $6, $7, $8, $9) on conflict do nothing`,
        [
          accountId,
          shipmentId,
          key,
          event.code,
          event.classifier,
          event.source,
          event.time.at,
          JSON.stringify(event),
          JSON.stringify(raw),
        ],
      );
    }
    const { rows } = await client.query(
      'select * from landfall.obvious_events where account_id = $1 and shipment_id = $2 order by event_at',
      [accountId, shipmentId],
    );
    const events = rows.map((row): TrackingEvent => {
      return {
        ...row.event,
        id: row.id,
        dedupeKey: row.dedupe_text,
        receivedAt: row.received_at.toISOString(),
        supersededBy: null,
        voidedAt: null,
      };
    });
    const journey = composeJourney({ events, transportMode: 'ocean' }, Date.now());
    await client.query(
      'update landfall.shipments set record = $3, status = $4, last_event_at = $5, updated_at = now(), version = version + 1 where account_id = $1 and id = $2',
      [accountId, shipmentId, JSON.stringify(journey), journey.status, journey.latestEvent?.time.at],
    );
    await client.query(
      `insert into landfall.status_changes (account_id, shipment_id, from_status, to_status) select $1, $2, $3::text, $4::text where $3::text <> $4::text`,
      [accountId, shipmentId, found[0].status, journey.status],
    );
    await client.query(
      `insert into landfall.changes (account_id, type, shipment_id, data) values ($1, 'shipment.updated', $2, $3)`,
      [accountId, shipmentId, JSON.stringify({ shipment: { ...found[0], record: journey } })],
    );
    await client.query(
      `insert into landfall.refreshes (account_id, shipment_id, outcome, http_status, duration_ms) values ($1, $2, 'changed', 200, $3)`,
      [accountId, shipmentId, refresh.durationMs],
    );
    await client.query(
      `update landfall.polling set state = 'active', next_refresh_at = now() + interval '12 hours', last_refreshed_at = now(), last_succeeded_at = now()
      where account_id = $1 and shipment_id = $2`,
      [accountId, shipmentId],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const worker = new Worker<Job>('obvious', (job) => refresh(job.data), {
  connection: { url: process.env.REDIS_URL ?? '', maxRetriesPerRequest: null },
  concurrency: Number(process.env.WORKER_CONCURRENCY),
});
worker.on('failed', (_job, error) => process.stderr.write(`${error.stack}\n`));
await worker.waitUntilReady();
process.send?.({ type: 'ready', url: 'obvious' });
