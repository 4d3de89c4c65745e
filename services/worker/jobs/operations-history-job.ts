import type { CoreContext } from '#shared/core/core-context.ts';
import { keepSample } from '#shared/core/installation/operations-history.ts';

/**
 * Keeps the numbers of the operations screen every five minutes. Each worker looks twice a minute, and the first one of
 * each five minutes keeps them.
 */
export function operationsHistoryJob(core: CoreContext, jitter: number) {
  return {
    name: 'keep-operations-history',
    everyMs: 30_000,
    jitter,
    maxBackoffMs: 120_000,
    run: async (): Promise<undefined> => {
      await keepSample(core);
    },
  };
}
