import { type CreatedApiKey, createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { openTestCore, type TestCore, testCredentialKey } from './core-context.ts';
import { type RunningService, startService } from './processes.ts';

/** A whole Landfall for a test: every role as its own process, on a database of its own, with a live key. */
export type Installation = {
  core: TestCore;
  accountId: string;
  key: string;
  api: RunningService;
  simulator: RunningService;
  worker: RunningService | null;
  startWorker: () => Promise<RunningService>;
  close: () => Promise<void>;
};

export type InstallationOptions = {
  redisUrl: string | null;
  /** Or what makes it, once the simulator runs and the account is there. */
  env?: Record<string, string> | ((of: { simulatorUrl: string; accountId: string }) => Record<string, string>);
  /** Default true. */
  withWorker?: boolean;
  /** Seconds that a fast voyage takes; default 8. */
  voyageS?: number;
};

/** Intervals between refreshes are multiplied by this: a day becomes about two seconds, the least there is. */
const testCadence = '0.00001';

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const core = await openTestCore();
  const caller = await core.newCaller();
  // A drill sends more than a client may.
  await setAccountLimits(core.ctx, caller, { read: 10_000_000, write: 10_000_000, batch: 10_000_000, mcp: 10_000_000 });
  const key: CreatedApiKey = await createApiKey(core.ctx, caller.accountId, { name: 'test', test: false });
  const simulator = await startService(
    'simulator',
    { SIMULATOR_PORT: '0', SIMULATOR_VOYAGE_S: String(options.voyageS ?? 8) },
    ['--control'],
  );
  const env: Record<string, string> = {
    DATABASE_URL: core.databaseUrl,
    ...(options.redisUrl === null ? {} : { REDIS_URL: options.redisUrl }),
    SIMULATOR: 'on',
    SIMULATOR_URL: simulator.url,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    CADENCE_SCALE: testCadence,
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
    startWorker: async () => {
      installation.worker = await startService('worker', env);
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
