import { carrierEnv, type Env, requireDatabaseUrl } from '#shared/config/env.ts';
import { type CoreContext, coreDefaults } from '#shared/core/core-context.ts';
import { ensureFirstAccount } from '#shared/core/ensure-first-account.ts';
import { type ConnectorCode, connectorCodes, connectorFor } from '#shared/domain/carrier-catalogue.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import type { Life } from '#shared/lifecycle.ts';
import { type QueueSettings, queuePrefix } from '#shared/queue/connection.ts';
import { prepareQueue } from '#shared/queue/prepare-queue.ts';
import { openProducer } from '#shared/queue/producer.ts';
import { openStore } from '#shared/store/open-store.ts';
import { currentTraceparent } from '#shared/telemetry/events.ts';
import type { Logger } from '#shared/telemetry/logger.ts';
import { createBudget } from './carriers/budget.ts';
import type { CarrierContext } from './carriers/carrier.ts';
import { createCarrierFetch, openCarrierAgent } from './carriers/http.ts';
import { budgetLimitOf, connectors } from './carriers/registry.ts';
import { settingsFor } from './carriers/settings-for.ts';
import { createTokenCache } from './carriers/token-cache.ts';
import type { RefreshContext } from './jobs/refresh-shipment.ts';

/** Everything the worker holds. */
export type WorkerContext = RefreshContext & { queue: QueueSettings };

/** Opens what the worker needs and registers its closing. Throws when the database cannot be used. */
export async function openWorkerContext(env: Env, life: Pick<Life, 'onDispose'>, log: Logger): Promise<WorkerContext> {
  const databaseUrl = requireDatabaseUrl(env);
  const store = await openStore({
    databaseUrl,
    apiPoolSize: env.DB_POOL_SIZE,
    systemPoolSize: Math.max(2, Math.ceil(env.DB_POOL_SIZE / 3)),
    applicationName: 'landfall-worker',
    onPoolError: (error) => log.warn({ err: error }, 'a database connection broke'),
  });
  life.onDispose(store.close, 'the store');
  const queue: QueueSettings = {
    redisUrl: env.REDIS_URL,
    databaseUrl,
    prefix: queuePrefix,
    telemetry: true,
    onError: (error) => log.warn({ err: error }, 'the queue reports an error'),
  };
  await prepareQueue(queue);
  const producer = openProducer(queue);
  life.onDispose(producer.close, 'the producer');
  const core: CoreContext = {
    store,
    producer,
    now: () => new Date(),
    settings: { ...coreDefaults, cadenceScale: env.CADENCE_SCALE, publicBaseUrl: env.PUBLIC_BASE_URL ?? `http://${env.HOST}:${env.PORT}` },
    connectorFor,
    traceparent: currentTraceparent,
    log,
  };
  const carriers = openCarriers(env, life, core.now);
  const accounts = await accountsServed(env, core, carriers);
  return {
    core,
    queue,
    carrierFor: (connector) => carriers[connector],
    servesAccount: (connector, accountId) => carriers[connector]?.settings.simulated === true || accounts[connector].has(accountId),
  };
}

function openCarriers(env: Env, life: Pick<Life, 'onDispose'>, now: () => Date): Record<ConnectorCode, CarrierContext | null> {
  const agent = openCarrierAgent();
  life.onDispose(() => agent.close(), 'the connections to the carriers');
  const tokens = createTokenCache(now);
  const simulatorUrl = env.SIMULATOR === 'off' ? null : env.SIMULATOR_URL;
  return byConnector((connector) => {
    const settings = settingsFor(connectors[connector], carrierEnv(env, connector), simulatorUrl);
    if (settings === null) return null;
    return {
      settings,
      fetch: createCarrierFetch(agent, settings),
      budget: createBudget(budgetLimitOf(connector, settings), now),
      tokens,
      now,
    };
  });
}

/** The accounts that each configured carrier's credentials serve: those that are named, else the first account. */
async function accountsServed(
  env: Env,
  core: CoreContext,
  carriers: Record<ConnectorCode, CarrierContext | null>,
): Promise<Record<ConnectorCode, Set<string>>> {
  const named = byConnector((connector) =>
    carrierEnv(env, connector).accounts.map((account) => decodeTypeId('acc', account) ?? account.toLowerCase()),
  );
  const isDefaultNeeded = connectorCodes.some(
    (connector) => carriers[connector]?.settings.simulated === false && named[connector].length === 0,
  );
  const defaults = isDefaultNeeded ? [(await ensureFirstAccount(core)).accountId] : [];
  return byConnector((connector) => new Set(named[connector].length > 0 ? named[connector] : defaults));
}

function byConnector<T>(make: (connector: ConnectorCode) => T): Record<ConnectorCode, T> {
  return Object.fromEntries(connectorCodes.map((connector) => [connector, make(connector)])) as Record<ConnectorCode, T>;
}
