import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareRecordings } from './compare-recordings.ts';

const usage = `node test/golden/main.ts <folder of the build before> [<folder of the other build>] --to <folder> [--voyages 1000] [--steps 18]
node test/golden/main.ts --compare <recording> <recording>`;

/**
 * Records two builds from the same answers of carriers and compares every answer that clients get. The second folder is
 * this one unless it is named. Each folder must have its packages installed. Exits with 1 when an answer differs.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    voyages: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '18' },
    compare: { type: 'boolean', default: false },
  },
});
const here = fileURLToPath(new URL('../../', import.meta.url));
const [first, second] = positionals;
if (first === undefined || (values.compare ? second === undefined : values.to === undefined)) throw new Error(usage);

if (values.compare) {
  compare(first, second ?? '');
} else {
  const to = resolve(values.to ?? '');
  const [before, after] = [resolve(to, 'before'), resolve(to, 'after')];
  await record(resolve(first), before, '0');
  // Other ids, so that what the comparison does with ids is tried even on two recordings of one build.
  await record(resolve(second ?? here), after, '500000000');
  compare(before, after);
}

async function record(build: string, folder: string, randomFrom: string): Promise<void> {
  say(`recording ${build}`);
  const child = spawn(
    process.execPath,
    [
      ...['--import', fileURLToPath(new URL('resolve-build.ts', import.meta.url))],
      ...[fileURLToPath(new URL('record.ts', import.meta.url)), '--to', folder, '--random-from', randomFrom],
      ...['--voyages', values.voyages, '--steps', values.steps],
    ],
    { cwd: build, env: { ...process.env, LANDFALL_BUILD: build }, stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`recording ${build} failed`);
}

function compare(before: string, after: string): void {
  const { answers, differing, differences } = compareRecordings(before, after);
  for (const { at, was, is } of differences) say(`\n${at}\n  was: …${was}…\n  is:  …${is}…`);
  say(`\n${answers} answers compared, ${differing} differ`);
  process.exitCode = differing === 0 && answers > 0 ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
