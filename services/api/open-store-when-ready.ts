import { sleep } from '#shared/async/sleep.ts';
import { type Env, requireDatabaseUrl } from '#shared/config/env.ts';
import { apiPools } from '#shared/config/pool-sizes.ts';
import type { SecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { ensureSigningSecret } from '#shared/core/secrets/signing-secret.ts';
import { openStore, type Store } from '#shared/store/open-store.ts';
import { isDatabaseUnavailable } from '#shared/store/store-errors.ts';
import type { Logger } from '#shared/telemetry/logger.ts';

const databaseRetryMs = 500;

type Opened = { store: Store; signingSecret: string };
type Opening = { logger: Logger; secretKeys: SecretKeys | null; signal: AbortSignal | null };

/**
 * Opens the store and reads the secret that signs session cookies. Waits for a database that is unavailable or not
 * migrated yet. Throws what `openStore` throws, and SigningSecretUnreadable.
 */
export async function openStoreWhenReady(env: Env, { logger, secretKeys, signal }: Opening): Promise<Opened> {
  for (let attempt = 1; ; attempt++) {
    try {
      const store = await openApiStore(env, logger);
      try {
        return { store, signingSecret: await ensureSigningSecret({ store, secretKeys }) };
      } catch (error) {
        await store.close();
        throw error;
      }
    } catch (error) {
      if (signal?.aborted || !isWorthWaiting(error)) throw error;
      if (attempt === 1) logger.warn({ err: error }, 'waiting for the database');
      await sleep(databaseRetryMs, { signal });
    }
  }
}

function openApiStore(env: Env, logger: Logger): Promise<Store> {
  const pools = apiPools(env);
  return openStore({
    databaseUrl: requireDatabaseUrl(env),
    apiPoolSize: pools.app,
    readPoolSize: pools.reads,
    systemPoolSize: pools.system,
    authPoolSize: pools.auth,
    applicationName: 'landfall-api',
    onPoolError: (error) => logger.warn({ err: error }, 'database connection lost'),
  });
}

function isWorthWaiting(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Error && error.message.includes('run the migrations first'));
}
