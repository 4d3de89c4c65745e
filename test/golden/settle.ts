import type { CoreContext } from '#shared/core/core-context.ts';

/**
 * Where builds keep the job that packs shipments closed for long, newest first. It packs one batch and returns how many
 * shipments that were. A build without such a job keeps shipments as they are.
 */
const jobs: readonly { file: string; name: string }[] = [
  { file: '#shared/core/settling/settle-shipments.ts', name: 'settleShipments' },
];

type Job = (core: CoreContext) => Promise<number>;

/** Packs everything that may be packed. Returns how many shipments that were; null: this build packs nothing. */
export async function settle(core: CoreContext): Promise<number | null> {
  const job = await findJob();
  if (job === null) return null;
  let settled = 0;
  for (let batch = await job(core); batch > 0; batch = await job(core)) settled += batch;
  return settled;
}

async function findJob(): Promise<Job | null> {
  for (const { file, name } of jobs) {
    const module: Record<string, unknown> = await import(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return {};
      throw error;
    });
    if (typeof module[name] === 'function') return module[name] as Job;
  }
  return null;
}
