import type { CoreContext } from '#shared/core/core-context.ts';
import { findExport } from './find-export.ts';
import type { Job } from './find-sequence-job.ts';

/**
 * Packs everything that may be packed. Returns how many shipments that were; null: this build has no job that packs
 * shipments closed for long, and keeps them as they are.
 */
export async function settle(core: CoreContext): Promise<number | null> {
  const job = await findExport<Job>([{ file: '#shared/core/settling/settle-shipments.ts', name: 'settleShipments' }]);
  if (job === null) return null;
  let settled = 0;
  for (let batch = await job(core); batch !== null && batch > 0; batch = await job(core)) settled += batch;
  return settled;
}
