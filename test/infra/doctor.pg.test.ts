import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { chooseDataFolder, postgresFolder } from '#infra/data-folder.ts';
import { checkMigrations } from '#infra/doctor/check-database.ts';
import { checkPositions } from '#infra/doctor/check-work.ts';
import type { Finding } from '#infra/doctor/finding.ts';
import { runChecks } from '#infra/doctor/run-checks.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { prepareDatabase } from '#infra/prepare-database.ts';
import { reportCarrierHealth } from '#shared/core/carriers/report-carrier-health.ts';
import { readOperations } from '#shared/core/installation/read-operations.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { findTroubles } from '#shared/domain/installation/find-troubles.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore, testCredentialKey } from '#test/support/core-context.ts';
import { runScript } from '#test/support/processes.ts';
import { emptyDatabase, ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let folder: string;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  folder = mkdtempSync(join(tmpdir(), 'landfall-doctor-'));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});
afterAll(async () => {
  await core.close();
  rmSync(folder, { recursive: true, force: true });
});

const noPorts = { PORT: '0', OPERATIONS_PORT: '0', WORKER_HEALTH_PORT: '0', SIMULATOR_PORT: '0' };

async function examine(source: Record<string, string>, { reach = false } = {}): Promise<Finding[]> {
  return runChecks({
    source: { ...noPorts, LANDFALL_DATA_DIR: join(folder, 'data'), ...source },
    nodeVersion: process.version,
    zoneRelease: process.versions.tz ?? 'unknown',
    reach,
    dataFolderOf: (env) => chooseDataFolder(env, () => undefined),
    postgresFolderOf: postgresFolder,
  });
}

/** Every finding of one check. */
const of = (findings: readonly Finding[], check: string) => findings.filter((finding) => finding.check === check);

async function listen(answer: RequestListener = () => undefined): Promise<number> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return (server.address() as AddressInfo).port;
}

it('reports no problems for a healthy database, and advice with every problem', async () => {
  const findings = await examine({ DATABASE_URL: core.serviceUrl, CREDENTIAL_KEYS: `v1:${testCredentialKey}` });
  expect(findings.filter(({ level }) => level === 'failure')).toEqual([]);
  const checks = [
    'Node',
    'configuration',
    'database',
    'migrations',
    'connections',
    'clock',
    'trace store',
    'accounts',
    'credential keys',
  ];
  for (const check of checks) expect(of(findings, check), check).toMatchObject([{ level: 'ok', advice: null }]);
  expect(of(findings, 'operations')).toContainEqual(
    expect.objectContaining({ level: 'warning', found: expect.stringContaining('No worker is running') }),
  );
  for (const { level, advice } of findings) expect(advice === null).toBe(level === 'ok');
});

it('reports all configuration errors at once and runs no other check', async () => {
  const findings = await examine({ PORT: 'many', LOG_LEVEL: 'loud', CARRIER_MAERKS_API_KEY: 'a-secret-key' });
  expect(of(findings, 'configuration').map(({ level, found }) => [level, found.split('=')[0]?.split(' ')[0]])).toEqual([
    ['failure', 'PORT'],
    ['failure', 'LOG_LEVEL'],
    ['failure', 'CARRIER_MAERKS_API_KEY'],
  ]);
  expect(JSON.stringify(findings)).not.toContain('a-secret-key');
  expect(findings.map(({ check }) => check)).toEqual(['Node', 'configuration', 'configuration', 'configuration']);
});

it('reports an unreachable database, a rejected password or a missing schema with advice and without the password', async () => {
  const port = await listen();
  const away = await examine({ DATABASE_URL: `postgres://someone:a-secret@127.0.0.1:1/landfall` });
  expect(of(away, 'database')).toMatchObject([
    { level: 'failure', found: expect.stringContaining('127.0.0.1:1/landfall') },
  ]);
  const deaf = await examine({ DATABASE_URL: `postgres://someone:a-secret@127.0.0.1:${port}/landfall` });
  expect(of(deaf, 'database')).toMatchObject([{ level: 'failure' }]);
  const wrong = new URL(core.databaseUrl);
  wrong.password = 'a-secret';
  const refused = await examine({ DATABASE_URL: wrong.href });
  expect(of(refused, 'database')).toMatchObject([{ level: 'failure', advice: expect.stringContaining('password') }]);
  expect(JSON.stringify([away, deaf, refused])).not.toContain('a-secret');
  const empty = await emptyDatabase();
  cleanups.push(empty.drop);
  const unmigrated = await examine({ DATABASE_URL: empty.databaseUrl });
  expect(of(unmigrated, 'migrations')).toMatchObject([
    { level: 'failure', found: 'none applied', advice: expect.stringContaining('infra/scripts/migrate.ts') },
  ]);
});

