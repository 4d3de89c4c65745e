import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { type Env, readEnv } from '#shared/config/env.ts';
import { type Life, runMain } from '#shared/lifecycle.ts';
import { takeLock } from '../embedded/single-run-lock.ts';
import { reachableHost } from '../reachable-host.ts';
import { buildWebApp } from './build-web-app.ts';
import { choosePort } from './choose-port.ts';
import { closingLines } from './closing-lines.ts';
import { ensureCredentialKeysFile } from './credential-keys-file.ts';
import { chooseDataFolder, howToStartOver } from './data-folder.ts';
import { registerDemoShipments } from './demo-shipments.ts';
import type { FirstKey } from './first-key.ts';
import { runDatabase } from './run-database.ts';
import { say, step } from './steps.ts';
import { supervise } from './supervise.ts';

const deadlineMs = 10_000;
/** Parts of the deadline, in the order of stopping; what is left is PostgreSQL's. */
const graceMs = { services: 6000, simulator: 1000 };
/** Makes hours between two looks into seconds, so that a simulated voyage of a minute can be watched. */
const demonstrationCadence = '0.0001';

await runMain(startEverything, { deadlineMs, onError: printError });

async function startEverything(life: Life): Promise<void> {
  const startedAt = performance.now();
  const env = readEnv(process.env);
  const dataFolder = chooseDataFolder(env, say);
  const lock = env.DATABASE_URL === null ? lockDataFolder(dataFolder, life) : null;

  const ports = await choosePorts(env);
  const baseUrl = `http://${reachableHost(env.HOST)}:${ports.api}`;
  const simulatorUrl = env.SIMULATOR_URL ?? `http://${env.SIMULATOR_HOST}:${ports.simulator}`;
  const simulated = env.SIMULATOR === 'on' || (env.SIMULATOR === 'auto' && env.DATABASE_URL === null);
  const onlySimulated = simulated && !Object.keys(process.env).some((name) => name.startsWith('CARRIER_'));
  const shared = {
    CADENCE_SCALE: process.env.CADENCE_SCALE || (onlySimulated ? demonstrationCadence : undefined),
    CREDENTIAL_KEYS_FILE: credentialKeysFile(env, dataFolder),
    LANDFALL_DATA_DIR: dataFolder,
    // Code that was compiled at an earlier start: less than half the CPU of loading, and some 6 to 11 MB less in a process.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(dataFolder, 'compile-cache'),
    LOG_LEVEL: process.env.LOG_LEVEL || (process.stdout.isTTY ? 'warn' : 'info'),
    OPERATIONS_PORT: String(ports.operations),
    PORT: String(ports.api),
    PUBLIC_BASE_URL: env.PUBLIC_BASE_URL ?? baseUrl,
    SIMULATOR: simulated ? 'on' : 'off',
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_URL: simulated ? simulatorUrl : '',
    WORKER_HEALTH_PORT: String(ports.workerHealth),
    SHUTDOWN_TIMEOUT_MS: String(Math.min(env.SHUTDOWN_TIMEOUT_MS, graceMs.services - 500)),
  };
  const service = (name: string, databaseUrl?: string) => {
    const file = `services/${name}/main.ts`;
    return supervise({
      name,
      file,
      signal: life.signal,
      log: say,
      env: { ...shared, ...(databaseUrl && { DATABASE_URL: databaseUrl }) },
    });
  };

  const buildingWebApp = buildDashboard(life);
  // Loaded while PostgreSQL starts: together they take as long as the slower one.
  const migrating = import('../migrate.ts');
  const keys = import('./first-key.ts');
  const databaseUrl = env.DATABASE_URL ?? (await startDatabase(dataFolder, life));
  const { migrate } = await migrating;
  const startOver = env.DATABASE_URL === null ? { startOver: howToStartOver(dataFolder) } : {};
  await step('migrations', () => migrate(databaseUrl, startOver), migrationLine);

  const simulator = simulated && env.SIMULATOR_URL === null ? service('simulator') : null;
  if (simulator) life.onDispose(() => simulator.stop(graceMs.simulator), 'the simulator');
  const api = service('api', databaseUrl);
  const worker = service('worker', databaseUrl);
  life.onDispose(() => Promise.all([worker.stop(graceMs.services), api.stop(graceMs.services)]), 'the services');

  const configured = {
    admin: env.INIT_ADMIN_EMAIL !== null,
    apiKey: env.INIT_API_KEY !== null || env.INIT_API_KEY_FILE !== null,
  };
  const place = { databaseUrl, publicBaseUrl: baseUrl, dataFolder };
  const makingKey = step('account', async () => (await keys).ensureFirstKey(place, configured), accountLine);
  try {
    await Promise.all([
      makingKey,
      simulator && step(`simulator ${simulatorUrl}`, () => simulator.ready),
      step('worker', () => worker.ready),
      step(`API ${baseUrl}`, () => api.ready),
    ]);
  } catch (error) {
    const made = await makingKey.catch(() => null);
    // It is stored nowhere: a start that fails later must not swallow it.
    if (made?.secret && !made.file) say(`API key (shown only now): ${made.secret}`);
    throw error;
  }
  const key = await makingKey;
  await buildingWebApp;
  lock?.setAddress(baseUrl);
  if (simulated) await playDemonstration(life, { dataFolder, baseUrl, key });
  say(`ready after ${Math.round(performance.now() - startedAt)} ms`);
  process.stdout.write(
    `${closingLines(env.PUBLIC_BASE_URL ?? baseUrl, { key, operationsUrl: operationsUrl(env, ports.operations) }).join('\n')}\n`,
  );
}

