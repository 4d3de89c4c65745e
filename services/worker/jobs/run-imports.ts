import { readImportRows } from '#shared/contract/imports/import-row-body.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { runImports, tidyImports } from '#shared/core/imports/run-imports.ts';
import { addTo } from '#shared/telemetry/instruments.ts';
import { repeatJob } from './repeat-job.ts';

export type ImportLoopOptions = { signal: AbortSignal; intervalMs?: number };

const longestPauseMs = 5000;
const onCreated = (shipments: number): void => addTo('landfall.registrations', shipments, { source: 'import' });
const tidyEveryMs = 15_000;

/** Registers the rows of imports as they arrive, without a pause while there are any, until `signal`. An error is logged and never ends it. */
export async function runImportLoop(core: CoreContext, { signal, intervalMs = 500 }: ImportLoopOptions): Promise<void> {
  const common = { signal, log: core.log, shortestPauseMs: intervalMs, longestPauseMs };
  await Promise.all([
    repeatJob({
      ...common,
      name: 'importing',
      run: async () => ((await runImports(core, readImportRows, { signal, onCreated })) > 0 ? 0 : intervalMs),
    }),
    // Apart, so that rows do not wait when tidying fails.
    repeatJob({
      ...common,
      name: 'the tidying of imports',
      run: async () => {
        await tidyImports(core);
        return tidyEveryMs;
      },
    }),
  ]);
}