it('fails for missing migrations, migrations of a newer release, and a database of an older build', async () => {
  const empty = await emptyDatabase();
  cleanups.push(empty.drop);
  const nothing = await examine({ DATABASE_URL: empty.databaseUrl });
  expect(of(nothing, 'migrations')).toMatchObject([{ level: 'failure', found: 'none applied' }]);
  expect(
    checkMigrations({ migrations: ['0001_a'], isOfOlderBuild: false }, ['0001_a', '0002_b', '0003_c'], {
      DATABASE_URL: '',
    }),
  ).toMatchObject({
    level: 'failure',
    found: '2 missing, the first is 0002_b',
  });
  const old = await openTestCore({}, ownDatabase);
  cleanups.push(old.close);
  await execute(old.databaseUrl, 'comment on schema landfall is null');
  expect(of(await examine({ DATABASE_URL: old.databaseUrl }), 'migrations')).toMatchObject([
    {
      level: 'failure',
      found: 'an older build of Landfall created this database',
      advice: "It can't be upgraded. Set DATABASE_URL to an empty database.",
    },
  ]);
  const newer = await openTestCore({}, ownDatabase);
  cleanups.push(newer.close);
  await execute(
    newer.databaseUrl,
    `insert into landfall.migrations (name, run_on) values ('9999_from_the_future', now())`,
  );
  const findings = await examine({ DATABASE_URL: newer.serviceUrl });
  expect(of(findings, 'migrations')).toMatchObject([
    { level: 'failure', found: expect.stringContaining('9999_from_the_future') },
  ]);
});

it('fails when a table does not isolate the accounts', async () => {
  const open = await openTestCore({}, ownDatabase);
  cleanups.push(open.close);
  await execute(open.databaseUrl, 'alter table landfall.shipments no force row level security');
  const findings = await examine({ DATABASE_URL: open.serviceUrl });
  expect(of(findings, 'accounts')).toMatchObject([{ level: 'failure', found: expect.stringContaining('shipments') }]);
});

it('fails when DATABASE_URL names the owner of the database, and names the remedy', async () => {
  const [found] = of(await examine({ DATABASE_URL: core.databaseUrl }), 'accounts');
  expect(found).toMatchObject({
    level: 'failure',
    found: expect.stringMatching(/the login landfall is a superuser.* MIGRATION_DATABASE_URL .*migrate\.ts/),
  });
});

it('fails when the server allows fewer connections than the pools need', async () => {
  const findings = await examine({ DATABASE_URL: core.serviceUrl, DB_POOL_SIZE: '500' });
  expect(of(findings, 'connections')).toMatchObject([
    { level: 'failure', advice: expect.stringContaining('max_connections') },
  ]);
});

it('fails with the cause when no worker refreshes shipments', async () => {
  const late = await openTestCore({}, ownDatabase);
  cleanups.push(late.close);
  await registerShipment(late.ctx, await late.newCaller(), oceanRegistration());
  await late.store.system.query(
    `update landfall.polling set next_refresh_at = now() - interval '1 hour', lease_until = null`,
  );
  const findings = await examine({ DATABASE_URL: late.serviceUrl });
  expect(of(findings, 'due shipments')).toMatchObject([
    { level: 'failure', advice: 'No worker is running. Start one.' },
  ]);
});

it('reports the problems of the operations page in the same words', async () => {
  const failing = await openTestCore({}, ownDatabase);
  cleanups.push(failing.close);
  const since = {
    lastSuccessAt: null,
    lastErrorAt: new Date().toISOString(),
    lastErrorReason: 'carrier_unreachable' as const,
  };
  const health = ['maersk', 'dhl', 'ups', 'fedex'].map((connector) => ({
    connector,
    credentialId: `instance:${connector}`,
    requests: 50,
    succeeded: 2,
    latencyP50Ms: 100,
    latencyP95Ms: 200,
    circuit: 'open' as const,
    budgetLeft: 10,
    closedUntil: null,
    ...since,
  }));
  await reportCarrierHealth(failing.ctx, randomUUID(), { health, served: [], loopDelayMs: 5, completedAgeS: 1 });
  const state = await readOperations(failing.ctx, { countQueues: async () => [], apiLoopDelayMs: 0 });
  const troubles = findTroubles(state).map(({ text }) => text);
  expect(troubles).toHaveLength(4);
  const findings = await examine({ DATABASE_URL: failing.serviceUrl });
  const reported = of(findings, 'operations').filter(({ level }) => level === 'failure');
  expect(reported.map(({ found }) => found)).toEqual(troubles);
});

