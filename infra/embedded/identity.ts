import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';

/**
 * The user that runs PostgreSQL, which refuses to run as root: this user, uid 65534, or `nobody` in a user namespace.
 * Outside the namespace that is root, who owns the files: the last resort.
 */
export type Identity = 'self' | 'namespace' | 'nobody';

const nobodyId = 65_534;

/** An ordinary user wherever that user can get to the existing parent of `folder`. */
export function chooseIdentity(folder: string): Identity {
  if (process.getuid?.() !== 0) return 'self';
  if (runAs('nobody', 'test', ['-x', existingParent(folder)]).ok) return 'nobody';
  return spawnSync('unshare', ['-U', 'true'], { stdio: 'ignore' }).status === 0 ? 'namespace' : 'nobody';
}

function existingParent(folder: string): string {
  const parent = dirname(resolve(folder));
  return existsSync(parent) ? parent : existingParent(parent);
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
