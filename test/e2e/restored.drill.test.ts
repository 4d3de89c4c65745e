import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { request } from '#test/support/api/http.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { type RunningService, runScript, startService } from '#test/support/processes.ts';
import { emptyDatabase, type TestDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let landfall: Installation;
let target: TestDatabase;
let folder: string;
const services: RunningService[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-backup-'));
  target = await emptyDatabase();
  landfall = await openInstallation({ redisUrl: null, voyageS: 20 });
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await landfall?.close();
  await target?.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('restores an installation from a backup with its keys and events, and tracks its shipments to the end', async () => {
  const at = (api: RunningService, path: string) =>
    request(`${api.url}${path}`, { key: landfall.key }).then(({ body }) => body);
  let number = 123_456_780;
  const begin = async () => {
    const voyage = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${number}` } };
    number += 1000;
    const { body } = await request(`${landfall.api.url}/v1/shipments`, { key: landfall.key, body: voyage });
    return { voyage, id: body.shipment_id as string, path: `/v1/shipments/${body.shipment_id}` };
  };
  let shipment = await begin();
  await until(
    async () => {
      const { status } = await at(landfall.api, shipment.path);
      // A busy machine may look only after the arrival: then the next one leaves.
      if (!['pending', 'booked', 'in_transit'].includes(status)) shipment = await begin();
      return status;
    },
    (status) => status === 'in_transit',
  );
  const { voyage, id, path } = shipment;
  await Promise.all([landfall.api.stop(), landfall.worker?.stop()]);

  const file = join(folder, 'landfall.backup');
  const script = (name: string, ownerUrl: string, ...args: string[]) =>
    runScript(name, args, {
      DATABASE_URL: serviceUrlOf(ownerUrl),
      MIGRATION_DATABASE_URL: ownerUrl,
      CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    });
  const backup = await script('backup', landfall.core.databaseUrl, file);
  expect(backup.stderr).toMatch(/rows of \d+ tables to .*\nBack up CREDENTIAL_KEYS separately/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(script('backup', landfall.core.databaseUrl, file)).rejects.toThrow('already exists. Name another file.');
  await expect(script('restore', landfall.core.databaseUrl, file)).rejects.toThrow("The database isn't empty");
  expect((await script('restore', target.databaseUrl, file)).stderr).toMatch(
    /^Restored \d+ rows of \d+ tables as of /m,
  );

  const env = {
    DATABASE_URL: target.serviceUrl,
    SIMULATOR: 'on',
    SIMULATOR_URL: landfall.simulator.url,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    CADENCE_SCALE: '0.00001',
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
  };
  const api = await startService('api', env);
  services.push(api);
  const { system } = landfall.core.store;
  const uuid = readShipmentId(id);
  const { rows: had } = await system.query('select id from landfall.events where shipment_id = $1', [uuid]);
  const { rows: states } = await system.query<{ status: string }>(
    'select status from landfall.shipments where id = $1',
    [uuid],
  );
  const events = await at(api, `${path}/events?limit=100`);
  expect(had.length).toBeGreaterThan(0);
  expect(events.data).toHaveLength(had.length);
  expect((await at(api, path)).status).toBe(states[0]?.status);

  services.push(await startService('worker', env));
  const delivered = await until(
    () => at(api, path),
    ({ status }) => status === 'delivered',
  );
  expect(delivered.events.length).toBeGreaterThan(0);
  const again = await request(`${api.url}/v1/shipments`, { key: landfall.key, body: voyage });
  expect([again.status, again.body.shipment_id]).toEqual([200, id]);
});
