import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';

/** `current`: already built from the present sources. `missing`: the sources or the build tool aren't installed. */
export type WebAppBuild = 'built' | 'current' | 'missing';

const folder = join(projectFolder, 'services', 'dashboard');
const vite = join(projectFolder, 'node_modules', 'vite', 'bin', 'vite.js');
/** All sources of the build, relative to the project. */
export const webAppSources = [
  'services/dashboard',
  'services/desktop',
  'shared/contract',
  'shared/domain',
  'shared/route-map',
  'package-lock.json',
];

/** Builds the dashboard unless it is up to date. Throws with the last lines of Vite's output. */
export async function buildWebApp(signal: AbortSignal): Promise<WebAppBuild> {
  const stampFile = join(folder, 'dist', 'sources.sha256');
  const stamp = hashSources();
  const built = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim() : null;
  if (built === stamp) return 'current';
  if (!existsSync(join(folder, 'index.html')) || !existsSync(vite))
    return existsSync(join(folder, 'dist')) ? 'current' : 'missing';
  await runVite(signal);
  writeFileSync(stampFile, `${stamp}\n`);
  return 'built';
}

/** Hashes paths and contents: modification times change with every checkout. */
function hashSources(): string {
  const hash = createHash('sha256');
  for (const source of webAppSources) {
    for (const file of filesOf(join(projectFolder, source)).toSorted()) {
      hash
        .update(`${relative(projectFolder, file)}\n`)
        .update(readFileSync(file))
        .update('\n');
    }
  }
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  const inside = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules');
  return inside.flatMap((name) => filesOf(join(path, name)));
}

/** Runs in a separate process so that its memory and modules are freed afterwards. */
async function runVite(signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [vite, 'build', folder, '--logLevel', 'error'], {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4000);
    });
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`Vite exited with code ${code}:\n${output.trim()}`);
}
