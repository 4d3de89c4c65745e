import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterFolder } from '#infra/embedded/cluster-folder.ts';
import { isAlive } from './process-tree.ts';

/** The running server of a PostgreSQL folder, or none. */
export function postmasterPid(postgresFolder: string): number[] {
  try {
    const pid = Number(
      readFileSync(join(clusterFolder(postgresFolder).cluster, 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    return pid > 0 && isAlive(pid) ? [pid] : [];
  } catch {
    return [];
  }
}
