import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * The file in the data folder with the keys that seal stored secrets, made when there is none. Only this user can read it; losing it is losing
 * those secrets. It appears whole or not at all, and one that exists is never replaced.
 */
export function ensureCredentialKeysFile(dataFolder: string): string {
  const file = join(dataFolder, 'credential-keys');
  if (existsSync(file)) return file;
  const unfinished = `${file}.${process.pid}`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `v1:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  return file;
}
