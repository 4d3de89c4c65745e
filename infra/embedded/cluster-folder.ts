import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { type Identity, ownerOf, runAs } from './identity.ts';
import type { NativeBinaries } from './native-binaries.ts';

/** Files of one embedded PostgreSQL. */
export type ClusterFolder = { home: string; cluster: string; passwordFile: string; logFile: string; lockFile: string };

const movedTo = 'moved-to';

/** The files of a data folder, including when an earlier start had to place them elsewhere. */
export function clusterFolder(dataDir: string): ClusterFolder {
  const pointer = join(resolve(dataDir), movedTo);
  return filesIn(existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : resolve(dataDir));
}

/**
 * Creates the folder. If the identity can't access it (a project under /root, run without user namespaces), the
 * database is created in /var/lib or the temporary folder, and a file in the data folder stores its location.
 */
export function prepareClusterFolder(dataDir: string, identity: Identity, log: (line: string) => void): ClusterFolder {
  const wanted = clusterFolder(dataDir);
  mkdirSync(wanted.home, { recursive: true, mode: 0o700 });
  if (identity === 'self') return wanted;
  if (ownerOf(identity) !== null) chmodSync(wanted.home, 0o711);
  if (runAs(identity, 'test', ['-x', wanted.home]).ok) return wanted;
  const name = `landfall-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12)}`;
  for (const parent of ['/var/lib', tmpdir()]) {
    const home = join(parent, name);
    try {
      mkdirSync(home, { recursive: true, mode: 0o711 });
    } catch {
      continue;
    }
    if (statSync(home).uid !== process.getuid?.() || !runAs(identity, 'test', ['-x', home]).ok) continue;
    if (existsSync(wanted.cluster)) renameAcross(wanted.home, home);
    writeFileSync(join(resolve(dataDir), movedTo), home);
    log(`PostgreSQL can't run as root and can't access ${wanted.home}; using ${home} instead`);
    return filesIn(home);
  }
  throw new Error(
    `PostgreSQL can't run as root and no other user can access ${wanted.home}. Start Landfall as another user, or set LANDFALL_DATA_DIR.`,
  );
}

/** Creates the database cluster atomically: an interrupted creation leaves no cluster folder behind. */
export function initialiseCluster(
  files: ClusterFolder,
  native: NativeBinaries,
  options: { identity: Identity; durable: boolean },
): boolean {
  const { identity, durable } = options;
  if (existsSync(join(files.cluster, 'PG_VERSION'))) {
    ownTree(files.cluster, identity);
    return false;
  }
  if (!existsSync(files.passwordFile))
    writeFileSync(files.passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const draft = `${files.cluster}.new`;
  const password = `${draft}-password`;
  try {
    rmSync(draft, { recursive: true, force: true });
    rmSync(password, { force: true });
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(password, readFileSync(files.passwordFile), { mode: 0o600 });
    const owner = ownerOf(identity);
    if (owner !== null) for (const path of [draft, password]) chownSync(path, owner, owner);
    const created = runAs(identity, native.initdb, [
      `--pgdata=${draft}`,
      `--pwfile=${password}`,
      '--username=landfall',
      '--auth=scram-sha-256',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--encoding=UTF8',
      '--lc-messages=C',
      ...(durable ? [] : ['--no-sync']),
    ]);
    if (!created.ok)
      throw new Error(`PostgreSQL failed to create its files in ${files.cluster}:\n${created.output.trim()}`);
    renameSync(draft, files.cluster);
    return true;
  } finally {
    rmSync(password, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

function filesIn(home: string): ClusterFolder {
  return {
    home,
    cluster: join(home, 'cluster'),
    passwordFile: join(home, 'password'),
    logFile: join(home, 'postgres.log'),
    lockFile: join(home, 'lock'),
  };
}

function ownTree(folder: string, identity: Identity): void {
  const owner = ownerOf(identity) ?? process.getuid?.() ?? null;
  if (owner === null || identity === 'self' || statSync(folder).uid === owner) return;
  spawnSync('chown', ['-R', `${owner}:${owner}`, folder]);
}

function renameAcross(from: string, to: string): void {
  const moved = spawnSync('sh', ['-c', 'cp -a "$1"/. "$2"/ && rm -rf "$1"/cluster', 'sh', from, to]);
  if (moved.status !== 0)
    throw new Error(`Could not move the database from ${from} to ${to}: ${String(moved.stderr).trim()}`);
}
