import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import process from 'node:process';

/**
 * The user that runs PostgreSQL, which refuses to run as root: this user, `nobody` in a user namespace in which root
 * still owns the files, or uid 65534.
 */
export type Identity = 'self' | 'namespace' | 'nobody';

const nobodyId = 65_534;

/** The simplest identity that works on this machine. */
export function chooseIdentity(): Identity {
  if (process.getuid?.() !== 0) return 'self';
  return spawnSync('unshare', ['-U', 'true'], { stdio: 'ignore' }).status === 0 ? 'namespace' : 'nobody';
}

/** The user id that must own an identity's files. Null when it is this process's user. */
export function ownerOf(identity: Identity): number | null {
  return identity === 'nobody' ? nobodyId : null;
}

export function spawnAs(identity: Identity, file: string, args: string[], options: SpawnOptions): ChildProcess {
  const [command, commandArgs, extra] = commandAs(identity, file, args);
  return spawn(command, commandArgs, { ...options, ...extra });
}

/** Runs a command and returns its exit code and output. */
export function runAs(
  identity: Identity,
  file: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): { ok: boolean; output: string } {
  const [command, commandArgs, extra] = commandAs(identity, file, args);
  const run = spawnSync(command, commandArgs, { encoding: 'utf8', cwd: '/', ...(env && { env }), ...extra });
  return { ok: run.status === 0, output: `${run.stdout ?? ''}${run.stderr ?? ''}${run.error?.message ?? ''}` };
}

function commandAs(
  identity: Identity,
  file: string,
  args: string[],
): [string, string[], { uid?: number; gid?: number }] {
  if (identity === 'namespace') return ['unshare', ['-U', file, ...args], {}];
  if (identity === 'nobody') return [file, args, { uid: nobodyId, gid: nobodyId }];
  return [file, args, {}];
}
