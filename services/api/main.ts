import { readFileSync } from 'node:fs';
import process from 'node:process';
import { type Env, readEnv, requireOauthAddress, requireOperationsToken } from '#shared/config/env.ts';
import { type InitialAccess, initialAccess } from '#shared/config/initial-access.ts';
import { ensureInitialAccess } from '#shared/core/keys/ensure-initial-access.ts';
import { countQueued, measureWaitingWork } from '#shared/core/tracking/measure-waiting-work.ts';
import { hostCheck } from '#shared/domain/installation/allowed-host.ts';
import { runMain } from '#shared/lifecycle.ts';
import { poolWaiting } from '#shared/store/open-store.ts';
import { publishGauges } from '#shared/telemetry/publish-gauges.ts';
import { readMetrics, shutdownTelemetry } from '#shared/telemetry/sdk.ts';
import { closeServer } from './close-server.ts';
import { type ApiContext, openApiContext } from './context.ts';
import { buildOperationsServer } from './operations/build-operations-server.ts';
import { buildServer } from './server.ts';

const { env, initial } = readEnvOrExit();

await runMain(
  async ({ signal, onDispose }) => {
    onDispose(shutdownTelemetry, 'telemetry');
    const ctx = await openApiContext(env, { signal });
    onDispose(ctx.close, 'database and queue');
    if (initial !== null) await ensureInitialAccess(ctx.core, initial, ctx.auth.hashPassword);
    const app = buildServer(ctx);
    const operations = await openOperations(ctx);
    onDispose(operations.close, 'operations port');
    const url = await app.listen({ host: env.HOST, port: env.PORT });
    // A third of the deadline stays for what is closed after it.
    onDispose(() => closeServer(app, (env.SHUTDOWN_TIMEOUT_MS * 2) / 3), 'HTTP server');
    ctx.logger.info({ url, operations: `${operations.url}/operations` }, 'API listening');
    process.send?.({ type: 'ready', url });
    // Only now: loading takes a third of a second, which would delay the start.
    ctx.auth.load().catch((error: unknown) => ctx.logger.warn({ err: error }, 'dashboard sign-in not ready yet'));
    ctx.oauth?.load().catch((error: unknown) => ctx.logger.warn({ err: error }, 'authorization server not ready yet'));
  },
  { deadlineMs: env.SHUTDOWN_TIMEOUT_MS, delayMs: env.SHUTDOWN_DELAY_S * 1000 },
);

/** Opens the operations port and publishes the gauges of this process. */
async function openOperations(ctx: ApiContext): Promise<{ url: string; close: () => Promise<void> }> {
  const gauges = publishGauges({
    waitingWork: () => measureWaitingWork(ctx.core),
    queues: () => countQueued(ctx.producer),
    poolWaiting: () => poolWaiting(ctx.core.store),
    eventLoop: ctx.eventLoop,
  });
  const isAllowedHost = hostCheck([env.OPERATIONS_HOST, ...env.ALLOWED_HOSTS]);
  const server = buildOperationsServer(ctx, { guard: { token: env.OPERATIONS_TOKEN, isAllowedHost }, readMetrics });
  const url = await server.listen({ host: env.OPERATIONS_HOST, port: env.OPERATIONS_PORT });
  return {
    url,
    close: async () => {
      gauges.stop();
      await server.close();
    },
  };
}

function readEnvOrExit(): { env: Env; initial: InitialAccess | null } {
  try {
    const read = readEnv(process.env);
    requireOperationsToken(read);
    requireOauthAddress(read);
    return { env: read, initial: initialAccess(read, (path) => readFileSync(path, 'utf8')) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
