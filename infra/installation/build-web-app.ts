import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';
import { processLives } from '../embedded/single-run-lock.ts';

/** `current`: already built from the present sources. `missing`: the sources or the build tool aren't installed. */
export type WebAppBuild = 'built' | 'current' | 'missing';

const folder = join(projectFolder, 'services', 'dashboard');
const dist = join(folder, 'dist');
const vite = join(projectFolder, 'node_modules', 'vite', 'bin', 'vite.js');
/** All sources of the build, relative to the project. */
export const webAppSources = [
  'services/dashboard',
  'services/mcpb',
  'shared/contract',
  'shared/domain',
  'shared/route-map',
  'package-lock.json',
];

/** Builds the dashboard unless it is up to date. Throws with the last lines of Vite's output. */
export async function buildWebApp(signal: AbortSignal): Promise<WebAppBuild> {
  const stampFile = join(dist, 'sources.sha256');
  const stamp = hashSources();
  const built = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').trim() : null;
  if (built === stamp) return 'current';
  if (!existsSync(join(folder, 'index.html')) || !existsSync(vite)) return existsSync(dist) ? 'current' : 'missing';
  await replaceDist(async (next) => {
    await runVite(next, signal);
    writeFileSync(join(next, 'sources.sha256'), `${stamp}\n`);
  });
  return 'built';
}

/** Builds into a folder of its own: another process may serve the present one, or build as well. */
async function replaceDist(build: (next: string) => Promise<void>): Promise<void> {
  const [next, former] = [join(folder, `dist.${process.pid}`), join(folder, `dist.${process.pid}.former`)];
  try {
    for (const name of readdirSync(folder)) {
      const pid = /^dist\.(\d+)/.exec(name)?.[1];
      if (pid !== undefined && !processLives(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
    }
    await build(next);
    if (existsSync(dist)) renameSync(dist, former);
    renameSync(next, dist);
  } finally {
    for (const left of [next, former]) rmSync(left, { recursive: true, force: true });
  }
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
  const inside = readdirSync(path).filter((name) => !/^(?:dist(?:\.\d.*)?|node_modules)$/.test(name));
  return inside.flatMap((name) => filesOf(join(path, name)));
}

/** Runs in a separate process so that its memory and modules are freed afterwards. */
async function runVite(outDir: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [vite, 'build', folder, '--outDir', outDir, '--logLevel', 'error'], {
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
