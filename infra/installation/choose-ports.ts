import process from 'node:process';
import type { Env } from '#shared/config/env.ts';
import { findFreePort, portIsFree } from '../embedded/postmaster.ts';

export type Ports = { api: number; operations: number; simulator: number; mailSink: number; workerHealth: number };

type PortName = 'PORT' | 'OPERATIONS_PORT' | 'SIMULATOR_PORT' | 'SIMULATOR_SMTP_PORT' | 'WORKER_HEALTH_PORT';

/** The only port without a default: a simulator that nobody sends mails to opens none. */
const mailSinkPort = 8071;

/** A port for each service: the configured one, which must be free, or the default, or the next free one. */
export async function choosePorts(env: Env, log: (line: string) => void): Promise<Ports> {
  const taken: number[] = [];
  const choose = async (name: PortName, host: string) => {
    const port = await choosePort(name, { env, explicit: Boolean(process.env[name]), host, taken }, log);
    taken.push(port);
    return port;
  };
  return {
    api: await choose('PORT', env.HOST),
    operations: await choose('OPERATIONS_PORT', env.OPERATIONS_HOST),
    simulator: await choose('SIMULATOR_PORT', env.SIMULATOR_HOST),
    mailSink: await choose('SIMULATOR_SMTP_PORT', env.SIMULATOR_HOST),
    workerHealth: await choose('WORKER_HEALTH_PORT', env.HOST),
  };
}

/** `taken`: ports of the other services, which may not be listening yet. */
async function choosePort(
  name: PortName,
  settings: { env: Env; explicit: boolean; host: string; taken: number[] },
  log: (line: string) => void,
): Promise<number> {
  const wanted = settings.env[name] ?? mailSinkPort;
  if (wanted === 0) return findFreePort(20_000 + Math.floor(Math.random() * 10_000), settings.host);
  if (!settings.taken.includes(wanted) && (await portIsFree(wanted, settings.host))) return wanted;
  if (settings.explicit)
    throw new Error(
      `${name}=${wanted} is in use on ${settings.host}. Stop the process that listens there, or set another ${name}.`,
    );
  for (let from = wanted + 1; ; from += 1) {
    const port = await findFreePort(from, settings.host);
    if (settings.taken.includes(port)) continue;
    log(`port ${wanted} is in use: using ${port} (${name})`);
    return port;
  }
}
