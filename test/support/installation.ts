import { type CreatedApiKey, createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { openTestCore, type TestCore, testCredentialKey } from './core-context.ts';
import { type RunningService, startService } from './processes.ts';

/** A whole installation for a test: every service as a process, on a database of its own, with a live key. */
export type Installation = {
  core: TestCore;
  accountId: string;
  key: string;
  api: RunningService;
  simulator: RunningService;
  worker: RunningService | null;
  startWorker: (env?: Record<string, string>) => Promise<RunningService>;
  close: () => Promise<void>;
};

export type InstallationOptions = {
  redisUrl: string | null;
  /** Or a function that returns it once the simulator runs and the account exists. */
  env?: Record<string, string> | ((of: { simulatorUrl: string; accountId: string }) => Record<string, string>);
  /** Default true. */
  withWorker?: boolean;
  /** Seconds that a fast voyage takes; default 8. */
  voyageS?: number;
};

/** Multiplies the intervals between refreshes: a day becomes about two seconds, the minimum. */
const testCadence = '0.00001';

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const core = await openTestCore({}, ownDatabase);
  const caller = await core.newCaller();
  // Drills send more than the default limits allow.
  await setAccountLimits(core.ctx, caller, { read: 10_000_000, write: 10_000_000, batch: 10_000_000, mcp: 10_000_000 });
  const key: CreatedApiKey = await createApiKey(core.ctx, caller.accountId, { name: 'test', test: false });
  const simulator = await startService(
    'simulator',
    { SIMULATOR_PORT: '0', SIMULATOR_VOYAGE_S: String(options.voyageS ?? 8) },
    ['--control'],
  );
  const env: Record<string, string> = {
    DATABASE_URL: core.serviceUrl,
    ...(options.redisUrl === null ? {} : { REDIS_URL: options.redisUrl }),
    SIMULATOR: 'on',
    SIMULATOR_URL: simulator.url,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    CADENCE_SCALE: testCadence,
    // Long enough for a busy machine.
    SHUTDOWN_TIMEOUT_MS: '60000',
    PORT: '0',
    WORKER_HEALTH_PORT: '0',
    ...(typeof options.env === 'function'
      ? options.env({ simulatorUrl: simulator.url, accountId: caller.accountId })
      : options.env),
  };
  const api = await startService('api', env);
  const installation: Installation = {
    core,
    accountId: caller.accountId,
    key: key.secret,
    api,
    simulator,
    worker: null,
    startWorker: async (changes = {}) => {
      installation.worker = await startService('worker', { ...env, ...changes });
      return installation.worker;
    },
    close: async () => {
      await Promise.all([installation.worker?.kill(), api.kill(), simulator.kill()]);
      await core.close();
    },
  };
  if (options.withWorker !== false) await installation.startWorker();
  return installation;
}