/** Beside everything else. Without it the API serves all the same. */
async function buildDashboard(life: Life): Promise<void> {
  const names = {
    built: 'dashboard: built',
    current: 'dashboard',
    missing: 'dashboard: not built, its packages are not installed',
  };
  await step(
    'dashboard: could not be built',
    () => buildWebApp(life.signal),
    (outcome) => names[outcome],
  ).catch((error: unknown) => say(error instanceof Error ? error.message : String(error)));
}

function operationsUrl(env: Env, port: number): string {
  return `http://${reachableHost(env.OPERATIONS_HOST)}:${port}/operations`;
}

/** A database that others may use too has keys that they share: those are configured, not made here. */
function credentialKeysFile(env: Env, dataFolder: string): string | undefined {
  if (env.CREDENTIAL_KEYS_FILE !== null) return resolve(env.CREDENTIAL_KEYS_FILE);
  return env.CREDENTIAL_KEYS.length > 0 || env.DATABASE_URL !== null ? undefined : ensureCredentialKeysFile(dataFolder);
}

/** Once in the life of a data folder, and only while the first key is at hand. */
async function playDemonstration(
  life: Life,
  place: { dataFolder: string; baseUrl: string; key: FirstKey },
): Promise<void> {
  const marker = join(place.dataFolder, 'demonstration-registered');
  const secret = place.key.secret ?? (place.key.file && readFileSync(place.key.file, 'utf8').trim());
  if (!secret || existsSync(marker)) return;
  const register = () => registerDemoShipments(place.baseUrl, secret, life.signal);
  const count = await step('demonstration', register, (taken) => `${taken} simulated demonstration shipments`).catch(
    () => 0,
  );
  if (count > 0) writeFileSync(marker, '');
}

function migrationLine({ applied }: { applied: number }): string {
  return applied === 0 ? 'migrations: up to date' : `migrations: ${applied} applied`;
}

function accountLine(key: FirstKey): string {
  return key.secret ? 'first account and API key' : 'account';
}

function lockDataFolder(dataFolder: string, life: Life) {
  const lock = takeLock(join(dataFolder, 'running'));
  if (!lock.held) {
    const { pid, address } = lock.holder;
    throw new Error(
      `Landfall is already running${address ? ` at ${address}` : ''} with the data in ${dataFolder} (process ${pid}).`,
    );
  }
  life.onDispose(lock.release, 'the lock');
  return lock;
}

async function choosePorts(
  env: Env,
): Promise<{ api: number; operations: number; simulator: number; workerHealth: number }> {
  const taken: number[] = [];
  const choose = async (name: 'PORT' | 'OPERATIONS_PORT' | 'SIMULATOR_PORT' | 'WORKER_HEALTH_PORT', host: string) => {
    const port = await choosePort(name, { env, explicit: Boolean(process.env[name]), host, taken }, say);
    taken.push(port);
    return port;
  };
  return {
    api: await choose('PORT', env.HOST),
    operations: await choose('OPERATIONS_PORT', env.OPERATIONS_HOST),
    simulator: await choose('SIMULATOR_PORT', env.SIMULATOR_HOST),
    workerHealth: await choose('WORKER_HEALTH_PORT', env.HOST),
  };
}

async function startDatabase(dataFolder: string, life: Life): Promise<string> {
  const names = {
    created: 'PostgreSQL: new database',
    started: 'PostgreSQL',
    adopted: 'PostgreSQL: still running, taken over',
  };
  const database = await step(
    'PostgreSQL',
    () => runDatabase(dataFolder, say),
    ({ origin }) => names[origin],
  );
  life.onDispose(database.stop, 'PostgreSQL');
  return database.databaseUrl;
}

function printError(error: unknown, message: string): void {
  const detail =
    error instanceof Error && process.env.LOG_LEVEL === 'debug'
      ? error.stack
      : error instanceof Error
        ? error.message
        : String(error);
  process.stderr.write(`${message}: ${detail}\n`);
}
