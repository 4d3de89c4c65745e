import type { Env } from '#shared/config/env.ts';
import { findFreePort, portIsFree } from '../embedded/postmaster.ts';

type PortName = 'PORT' | 'OPERATIONS_PORT' | 'SIMULATOR_PORT' | 'WORKER_HEALTH_PORT';

/** The port to use: the configured one or an error, else the default or the next free one after it. `taken` are promised already. */
export async function choosePort(
  name: PortName,
  settings: { env: Env; explicit: boolean; host: string; taken: number[] },
  log: (line: string) => void,
): Promise<number> {
  const wanted = settings.env[name];
  if (wanted === 0) return findFreePort(20_000 + Math.floor(Math.random() * 10_000), settings.host);
  if (!settings.taken.includes(wanted) && (await portIsFree(wanted, settings.host))) return wanted;
  if (settings.explicit)
    throw new Error(`${name}=${wanted} is taken on ${settings.host}. Stop what listens there, or set another ${name}.`);
  for (let from = wanted + 1; ; from += 1) {
    const port = await findFreePort(from, settings.host);
    if (settings.taken.includes(port)) continue;
    log(`port ${wanted} is taken: using ${port} (${name})`);
    return port;
  }
}
