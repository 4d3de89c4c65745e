import { watch } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../data-folder.ts';
import { type ServiceName, serviceFolders } from './service-programs.ts';
import type { Supervised } from './supervise.ts';

const graceMs = 5000;
/** An editor writes a file in several steps, and a checkout writes many files. */
const settleMs = 100;

/** Restarts each service when its own sources or shared ones change, until the signal aborts. */
export function restartOnChange(
  services: Partial<Record<ServiceName, Supervised>>,
  { signal, log }: { signal: AbortSignal; log: (line: string) => void },
): void {
  for (const [name, service] of Object.entries(services) as [ServiceName, Supervised][]) {
    const restart = restarter(async (file) => {
      if (signal.aborted) return;
      log(`${file} changed: restarting ${name}`);
      await service.restart(graceMs);
    });
    for (const folder of ['shared', serviceFolders[name]]) {
      watch(join(projectFolder, folder), { recursive: true, signal }, (_event, file) => {
        if (file?.endsWith('.ts')) restart(`${folder}/${file}`);
      });
    }
  }
}

/** Calls that arrive together, or while one is running, are one call. */
function restarter(restart: (file: string) => Promise<void>): (file: string) => void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  return (file) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(() => restart(file));
    }, settleMs);
  };
}
