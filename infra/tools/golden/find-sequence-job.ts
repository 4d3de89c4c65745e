import type { CoreContext } from '#shared/core/core-context.ts';
import { findExport } from './find-export.ts';

/** Works through one batch. Returns how many records that were; null: another process is doing it. */
export type Job = (core: CoreContext) => Promise<number | null>;

/** The build's job that gives changes their sequence in the feed. */
export async function findSequenceJob(): Promise<Job> {
  const job = await findExport<Job>([
    { file: '#shared/core/feed/sequence-changes.ts', name: 'sequenceChanges' },
    { file: '#shared/core/feed/position-changes.ts', name: 'positionChanges' },
  ]);
  if (job === null) throw new Error('this build has no job that gives changes their sequence');
  return job;
}
