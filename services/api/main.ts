import process from 'node:process';
import { readEnv } from '#shared/config/env.ts';
import { runMain } from '#shared/lifecycle.ts';
import { shutdownTelemetry } from '#shared/telemetry/sdk.ts';
import { openApiContext } from './context.ts';
import { buildServer } from './server.ts';

const env = readEnvOrExit();

await runMain(
  async ({ signal, onDispose }) => {
    onDispose(shutdownTelemetry, 'the telemetry');
    const ctx = await openApiContext(env, { signal });
    onDispose(ctx.close, 'the database and the queue');
    const app = buildServer(ctx);
    const url = await app.listen({ host: env.HOST, port: env.PORT });
    onDispose(() => closeServer(app), 'the HTTP server');
    ctx.logger.info({ url }, 'the API listens');
    process.send?.({ type: 'ready', url });
  },
  { deadlineMs: env.SHUTDOWN_TIMEOUT_MS },
);

/** Answers what is in flight; whoever still sends at two thirds of the deadline is cut off, so that the rest can close in order. */
async function closeServer(app: ReturnType<typeof buildServer>): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), (env.SHUTDOWN_TIMEOUT_MS * 2) / 3);
  await app.close();
  clearTimeout(cutOff);
}

function readEnvOrExit(): ReturnType<typeof readEnv> {
  try {
    return readEnv(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
