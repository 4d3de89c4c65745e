import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * The file in the data folder with the keys that seal stored secrets. Created if it doesn't exist. Only this user can
 * read it. Losing it loses those secrets, so it is created atomically and never replaced.
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
