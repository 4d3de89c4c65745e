import { statfs } from 'node:fs/promises';
import type { Env } from '#shared/config/env.ts';
import { portIsFree } from '../embedded/postmaster.ts';
import { reachableHost } from '../reachable-host.ts';
import { type Finding, fail, fine, reasonOf, sizeOf, warn } from './finding.ts';

const minFreeBytes = 500_000_000;
const lowFreeBytes = 5_000_000_000;
const answerMs = 2000;

/** Disk space for the embedded database. */
export async function checkDisk(dataFolder: string): Promise<Finding> {
  const check = 'disk';
  const { bavail, bsize } = await statfs(dataFolder);
  const free = bavail * bsize;
  const found = `${sizeOf(free)} free for ${dataFolder}`;
  if (free < minFreeBytes)
    return fail(
      check,
      found,
      'PostgreSQL stops when the disk is full. Free some space, or move the folder and set LANDFALL_DATA_DIR.',
    );
  if (free < lowFreeBytes)
    return warn(check, found, 'Free some space: 10,000 shipments take about 1.2 GB (docs/operate/performance.md).');
  return fine(check, found);
}

type PortName = 'PORT' | 'OPERATIONS_PORT' | 'WORKER_HEALTH_PORT' | 'SIMULATOR_PORT';

export type PortQuestion = {
  name: PortName;
  host: string;
  /** Set by the user, so no other port is tried. */
  explicit: boolean;
  /** A path on which only Landfall responds like this. */
  path: string;
  isOurs: (status: number, body: string) => boolean;
};

/** Each port that the processes of this configuration listen on. */
export function portQuestions(env: Env, source: Record<string, string | undefined>): PortQuestion[] {
  const lives = (status: number, body: string): boolean =>
    status === 200 && body.replaceAll(' ', '') === '{"status":"ok"}';
  const question = (name: PortName, host: string, rest: Pick<PortQuestion, 'path' | 'isOurs'>): PortQuestion => ({
    name,
    host,
    explicit: Boolean(source[name]?.trim()),
    ...rest,
  });
  const simulated =
    env.SIMULATOR_URL === null && (env.SIMULATOR === 'on' || (env.SIMULATOR === 'auto' && env.DATABASE_URL === null));
  return [
    question('PORT', env.HOST, { path: '/livez', isOurs: lives }),
    question('OPERATIONS_PORT', env.OPERATIONS_HOST, {
      path: '/metrics',
      isOurs: (_status, body) => /landfall_|telemetry was not/.test(body),
    }),
    question('WORKER_HEALTH_PORT', env.HOST, { path: '/livez', isOurs: lives }),
    ...(simulated
      ? [
          question('SIMULATOR_PORT', env.SIMULATOR_HOST, {
            path: '/',
            isOurs: (_status, body) => /simulat/i.test(body),
          }),
        ]
      : []),
  ];
}

/** Checks whether the port is free, used by Landfall, or used by another program. */
export async function checkPort(port: number, question: PortQuestion): Promise<Finding> {
  const { name, host, explicit } = question;
  const check = `port ${name}`;
  if (port === 0) return fine(check, 'any free port');
  try {
    if (await portIsFree(port, host)) return fine(check, `${port} is free`);
  } catch (error) {
    return fail(
      check,
      `${port} on ${host} is not usable: ${reasonOf(error)}`,
      `Set ${name} to a port above 1023, and its host to an address of this machine.`,
    );
  }
  if (await answersAsOurs(port, question)) return fine(check, `${port}: Landfall is running`);
  const found = `${port} is in use by another program`;
  if (explicit)
    return fail(check, found, `Stop what listens there (ss -ltnp 'sport = :${port}'), or set another ${name}.`);
  return warn(
    check,
    found,
    `npm start takes the next free one. A single process does not: set another ${name} for it.`,
  );
}

async function answersAsOurs(port: number, { host, path, isOurs }: PortQuestion): Promise<boolean> {
  try {
    const answer = await fetch(`http://${reachableHost(host)}:${port}${path}`, {
      signal: AbortSignal.timeout(answerMs),
      redirect: 'manual',
    });
    return isOurs(answer.status, await answer.text());
  } catch {
    return false;
  }
}
