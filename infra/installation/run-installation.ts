import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import process from 'node:process';
import {
  type Env,
  isLoopbackUrl,
  isMachineOnly,
  readEnv,
  requireDatabaseUrl,
  requireMigrationDatabaseUrl,
} from '#shared/config/env.ts';
import type { Life } from '#shared/lifecycle.ts';
import { chooseDataFolder, howToStartOver } from '../data-folder.ts';
import { serviceUrlOf } from '../embedded/service-url.ts';
import { takeLock } from '../embedded/single-run-lock.ts';
import type { DatabaseAddresses } from '../prepare-database.ts';
import { reachableHost } from '../reachable-host.ts';
import { choosePorts } from './choose-ports.ts';
import { ensureCredentialKeysFile } from './credential-keys-file.ts';
import { registerDemoShipments } from './demo-shipments.ts';
import { storeDemoTerms } from './demo-terms.ts';
import { createDemoWebhooks } from './demo-webhooks.ts';
import type { FirstKey } from './first-key.ts';
import { runDatabase } from './run-database.ts';
import { mainFileOf, type ServiceName } from './service-programs.ts';
import { say, step } from './steps.ts';
import { type Supervised, supervise } from './supervise.ts';

/** Without another API to take over, a delay would only make the stop slower. */
const shutdownDelayS = process.env.SHUTDOWN_DELAY_S || '0';
const delayMs = (Number(shutdownDelayS) || 0) * 1000;
/** Time that `runMain` gives `npm start` and `npm run dev` to stop. */
export const deadlineMs = 10_000 + delayMs;
/** Shares of the deadline, in stopping order. PostgreSQL gets the rest. */
const graceMs = { services: 6000, simulator: 1000 };
/** Turns hours between two refreshes into seconds, so that you can watch a simulated voyage of one minute. */
const demoCadenceScale = '0.0001';

export type Installation = {
  /** The address that users open. */
  publicBaseUrl: string;
  apiUrl: string;
  operationsUrl: string;
  key: FirstKey;
  services: Partial<Record<ServiceName, Supervised>>;
};

type Options = {
  /** Public address unless `PUBLIC_BASE_URL` is set; default: the API's own. */
  publicBaseUrl?: string;
  /** Runs in parallel with startup, which waits for it at the end. */
  prepareDashboard: () => Promise<void>;
};

