import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import type { ClusterFolder } from './cluster-folder.ts';

/** Seconds that the services have to close their connections, and then PostgreSQL to stop without them. */
const graceS = 7;

/**
 * Arguments: process id, `postmaster.pid`. A line on stdin dismisses the guard, and the end of stdin means that the
 * process which started PostgreSQL has ended. SIGTERM refuses new connections and waits for the open ones, SIGINT ends
 * those, SIGQUIT doesn't even write a checkpoint.
 */
const script = `
read -r _ && exit
runs() { kill -0 "$1" && [ "$(head -n 1 "$2")" = "$1" ]; }
for signal in TERM INT QUIT; do
  runs "$@" || exit
  kill -s "$signal" "$1"
  left=${graceS}
  while [ "$left" -gt 0 ] && runs "$@"; do sleep 1; left=$((left - 1)); done
done`;

/**
 * Stops the server when this process ends without doing so, even if it is killed. A shell does it, because a second
 * Node process would cost 40 MB. Returns a function that dismisses it. On Windows, the server is left for the next
 * start to adopt.
 */
export function guardPostmaster(pid: number, files: ClusterFolder): () => void {
  if (process.platform === 'win32') return () => {};
  const pidFile = join(files.cluster, 'postmaster.pid');
  const guard = spawn('sh', ['-c', script, 'landfall-postgres-guard', String(pid), pidFile], {
    cwd: '/',
    // In a process group of its own, so that what ends this process doesn't end the guard.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell, the next start adopts the server.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
  return () => guard.stdin.end('stopped\n');
}
