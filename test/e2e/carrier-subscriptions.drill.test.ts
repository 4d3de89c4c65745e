import { afterAll, beforeAll, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { request } from '#test/support/api/http.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { type RunningService, startService } from '#test/support/processes.ts';
import { until } from '#test/support/until.ts';

/** Subscriptions are maintained every second; the shortest interval between refreshes is two minutes. */
const cadenceScale = '0.033';
const secretDays = 4 / 86_400;

let landfall: Installation;
let simulator: RunningService;
let worker: RunningService;

beforeAll(async () => {
  landfall = await openInstallation({ redisUrl: null, withWorker: false });
  simulator = await startService('simulator', { SIMULATOR_PORT: '0', SIMULATOR_VOYAGE_S: '24' }, ['--control']);
  worker = await startWorker();
});

function startWorker(): Promise<RunningService> {
  return startService('worker', {
    DATABASE_URL: landfall.core.serviceUrl,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    SIMULATOR: 'on',
    SIMULATOR_URL: simulator.url,
    CADENCE_SCALE: cadenceScale,
    PUBLIC_BASE_URL: landfall.api.url,
    CARRIER_SUBSCRIPTION_SECRET_DAYS: String(secretDays),
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
  });
}

afterAll(async () => {
  await worker?.kill();
  await simulator?.kill();
  await landfall?.close();
});

type Delivery = { eventIDs: string[]; statuses: (number | string)[]; taken: boolean };

it('updates a status by push between two refreshes and loses no event while the secret is rotated', async () => {
  const answer = await request(`${landfall.api.url}/v1/shipments`, {
    key: landfall.key,
    body: { transport_mode: 'ocean', carrier: 'PCIU', identifiers: { mbl: 'PCIU70000013' } },
  });
  expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
  const id: string = answer.body.shipment_id;
  const shipment = () =>
    request(`${landfall.api.url}/v1/shipments/${id}`, { key: landfall.key }).then(({ body }) => body);
  const secrets = () => subscriptions().then((rows) => rows.map((row) => row.secret));
  const firstSecrets = await until(secrets, (found) => found.length === 1);

  const delivered = await until(shipment, ({ status }) => status === 'delivered');
  expect(delivered.tracking.source).toBe('simulator:dcsa');
  // The end of the journey causes one more refresh, which completes tracking.
  await until(shipment, ({ tracking }) => tracking.state === 'completed');
  // A push had moved it after the first refresh, and before the last.
  const { rows: moves } = await landfall.core.store.system.query<{ source: string; polled: number }>(
    `select r.source, (
       select count(*)::integer from landfall.refreshes as p
       where p.shipment_id = r.shipment_id and p.source = 'simulator:dcsa' and p.id <= r.id
     ) as polled
     from landfall.status_changes as c
     join landfall.refreshes as r on r.shipment_id = c.shipment_id and r.trace_id = c.trace_id
     where c.shipment_id = $1 and c.to_status = 'in_transit' order by c.id limit 1`,
    [readShipmentId(id)],
  );
  expect(moves).toEqual([{ source: 'push:dcsa', polled: 1 }]);

  // The secret was rotated since, and the carrier has the new one.
  const [row] = await subscriptions();
  expect(row?.state).toMatch(/active|ended/);
  expect(row?.secret).not.toEqual(firstSecrets[0]);

  // Everything that the carrier has for this number is here, without another request.
  const deliveries = async (): Promise<Delivery[]> =>
    (await request(`${simulator.url}/control/deliveries`)).body.deliveries;
  const sent = await until(deliveries, (found) => found.every(({ taken }) => taken));
  expect(sent.flatMap(({ statuses }) => statuses).filter((status) => status !== 204)).toEqual([]);
  await until(waiting, (count) => count === 0);
  const { body: atCarrier } = await request(
    `${simulator.url}/sim/dcsa/v2/events?transportDocumentReference=70000013&limit=500`,
  );
  const known = new Set(
    (atCarrier as { eventID: string }[]).filter((event) => !isSuperfluous(event)).map(({ eventID }) => eventID),
  );
  const pushed = new Set(sent.flatMap(({ eventIDs }) => eventIDs).filter((eventID) => known.has(eventID)));
  const kept = new Set(await eventIds(id));
  expect([...pushed].filter((eventID) => !kept.has(eventID))).toEqual([]);
  expect(pushed.size).toBeGreaterThan(10);
});

it('reads deliveries that arrived while no worker ran', async () => {
  const answer = await request(`${landfall.api.url}/v1/shipments`, {
    key: landfall.key,
    body: { transport_mode: 'ocean', carrier: 'PCIU', identifiers: { mbl: 'PCIU70000024' } },
  });
  const id: string = answer.body.shipment_id;
  const shipment = () =>
    request(`${landfall.api.url}/v1/shipments/${id}`, { key: landfall.key }).then(({ body }) => body);
  await until(shipment, ({ tracking }) => tracking.state === 'active');
  await until(subscriptions, (rows) => rows.some(({ state }) => state === 'active'));
  await worker.kill();
  const before = await shipment();
  await until(waiting, (count) => count > 3);
  expect((await shipment()).version).toBe(before.version);
  worker = await startWorker();
  await until(shipment, ({ status }) => status === 'delivered');
});

/** Document events of the standard name no other document: they cannot be matched and arrive with the next refresh. */
function isSuperfluous(event: object): boolean {
  return 'documentTypeCode' in event && event.documentTypeCode !== 'TRD';
}

async function subscriptions(): Promise<{ state: string; secret: string }[]> {
  const { rows } = await landfall.core.store.system.query<{ state: string; secret: string }>(
    `select state, encode(sha256(secret_sealed), 'hex') as secret from landfall.carrier_subscriptions
     where carrier_subscription_id is not null`,
  );
  return rows;
}

async function waiting(): Promise<number> {
  const { rows } = await landfall.core.store.system.query<{ count: number }>(
    `select count(*) as count from landfall.carrier_deliveries where state <> 'processed'`,
  );
  return rows[0]?.count ?? -1;
}

async function eventIds(shipmentId: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await request(
      `${landfall.api.url}/v1/shipments/${shipmentId}/events?limit=100&include=raw${page}`,
      {
        key: landfall.key,
      },
    );
    expect([status, body.detail]).toEqual([200, undefined]);
    ids.push(...body.data.map((event: { raw: { eventID: string } }) => event.raw.eventID));
    cursor = body.page.next_cursor;
  } while (cursor !== null);
  return ids;
}
