import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Everything that makes events of an answer, packages with their data included. */
const sources = ['services/worker/carriers', 'shared/domain', 'shared/places', 'package-lock.json'];

/**
 * What tells this release's reading of answers from that of any other: the sources themselves, so that nobody has to think of raising a
 * number. Null where they cannot be read; then no answer counts as known.
 */
export async function readerIdentity(
  root = fileURLToPath(new URL('../../../', import.meta.url)),
): Promise<string | null> {
  // With the runtime come the time zones that local times are read by.
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