/** Starts the database, the API, the worker and the simulator, and keeps them running until the process stops. */
export async function runInstallation(life: Life, options: Options): Promise<Installation> {
  const env = readEnv(process.env);
  const dataFolder = chooseDataFolder(env, say);
  const lock = env.DATABASE_URL === null ? lockDataFolder(dataFolder, life) : null;

  const ports = await choosePorts(env, say);
  const apiUrl = `http://${reachableHost(env.HOST)}:${ports.api}`;
  const publicBaseUrl = env.PUBLIC_BASE_URL ?? options.publicBaseUrl ?? apiUrl;
  const simulatorUrl = env.SIMULATOR_URL ?? `http://${env.SIMULATOR_HOST}:${ports.simulator}`;
  const simulated = env.SIMULATOR === 'on' || (env.SIMULATOR === 'auto' && env.DATABASE_URL === null);
  const onlySimulated = simulated && !Object.keys(process.env).some((name) => name.startsWith('CARRIER_'));
  const isElsewhere = env.SIMULATOR_URL !== null && !isLoopbackUrl(simulatorUrl);
  const hasReceivers = onlySimulated && (isElsewhere || isMachineOnly(env));
  const shared = {
    ...(hasReceivers ? demoReceiverAccess(simulatorUrl) : {}),
    CADENCE_SCALE: process.env.CADENCE_SCALE || (onlySimulated ? demoCadenceScale : undefined),
    CREDENTIAL_KEYS_FILE: credentialKeysFile(env, dataFolder),
    LANDFALL_DATA_DIR: dataFolder,
    // Compile cache of an earlier start: less than half the CPU time of loading the code, and 6 to 11 MB less per
    // process.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(dataFolder, 'compile-cache'),
    LOG_LEVEL: process.env.LOG_LEVEL || (process.stdout.isTTY ? 'warn' : 'info'),
    OPERATIONS_PORT: String(ports.operations),
    PORT: String(ports.api),
    PUBLIC_BASE_URL: publicBaseUrl,
    POSITIONS_URL: process.env.POSITIONS_URL || (onlySimulated ? `${simulatorUrl}/sim/ais/positions` : undefined),
    POSITIONS_EVERY_S: process.env.POSITIONS_EVERY_S || (onlySimulated ? '5' : undefined),
    SIMULATOR: simulated ? 'on' : 'off',
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_SMTP_PORT: String(ports.mailSink),
    SMTP_URL:
      process.env.SMTP_URL ||
      (onlySimulated && env.SIMULATOR_URL === null ? mailSinkUrl(env, ports.mailSink) : undefined),
    SIMULATOR_URL: simulated ? simulatorUrl : '',
    WORKER_HEALTH_PORT: String(ports.workerHealth),
    // One machine and a few shipments: every trace id that Landfall shows leads to a trace.
    TRACE_STORE_SHARE: process.env.TRACE_STORE_SHARE || '1',
    SHUTDOWN_DELAY_S: shutdownDelayS,
    SHUTDOWN_TIMEOUT_MS: String(Math.min(env.SHUTDOWN_TIMEOUT_MS, graceMs.services - 500)),
  };
  const service = (name: ServiceName, databaseUrl?: string, own: Record<string, string> = {}) =>
    supervise({
      name,
      file: mainFileOf(name),
      signal: life.signal,
      log: say,
      // The services must not know the owner's password.
      env: { ...shared, MIGRATION_DATABASE_URL: '', ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...own },
    });

  const preparingDashboard = options.prepareDashboard();
  // Loaded while PostgreSQL starts, because both take about the same time.
  const preparing = import('../prepare-database.ts');
  const keys = import('./first-key.ts');
  const addresses = env.DATABASE_URL === null ? await startDatabase(dataFolder, life) : givenDatabase(env);
  const { databaseUrl } = addresses;
  const { prepareDatabase } = await preparing;
  const advice = env.DATABASE_URL === null ? { startOver: howToStartOver(dataFolder) } : {};
  await step('migrations', () => prepareDatabase(addresses, advice), migrationLine);

  let simulator: Supervised | null = null;
  life.onDispose(() => simulator?.stop(graceMs.simulator), 'the simulator');
  const api = service('api', databaseUrl);
  const worker = service('worker', databaseUrl);
  const stopServices = () => Promise.all([worker.stop(graceMs.services), api.stop(delayMs + graceMs.services)]);
  life.onDispose(stopServices, 'the services');

  const configured = {
    admin: env.INIT_ADMIN_EMAIL !== null,
    apiKey: env.INIT_API_KEY !== null || env.INIT_API_KEY_FILE !== null,
  };
  const place = { databaseUrl, publicBaseUrl: apiUrl, dataFolder };
  const makingKey = step('account', async () => (await keys).ensureFirstKey(place, configured), accountLine);
  const startSimulator = async () => {
    const access = await demoAccess(await makingKey, place);
    if (life.signal.aborted) return;
    simulator = service('simulator', undefined, access);
    await simulator.ready;
  };
  try {
    await Promise.all([
      makingKey,
      simulated && env.SIMULATOR_URL === null && step(`simulator ${simulatorUrl}`, startSimulator),
      step('worker', () => worker.ready),
      step(`API ${apiUrl}`, () => api.ready),
    ]);
  } catch (error) {
    const made = await makingKey.catch(() => null);
    // The key is stored nowhere else, so it must be shown even if startup fails.
    if (made?.secret && !made.file) say(`API key (shown only once): ${made.secret}`);
    throw error;
  }
  const key = await makingKey;
  await preparingDashboard;
  lock?.setAddress(apiUrl);
  if (simulated) await registerDemo(life, { dataFolder, apiUrl, key, env, simulatorUrl, webhooks: hasReceivers });
  const operationsUrl = `http://${reachableHost(env.OPERATIONS_HOST)}:${ports.operations}/operations`;
  const services = { api, worker, ...(simulator === null ? {} : { simulator }) };
  return { publicBaseUrl, apiUrl, operationsUrl, key, services };
}