it('counts webhook endpoints and their retries, and reports a change that was not sent', async () => {
  const webhooks = await openTestCore({}, ownDatabase);
  cleanups.push(webhooks.close);
  const { accountId } = await webhooks.newCaller();
  const insert = (text: string, values: unknown[] = []) =>
    withSystem(webhooks.ctx.store, (tx) => tx.query(text, [accountId, ...values]));
  const endpoint = async (of: { position: number; failing: boolean; disabled: string | null }) => {
    const id = randomUUID();
    await insert(
      `insert into landfall.webhook_endpoints
        (account_id, id, test, url, key_version, secret_sealed, enabled, disabled_at, disabled_reason)
      values ($1, $2, false, 'https://example.com', 'v1', '\\x00', $3::text is null,
        case when $3::text is not null then now() end, $3)`,
      [id, of.disabled],
    );
    await insert(
      `insert into landfall.webhook_cursors (account_id, endpoint_id, sequence, failing_since)
      values ($1, $2, $3, case when $4 then now() end)`,
      [id, of.position, of.failing],
    );
    return id;
  };
  expect(of(await examine({ DATABASE_URL: webhooks.serviceUrl }), 'webhooks')).toMatchObject([
    { level: 'ok', found: 'no endpoints' },
  ]);
  const failing = await endpoint({ position: 7, failing: true, disabled: null });
  await endpoint({ position: 8, failing: false, disabled: null });
  await endpoint({ position: 1, failing: false, disabled: 'gone' });
  await endpoint({ position: 1, failing: false, disabled: 'requested' });
  for (const [state, age] of [
    ['waiting', '3 hours'],
    ['waiting', '1 minute'],
    ['exhausted', '9 days'],
  ]) {
    await insert(
      `insert into landfall.webhook_deliveries
        (account_id, endpoint_id, change_id, type, state, tries, next_try_at, created_at)
      values ($1, $2, $3, 'shipment.updated', $4, 1, case when $4 = 'waiting' then now() end, now() - $5::interval)`,
      [failing, randomUUID(), state, age],
    );
  }
  const change = `insert into landfall.changes (account_id, type, sequence, data, created_at)
    values ($1, 'shipment.updated', $2, '{}', now() - interval '10 minutes')`;
  await insert(change, [7]);
  const findings = await examine({ DATABASE_URL: webhooks.serviceUrl });
  expect(of(findings, 'webhooks')).toMatchObject([
    {
      level: 'ok',
      found:
        '2 endpoints enabled, 1 failing, 1 disabled after failures; 2 deliveries wait for a retry, the oldest for 3 h',
    },
  ]);
  const read = async () =>
    (await readOperations(webhooks.ctx, { countQueues: async () => [], apiLoopDelayMs: 0 })).webhooks.unsentAgeS;
  expect(await read()).toBe(0);
  await insert(change, [8]);
  expect(await read()).toBeGreaterThanOrEqual(600);
});

it('distinguishes free ports, its own and those of other programs, and fails only where no other port is tried', async () => {
  const another = await listen((_request, response) => response.end('hello'));
  const ours = await listen((_request, response) => response.end('{"status":"ok"}'));
  const findings = await examine({
    DATABASE_URL: core.serviceUrl,
    PORT: String(another),
    WORKER_HEALTH_PORT: String(ours),
  });
  expect(of(findings, 'port PORT')).toMatchObject([{ level: 'failure', advice: expect.stringContaining('PORT') }]);
  expect(of(findings, 'port WORKER_HEALTH_PORT')).toMatchObject([
    { level: 'ok', found: `${ours}: Landfall is running` },
  ]);
  expect(of(findings, 'port OPERATIONS_PORT')).toMatchObject([{ level: 'ok', found: 'any free port' }]);
});

