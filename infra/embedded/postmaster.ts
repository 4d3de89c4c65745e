import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { sleep } from '#shared/async/sleep.ts';
import type { ClusterFolder } from './cluster-folder.ts';
import { type Identity, spawnAs } from './identity.ts';
import type { NativeBinaries } from './native-binaries.ts';
import { processLives } from './single-run-lock.ts';

/** A running server process, started by this process or by an earlier run that was killed. */
export type Postmaster = { pid: number; port: number };

export type PostmasterSettings = { identity: Identity; port: number; maxConnections: number; durable: boolean };

const startDeadlineMs = 60_000;
const pollMs = 10;
const largestLogBytes = 5_000_000;

/** The server in `postmaster.pid`, if it is alive and responds. A stale file is removed. */
export async function findRunningPostmaster(files: ClusterFolder): Promise<Postmaster | null> {
  const deadline = Date.now() + 10_000;
  for (let named = readPidFile(files); named; named = readPidFile(files)) {
    if (!processLives(named.pid) || !isPostgres(named.pid)) {
      rmSync(join(files.cluster, 'postmaster.pid'), { force: true });
      return null;
    }
    if (named.status === 'ready' && (await answers(named.port))) return { pid: named.pid, port: named.port };
    if (Date.now() > deadline) {
      await stopPostmaster(named.pid);
      return null;
    }
    await sleep(50);
  }
  return null;
}

/**
 * Starts the server and waits until it accepts connections. On failure, the error contains the server's last log lines.
 */
export async function startPostmaster(
  files: ClusterFolder,
  native: NativeBinaries,
  settings: PostmasterSettings,
): Promise<Postmaster> {
  if ((statSync(files.logFile, { throwIfNoEntry: false })?.size ?? 0) > largestLogBytes)
    renameSync(files.logFile, `${files.logFile}.old`);
  const log = openSync(files.logFile, 'a', 0o600);
  const startedAt = Date.now();
  const logStart = statSync(files.logFile).size;
  // The server has its own process group, so that a terminal's Ctrl-C reaches only this process, which controls the
  // order of shutdown. It logs to a file, because a pipe would break when this process dies.
  const child = spawnAs(settings.identity, native.postgres, serverArguments(files, settings), {
    detached: true,
    cwd: '/',
    stdio: ['ignore', log, log],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', TZ: 'UTC', LC_ALL: 'C' },
  });
  closeSync(log);
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure ??= `it exited with ${signal ?? `code ${code}`}`;
  });
  child.unref();
  while (failure === null && Date.now() - startedAt < startDeadlineMs) {
    const named = readPidFile(files);
    if (child.pid !== undefined && named?.pid === child.pid && named.status === 'ready')
      return { pid: child.pid, port: settings.port };
    await sleep(pollMs);
  }
  if (failure === null && child.pid !== undefined) await stopPostmaster(child.pid);
  throw new Error(
    `PostgreSQL did not start: ${failure ?? `not ready after ${startDeadlineMs / 1000} s`}\n${lastLogLines(files, logStart)}`,
  );
}

/** Fast shutdown. After `graceMs`, the server is stopped forcibly, which requires recovery at its next start. */
export async function stopPostmaster(pid: number, graceMs = 6000): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', graceMs],
    ['SIGQUIT', 2000],
    ['SIGKILL', 2000],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!processLives(pid)) return;
      await sleep(pollMs);
    }
  }
}

/** The end of the server's log, starting at a byte offset. */
export function lastLogLines(files: ClusterFolder, fromByte = 0, count = 12): string {
  try {
    const lines = readFileSync(files.logFile).subarray(fromByte).toString('utf8').trim().split('\n');
    return lines
      .slice(-count)
      .map((line) => `  ${line}`)
      .join('\n');
  } catch {
    return '';
  }
}

/** The first port from `from` on that is free on loopback. */
export async function findFreePort(from: number, host = '127.0.0.1'): Promise<number> {
  for (let port = from; port < from + 200 && port <= 65_535; port += 1) if (await portIsFree(port, host)) return port;
  throw new Error(`No free port from ${from} to ${from + 199} on ${host}.`);
}

/** Resolves to true for a free port. Throws for other errors, such as a privileged port. */
export function portIsFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

function serverArguments(files: ClusterFolder, settings: PostmasterSettings): string[] {
  const durability = settings.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port: settings.port,
    unix_socket_directories: '',
    max_connections: settings.maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m ',
    // Statements may contain client data.
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...durability,
  };
  return ['-D', files.cluster, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * Lines of postmaster.pid: process id, data folder, start time, port, socket folder, address, shared memory, status.
 */
function readPidFile(files: ClusterFolder): { pid: number; port: number; status: string } | null {
  try {
    const lines = readFileSync(join(files.cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Math.abs(Number(lines[0]));
    return Number.isSafeInteger(pid) && pid > 0
      ? { pid, port: Number(lines[3]), status: (lines[7] ?? '').trim() }
      : null;
  } catch {
    return null;
  }
}

function isPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    const listed = spawnSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' });
    return listed.error !== undefined || listed.stdout.includes('postgres');
  }
}

/** Resolves to true when PostgreSQL responds on the port: its protocol answers an SSLRequest with one byte, S or N. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2000 }, () =>
      socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])),
    );
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (bytes) => finish(bytes[0] === 83 || bytes[0] === 78));
    for (const event of ['error', 'timeout', 'end'] as const) socket.once(event, () => finish(false));
  });
}
