import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Everything that affects how a response is parsed, including packages and their data. */
const sources = ['services/worker/carriers', 'shared/domain', 'shared/places', 'package-lock.json'];

/**
 * Identifies how this release parses responses: a hash of the sources, so that no version number has to be raised by
 * hand. Null if they can't be read; then every response is parsed in full.
 */
export async function readerIdentity(
  root = fileURLToPath(new URL('../../../', import.meta.url)),
): Promise<string | null> {
  // The runtime brings the time zones by which local times are read.
  const hash = createHash('sha256').update(`${process.version} ${process.versions.tz}\n`);
  try {
    for (const source of sources) {
      for (const file of await filesOf(`${root}${source}`))
        hash.update(`${file.slice(root.length)}\n`).update(await readFile(file));
    }
    return hash.digest('hex');
  } catch {
    return null;
  }
}

async function filesOf(path: string): Promise<string[]> {
  if (/\.\w+$/.test(path)) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}
