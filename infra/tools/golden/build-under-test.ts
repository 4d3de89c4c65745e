import { operatorOf } from '#infra/installation/open-script-core.ts';
import { openApiContext } from '#services/api/context.ts';
import { buildServer } from '#services/api/server.ts';
import { readEnv } from '#shared/config/env.ts';
import { toJourneyText } from '#shared/contract/record/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { openCore } from '#shared/core/open-core.ts';
import type { RefreshClaim } from '#shared/domain/refresh/refresh.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { accounts } from './voyages.ts';

/** 32 bytes in base64. */
const credentialKey = 'Z29sZGVuLWdvbGRlbi1nb2xkZW4tZ29sZGVuLWdvbGQ=';
const unlimited = 1_000_000_000;

export type Answer = { status: number; headers: Record<string, unknown>; body: string };
export type Ask = (
  account: number,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<Answer>;
/** An account and the secret of its key, which stay the same in a restored database. */
export type Customer = { accountId: string; key: string };

/**
 * The API of the build, in this process and without a network, and the core as a worker has it. The queue is a list,
 * and nothing runs that the recording doesn't call.
 */
export async function openBuild(serviceUrl: string, customers: readonly Customer[] | null) {
  const env = readEnv({
    DATABASE_URL: serviceUrl,
    // Nothing listens there: a refresh is found by the sweep.
    REDIS_URL: 'redis://127.0.0.1:1',
    PORT: '0',
    CREDENTIAL_KEYS: `v1:${credentialKey}`,
    SIMULATOR: 'on',
  });
  const failures: string[] = [];
  const destination = { write: (line: string) => void (line.includes('"level":50') && failures.push(line)) };
  const context = await openApiContext(env, { logger: createLogger({ name: 'api', level: 'error', destination }) });
  const app = buildServer(context);
  await app.ready();
  const claims: RefreshClaim[] = [];
  const core: CoreContext = openCore({
    store: context.core.store,
    secretKeys: context.core.secretKeys,
    producer: {
      enqueue: async (_connector, items) => void claims.push(...items),
      close: async () => {},
    },
    journeyText: toJourneyText,
    traceparent: () => null,
    settings: { publicBaseUrl: context.core.settings.publicBaseUrl },
    log: { info: () => {}, warn: (...line) => void failures.push(JSON.stringify(line)), error: () => {} },
  });
  const known = customers ?? (await createCustomers(core));
  const ask: Ask = async (account, method, path, body) => {
    const { key } = known[account] as Customer;
    const response = await app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${key}`, ...(path === '/v1/mcp' ? mcpHeaders : {}) },
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  };
  return {
    app,
    core,
    customers: known,
    ask,
    /** Log lines of errors and of jobs that failed: a recording with any of them is worth nothing. */
    failures,
    takeClaims: () => claims.splice(0),
    close: async () => {
      await app.close();
      await context.close();
    },
  };
}

export type BuildUnderTest = Awaited<ReturnType<typeof openBuild>>;

const mcpHeaders = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

async function createCustomers(core: CoreContext): Promise<Customer[]> {
  const made: Customer[] = [];
  for (let account = 0; account < accounts; account++) {
    const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, `golden ${account}`));
    await setAccountLimits(core, operatorOf(accountId), {
      read: unlimited,
      write: unlimited,
      batch: unlimited,
      mcp: unlimited,
    });
    made.push({ accountId, key: (await createApiKey(core, accountId, { name: 'golden', test: false })).secret });
  }
  return made;
}
