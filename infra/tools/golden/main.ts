import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { compareRecordings } from './compare-recordings.ts';
import { phaseNames } from './phases.ts';

const usage = `node infra/tools/golden/main.ts <folder of the build before> [<folder of the other build>] --to <folder> [--voyages 1000] [--steps 18] [--phases played,settled,unpacked,settled-again,restored]
node infra/tools/golden/main.ts --compare <recording> <recording>`;

/**
 * Records two builds from the same answers of carriers and compares every answer that clients get. The second folder is
 * this one unless it is named. Each folder must have its packages installed. Exits with 1 when an answer differs.
 * All phases are played; `--phases` names those whose answers are recorded, where one is to be repeated alone.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    voyages: { type: 'string', default: '1000' },
    steps: { type: 'string', default: '18' },
    phases: { type: 'string', default: phaseNames.join() },
    compare: { type: 'boolean', default: false },
  },
});
const here = fileURLToPath(new URL('../../../', import.meta.url));
const [first, second] = positionals;
if (first === undefined || (values.compare ? second === undefined : values.to === undefined)) throw new Error(usage);

if (values.compare) {
  compare(first, second ?? '');
} else {
  const to = resolve(values.to ?? '');
  const [before, after] = [resolve(to, 'before'), resolve(to, 'after')];
  const recordings = await Promise.allSettled([
    record(resolve(first), before, '0'),
    // Other ids, so that what the comparison does with ids is tried even on two recordings of one build.
    record(resolve(second ?? here), after, '500000000'),
  ]);
  for (const recording of recordings) if (recording.status === 'rejected') throw recording.reason;
  compare(before, after);
}

/** A call that is interrupted keeps the recordings that were finished, and the next one does not repeat them. */
async function record(build: string, folder: string, randomFrom: string): Promise<void> {
  const done = join(folder, 'recording.json');
  const wanted = {
    build,
    voyages: Number(values.voyages),
    steps: Number(values.steps),
    phases: values.phases,
    randomFrom,
  };
  if (existsSync(done) && isDeepStrictEqual(JSON.parse(readFileSync(done, 'utf8')), wanted)) {
    say(`${build} is recorded in ${folder}`);
    return;
  }
  say(`recording ${build}`);
  const child = spawn(
    process.execPath,
    [
      ...['--import', fileURLToPath(new URL('resolve-build.ts', import.meta.url))],
      ...[fileURLToPath(new URL('record.ts', import.meta.url)), '--to', folder, '--random-from', randomFrom],
      ...['--voyages', values.voyages, '--steps', values.steps, '--phases', values.phases],
    ],
    { cwd: build, env: { ...process.env, LANDFALL_BUILD: build }, stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`recording ${build} failed`);
  writeFileSync(done, JSON.stringify(wanted));
}

function compare(before: string, after: string): void {
  const { answers, differing, differences, files } = compareRecordings(before, after);
  for (const { at, was, is } of differences) say(`\n${at}\n  was: …${was}…\n  is:  …${is}…`);
  for (const [file, count] of files) say(`${String(count).padStart(6)} differ in ${file}`);
  say(`\n${answers} answers compared, ${differing} differ`);
  process.exitCode = differing === 0 && answers > 0 ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
