import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';
import { finish, runSteps, vitestArgs } from './run-steps.ts';

type Drill = { name: string; what: string; files: string[] };

const faults = globSync('test/drills/**/*.test.ts', { cwd: projectFolder });
const scaled = globSync('test/**/*.test.ts', { cwd: projectFolder }).filter(
  (file) => !faults.includes(file) && /run-scale\.ts'/.test(readFileSync(join(projectFolder, file), 'utf8')),
);
const drills: Drill[] = [
  { name: 'faults', what: 'faults and load, in their full length', files: faults },
  { name: 'properties', what: 'every generated case and every replayed voyage', files: scaled },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !drills.some((drill) => drill.name === name));
if (unknown.length > 0) {
  const names = drills.map(({ name }) => name).join(', ');
  process.stderr.write(`Unknown drill: ${unknown.join(', ')}. Choose from ${names}.\n`);
  process.exitCode = 1;
} else {
  await run(wanted.length === 0 ? drills : drills.filter(({ name }) => wanted.includes(name)));
}

/** Every drill runs, even after one has failed: they take long enough to want all results. */
async function run(chosen: readonly Drill[]): Promise<void> {
  const outcomes: boolean[] = [];
  for (const { name, what, files } of chosen) {
    process.stdout.write(`${name}: ${what} (${files.length} test files)\n`);
    const args = vitestArgs(...files);
    outcomes.push(await runSteps([{ name, args, env: { LANDFALL_DRILLS: 'full' }, streams: true }]));
  }
  for (const [index, { name, what, files }] of chosen.entries())
    process.stdout.write(`  ${outcomes[index] ? '✓' : '✗'} ${name}: ${what}, ${files.length} test files\n`);
  finish('drills', outcomes.every(Boolean));
}
