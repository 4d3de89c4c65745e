import { readImportRows } from '#shared/contract/imports/import-row-body.ts';
import { runBulkActions } from '#shared/core/bulk/run-bulk-actions.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { runImports, tidyImports } from '#shared/core/imports/run-imports.ts';
import { addTo } from '#shared/telemetry/instruments.ts';

const secondMs = 1000;

/** The periodic jobs that do what one request asked for many shipments: imports and bulk actions. */
export function importJobs(core: CoreContext, { jitter, signal }: { jitter: number; signal: AbortSignal }) {
  return [
    {
      name: 'run-imports',
      everyMs: 500,
      minBackoffMs: 500,
      maxBackoffMs: 5 * secondMs,
      run: async () => againIf((await runImports(core, readImportRows, { signal, onCreated: countImported })) > 0),
    },
    {
      name: 'run-bulk-actions',
      everyMs: secondMs,
      jitter,
      minBackoffMs: 500,
      maxBackoffMs: 5 * secondMs,
      run: async () => againIf((await runBulkActions(core, { signal })) > 0),
    },
    {
      name: 'tidy-imports',
      everyMs: 15 * secondMs,
      minBackoffMs: 500,
      maxBackoffMs: 5 * secondMs,
      run: async () => void (await tidyImports(core)),
    },
  ];
}

/** The pause after a full batch: none. */
function againIf(isMoreWaiting: boolean): number | undefined {
  return isMoreWaiting ? 0 : undefined;
}

function countImported(shipments: number): void {
  addTo('landfall.registrations', shipments, { source: 'import' });
}