/** Prints the reason for stopping, with a stack trace if `LOG_LEVEL=debug`. */
export function printError(error: unknown, message: string): void {
  const detail =
    error instanceof Error && process.env.LOG_LEVEL === 'debug'
      ? error.stack
      : error instanceof Error
        ? error.message
        : String(error);
  process.stderr.write(`${message}: ${detail}\n`);
}

/**
 * Other processes can use an external database too and need the same keys, so they are configured and not created here.
 */
function credentialKeysFile(env: Env, dataFolder: string): string | undefined {
  if (env.CREDENTIAL_KEYS_FILE !== null) return resolve(env.CREDENTIAL_KEYS_FILE);
  return env.CREDENTIAL_KEYS.length > 0 || env.DATABASE_URL !== null ? undefined : ensureCredentialKeysFile(dataFolder);
}

/** Returns the keys of the simulated railway, terminal and truck. Empty once the demonstration is removed. */
async function demoAccess(
  key: FirstKey,
  place: { databaseUrl: string; publicBaseUrl: string; dataFolder: string },
): Promise<Record<string, string>> {
  const isFirst = (key.secret ?? key.file) !== null && !existsSync(demoMarker(place.dataFolder));
  const { replaceDemoKey } = await import('./demo-key.ts');
  const secret = await replaceDemoKey(place, { isFirst });
  return secret === null ? {} : { SIMULATOR_API_URL: place.publicBaseUrl, SIMULATOR_API_KEY: secret };
}

function demoMarker(dataFolder: string): string {
  return join(dataFolder, 'demonstration-registered');
}

/** Once per data folder, and only while the secret of the first key is known. The endpoints come before the changes. */
async function registerDemo(
  life: Life,
  place: { dataFolder: string; apiUrl: string; key: FirstKey; env: Env; simulatorUrl: string; webhooks: boolean },
): Promise<void> {
  const marker = demoMarker(place.dataFolder);
  const secret = place.key.secret ?? (place.key.file && readFileSync(place.key.file, 'utf8').trim());
  if (!secret || existsSync(marker)) return;
  const access = { ...place, apiKey: secret };
  if (place.webhooks) {
    const create = () => createDemoWebhooks(access, life.signal);
    await step('demo webhooks', create, (count) => `${count} demo webhook endpoints`).catch(() => 0);
  }
  const storeTerms = () => storeDemoTerms(access, life.signal);
  await step('demo terms', storeTerms, () => 'demo free-time terms').catch(() => undefined);
  const register = () => registerDemoShipments(access, life.signal);
  const count = await step('demo shipments', register, (registered) => `${registered} simulated demo shipments`).catch(
    () => 0,
  );
  if (count > 0) writeFileSync(marker, '');
}

/**
 * Lets webhooks reach the receivers of the simulator. Only while every carrier is simulated, and on this machine only if
 * nobody else reaches the installation: otherwise an endpoint could reach what else listens here.
 */
function demoReceiverAccess(simulatorUrl: string): Record<string, string> {
  const address = new URL(simulatorUrl).hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) === 0) return {};
  return {
    WEBHOOK_ALLOW_HTTP: process.env.WEBHOOK_ALLOW_HTTP || '1',
    WEBHOOK_ALLOWED_NETWORKS: process.env.WEBHOOK_ALLOWED_NETWORKS || `${address}/${isIP(address) === 6 ? 128 : 32}`,
  };
}

/** The mail sink of the simulator on this machine, which needs no TLS. */
function mailSinkUrl({ SIMULATOR_HOST: host }: Env, port: number): string {
  return `smtp://${reachableHost(host)}:${port}?ignoreTLS=true`;
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

function givenDatabase(env: Env): DatabaseAddresses {
  return { ownerUrl: requireMigrationDatabaseUrl(env), databaseUrl: requireDatabaseUrl(env) };
}

async function startDatabase(dataFolder: string, life: Life): Promise<DatabaseAddresses> {
  const names = {
    created: 'PostgreSQL: new database',
    started: 'PostgreSQL',
    adopted: 'PostgreSQL: already running',
  };
  const database = await step(
    'PostgreSQL',
    () => runDatabase(dataFolder, say),
    ({ origin }) => names[origin],
  );
  life.onDispose(database.stop, 'PostgreSQL');
  return { ownerUrl: database.databaseUrl, databaseUrl: serviceUrlOf(database.databaseUrl) };
}
