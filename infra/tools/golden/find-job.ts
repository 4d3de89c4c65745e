import type { CoreContext } from '#shared/core/core-context.ts';

/** Works through one batch. Returns how many records that were; null: another process is doing it. */
export type Job = (core: CoreContext) => Promise<number | null>;

/** Where builds keep a job, newest first. */
export type JobPlace = { file: string; name: string };

/** The job in the first of these places that the build under test has. Null: it has none of them. */
export async function findJob(places: readonly JobPlace[]): Promise<Job | null> {
  for (const { file, name } of places) {
    const module: Record<string, unknown> = await import(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return {};
      throw error;
    });
    if (typeof module[name] === 'function') return module[name] as Job;
  }
  return null;
}
