import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Env } from '#shared/config/env.ts';
import { clusterFolder } from './embedded/cluster-folder.ts';

/** The project folder, with a separator at its end. */
export const projectFolder = fileURLToPath(new URL('../', import.meta.url));

/**
 * The folder for persistent data: the configured one, or `.landfall` in the project, or a folder in the user's home if
 * the project is read-only. Throws if the configured folder isn't writable.
 */
export function chooseDataFolder(env: Env, log: (line: string) => void): string {
  if (env.LANDFALL_DATA_DIR !== null) {
    const configured = resolve(env.LANDFALL_DATA_DIR);
    const failure = writeFailure(configured);
    if (failure)
      throw new Error(
        `LANDFALL_DATA_DIR=${configured} isn't writable: ${failure}. Set it to a folder that this user can write to.`,
      );
    return configured;
  }
  const first = join(projectFolder, '.landfall');
  const places = [
    first,
    join(homedir(), '.local', 'share', 'landfall'),
    join(tmpdir(), `landfall-${process.getuid?.() ?? 'data'}`),
  ];
  for (const place of places) {
    if (writeFailure(place)) continue;
    if (place !== first) log(`the project folder is read-only: using ${place} for data`);
    return place;
  }
  throw new Error(
    `None of ${places.join(', ')} is writable. Set LANDFALL_DATA_DIR to a folder that this user can write to.`,
  );
}

/** Folder of the embedded PostgreSQL within a data folder. */
export function postgresFolder(dataFolder: string): string {
  return join(dataFolder, 'postgres');
}

/**
 * Explains how to replace a database in this folder that can't be upgraded. PostgreSQL's files may be outside this
 * folder.
 */
export function howToStartOver(dataFolder: string): string {
  const { home } = clusterFolder(postgresFolder(dataFolder));
  const folders = home.startsWith(dataFolder + sep) ? [dataFolder] : [dataFolder, home];
  return `To start over, delete ${folders.join(' and ')} or set LANDFALL_DATA_DIR to another folder.`;
}

function writeFailure(folder: string): string | null {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // PostgreSQL, which refuses to run as root, must get to its folder as another user. Other users still see no names,
    // and the secrets inside are readable only by this one.
    if (process.getuid?.() === 0) chmodSync(folder, statSync(folder).mode | 0o011);
    writeFileSync(probe, '');
    rmSync(probe);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
