import { readImportRows } from '#shared/contract/import-row-body.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { runImports, tidyImports } from '#shared/core/run-imports.ts';

export type ImportLoopOptions = { signal: AbortSignal; intervalMs?: number };

const longestPauseMs = 5000;
const tidyEveryMs = 15_000;

/** Registers the rows of imports as they arrive, without a pause while there are any, until `signal`. An error is logged and never ends it. */
export async function runImportLoop(core: CoreContext, { signal, intervalMs = 500 }: ImportLoopOptions): Promise<void> {
  let failures = 0;
  let tidiedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let registered = 0;
    try {
      registered = await runImports(core, readImportRows, signal);
      if (performance.now() - tidiedAt > tidyEveryMs) {
        await tidyImports(core);
        tidiedAt = performance.now();
      }
      failures = 0;
    } catch (error) {
      failures += 1;
      core.log.warn({ err: error, failures }, 'importing failed and will be repeated');
    }
    const pauseMs = failures === 0 ? intervalMs : Math.min(intervalMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2);
    if (registered === 0) await pause(pauseMs, signal);
  }
}

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, forMs);
  const wake = (): void => resolve();
  signal.addEventListener('abort', wake, { once: true });
  if (signal.aborted) resolve();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
}
