import { connectors } from '#services/worker/carriers/registry.ts';
import { openWorkerContext } from '#services/worker/context.ts';
import { answerersOf, createQuestionAnswering } from '#services/worker/jobs/answer-questions.ts';
import { sleep } from '#shared/async/sleep.ts';
import { readEnv } from '#shared/config/env.ts';
import { minPoolSize } from '#shared/config/pool-sizes.ts';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { addressVariables } from '#shared/domain/carriers/connection.ts';
import { createLogger } from '#shared/telemetry/logger.ts';
import { testCredentialKey } from '#test/support/core-context.ts';

/** A worker that answers the questions of requests until it is closed, and does nothing else. */
export async function startAnsweringWorker(
  serviceUrl: string,
  addresses: Record<string, string>,
): Promise<{ close: () => Promise<void> }> {
  const ending = new AbortController();
  const closings: (() => unknown)[] = [];
  const env = readEnv({
    DATABASE_URL: serviceUrl,
    CREDENTIAL_KEYS: `v1:${testCredentialKey}`,
    SIMULATOR: 'off',
    DB_POOL_SIZE: String(minPoolSize),
    ...addresses,
  });
  const log = createLogger({ name: 'worker', level: 'silent' as never, destination: { write: () => undefined } });
  const worker = await openWorkerContext(env, { onDispose: (close) => void closings.push(close) }, log);
  const checks = createQuestionAnswering(worker.core, answerersOf(worker), new AbortController().signal);
  const running = (async () => {
    while (!ending.signal.aborted) {
      await checks.run();
      await sleep(20, { signal: ending.signal });
    }
    await checks.end();
  })();
  return {
    close: async () => {
      ending.abort();
      await running;
      for (const close of closings.reverse()) await close();
    },
  };
}

/** The addresses of every carrier at a simulator, below `path`. */
export function simulatorAddresses(origin: string, path = ''): Record<string, string> {
  return Object.fromEntries(
    connectorCodes.flatMap((code) => {
      const { base, auth } = addressVariables(code);
      const { basePath, authPath } = connectors[code].simulated;
      return [
        [base, `${origin}${path}${basePath}`],
        ...(authPath === null ? [] : [[auth, `${origin}${path}${authPath}`]]),
      ];
    }),
  );
}