it('warns with the fix about a key file that others can read and fails for one without a key', async () => {
  const file = join(folder, 'keys');
  writeFileSync(file, `v1:${testCredentialKey}\n`, { mode: 0o644 });
  chmodSync(file, 0o644);
  const source = { DATABASE_URL: core.serviceUrl, CREDENTIAL_KEYS_FILE: file };
  expect(of(await examine(source), 'credential keys')).toMatchObject([
    { level: 'warning', advice: `chmod 600 ${file}` },
  ]);
  chmodSync(file, 0o600);
  expect(of(await examine(source), 'credential keys')).toMatchObject([{ level: 'ok' }]);
  writeFileSync(file, 'not a key');
  expect(of(await examine(source), 'credential keys')).toMatchObject([{ level: 'failure' }]);
});

it('connects to carrier hosts only on request without sending data, and only warns about an unreachable collector', async () => {
  const asked: string[] = [];
  const port = await listen((request) => asked.push(request.url ?? ''));
  const source = {
    DATABASE_URL: core.serviceUrl,
    CARRIER_MAERSK_BASE_URL: `http://127.0.0.1:${port}/maersk`,
    CARRIER_UPS_BASE_URL: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  };
  const quiet = await examine(source);
  expect(of(quiet, 'carriers')).toMatchObject([{ level: 'ok', found: '2 configured: maersk, ups' }]);
  expect(of(quiet, 'carrier ups')).toEqual([]);
  expect(of(quiet, 'OTLP')).toMatchObject([
    { level: 'warning', found: expect.stringContaining('127.0.0.1:1 is unreachable') },
  ]);
  const reaching = await examine(source, { reach: true });
  expect(of(reaching, 'carrier maersk')).toMatchObject([{ level: 'ok' }]);
  expect(of(reaching, 'carrier ups')).toMatchObject([{ level: 'failure' }]);
  expect(asked).toEqual([]);
});

it('checks the embedded database while it is stopped, leaves it stopped, and checks it while it runs', async () => {
  const dataFolder = join(folder, 'own');
  const nothing = await examine({ LANDFALL_DATA_DIR: dataFolder });
  expect(of(nothing, 'data folder')).toMatchObject([
    { level: 'ok', found: expect.stringContaining('until npm start creates the database') },
  ]);
  const options = { dataDir: postgresFolder(dataFolder), log: () => undefined, durable: false };
  const made = await startEmbeddedPostgres(options);
  await prepareDatabase({ ownerUrl: made.databaseUrl, databaseUrl: serviceUrlOf(made.databaseUrl) });
  await made.stop();
  const stopped = await examine({ LANDFALL_DATA_DIR: dataFolder });
  expect(of(stopped, 'migrations')).toMatchObject([{ level: 'ok' }]);
  expect(of(stopped, 'data folder')).toMatchObject([{ found: expect.stringContaining('not in use') }]);
  expect(of(stopped, 'workers')).toEqual([]);
  const started = await startEmbeddedPostgres(options);
  cleanups.push(started.stop);
  expect(started.origin).toBe('started');
  const running = await examine({ LANDFALL_DATA_DIR: dataFolder });
  expect(running.filter(({ level }) => level === 'failure')).toEqual([]);
  expect(of(running, 'accounts')).toMatchObject([{ level: 'ok' }]);
});

it('prints one line per finding or JSON, and exits with 1 for a failure', async () => {
  const doctor = (env: Record<string, string>, ...args: string[]) => runScript('doctor', args, { ...noPorts, ...env });
  const { stdout } = await doctor({ DATABASE_URL: core.serviceUrl });
  expect(stdout).toMatch(/^ {2}✓ Node: v24/);
  expect(stdout).toMatch(/ {2}! operations: No worker is running.*\n {6}See docs\/operate\/operations.md/);
  const broken = doctor({ DATABASE_URL: core.serviceUrl, DB_POOL_SIZE: '500' }, '--json');
  await expect(broken).rejects.toMatchObject({ code: 1 });
  const findings = await broken.catch(({ stdout: text }: { stdout: string }) => JSON.parse(text) as Finding[]);
  expect(findings).toContainEqual(expect.objectContaining({ level: 'failure', check: 'connections' }));
});

async function execute(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

it('reports whether the source of positions responds, and why not', () => {
  const at = '2026-04-15T08:00:00.000Z';
  expect(checkPositions({ failures: 0, succeededAt: at, failure: null })).toMatchObject({
    level: 'ok',
    found: expect.stringContaining(at),
  });
  expect(checkPositions({ failures: 3, succeededAt: at, failure: 'it responded with HTTP 500' })).toMatchObject({
    level: 'warning',
    found: expect.stringMatching(/failed 3 times in a row \(it responded with HTTP 500\).*2026/),
    advice: expect.stringContaining('docs/operate/positions.md'),
  });
});
