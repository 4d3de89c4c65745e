import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { type ApiContext, type ContextOptions, openApiContext } from '#services/api/context.ts';
import { buildServer } from '#services/api/server.ts';
import { readEnv } from '#shared/config/env.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import type { Scope } from '#shared/domain/caller.ts';
import type { Limits } from '#shared/domain/keys/limits.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { testCredentialKey } from '#test/support/core-context.ts';
import { type TestDatabase, testDatabase } from '#test/support/stores/postgres.ts';
import { checkedFetch } from './openapi-checks.ts';

export type TestApi = {
  url: string;
  ctx: ApiContext;
  app: FastifyInstance;
  /** As its owner. */
  databaseUrl: string;
  /** With the login of API and worker. */
  serviceUrl: string;
  accountId: string;
  accountName: string;
  /** A live key with both shipment scopes. */
  key: string;
  /** Log lines so far. */
  logLines: string[];
  createKey: (options?: {
    scopes?: readonly Scope[];
    test?: boolean;
    expiresAt?: string;
  }) => Promise<{ id: string; secret: string }>;
  /** `fetch` with only the key added. Throws if the answer doesn't match the OpenAPI document. */
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Posts JSON with exactly the headers that the OpenAPI document shows. */
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  close: () => Promise<void>;
};

// biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of an answer with expectations, not types
export type Json = any;

export async function jsonOf(answer: Response): Promise<Json> {
  return answer.json();
}

export type TestApiOptions = Pick<
  ContextOptions,
  | 'signal'
  | 'resolveName'
  | 'fetchDocument'
  | 'limitWindowS'
  | 'limitTimeoutMs'
  | 'failedSignInsPerMinute'
  | 'toolDeadlineMs'
  | 'answerWaitMs'
  | 'webAppFolder'
> & {
  /** Requests per minute and key. Default: more than any test sends. */
  limits?: Partial<Limits>;
  /** Default: one that the system chooses. */
  port?: number;
  /** `ownDatabase`: one whose first account is that of this API. Default: that of this test process. */
  openDatabase?: () => Promise<TestDatabase>;
  /** Default: that of a new account, or in a database of its own that of the first. */
  accountName?: string;
};

const hardlyLimited: Limits = { read: 10_000_000, write: 10_000_000, batch: 10_000_000, mcp: 10_000_000 };

/** Starts the API on a free port. By default its account is new and its queue unavailable. */
export async function startTestApi(
  environment: Record<string, string> = {},
  { openDatabase = testDatabase, ...options }: TestApiOptions = {},
): Promise<TestApi> {
  const database =
    environment.DATABASE_URL === undefined
      ? await openDatabase()
      : {
          databaseUrl: environment.DATABASE_URL,
          serviceUrl: environment.DATABASE_URL,
          drop: async () => undefined,
        };
  const logLines: string[] = [];
  const env = readEnv({
    DATABASE_URL: database.serviceUrl,
    REDIS_URL: 'redis://127.0.0.1:1',
    PORT: '0',
    DB_POOL_SIZE: '13',
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    // Addresses of examples are names that no test may resolve or send to.
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...environment,
  });
  const logger = createLogger({
    name: 'api',
    level: 'debug',
    destination: { write: (line: string) => void logLines.push(line) },
  });
  const opened = await openApiContext(env, {
    failedSignInsPerMinute: 1_000_000,
    resolveName: async () => ['127.0.0.1'],
    // Few tests have a worker that could answer.
    answerWaitMs: 300,
    ...options,
    logger,
  });
  // The event-loop delay of a busy test machine would change the reported state of carriers.
  const eventLoop = { ...opened.eventLoop, read: () => ({ p50S: 0.001, p99S: 0.002, maxS: 0.01 }) };
  const ctx = { ...opened, eventLoop };
  const app = buildServer(ctx);
  const url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const isShared = environment.DATABASE_URL === undefined && openDatabase === testDatabase;
  const accountName = options.accountName ?? (isShared ? `test ${randomUUID()}` : 'default');
  const { accountId } = await withSystem(ctx.core.store, (tx) => ensureAccount(tx, accountName));
  await setAccountLimits(ctx.core, operatorOf(accountId), options.limits ?? hardlyLimited);
  const createKey: TestApi['createKey'] = (options = {}) =>
    createApiKey(ctx.core, accountId, { name: 'test', test: false, ...options });
  const { secret: key } = await createKey();
  const request: TestApi['request'] = (path, init = {}) =>
    checkedFetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    });
  return {
    url,
    ctx,
    app,
    accountId,
    accountName,
    key,
    logLines,
    createKey,
    request,
    databaseUrl: database.databaseUrl,
    serviceUrl: database.serviceUrl,
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
      await ctx.close();
      await database.drop();
    },
  };
}
