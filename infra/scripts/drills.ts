import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';
import { finish, runSteps, type ToolStep, vitestArgs } from './run-steps.ts';

/**
 * `npm run drills`: every fault drill in its long form, then `*.drill.test.ts` and the scaled tests in full. Names choose
 * among the fault drills, `starved` and `scaled`. `--rounds 5` repeats fault drills and the starved machine.
 */
const scaled = 'scaled';
const starved = 'starved';
const args = process.argv.slice(2);
const forFaults = args.filter((arg) => arg !== scaled && arg !== starved);
const roundsAt = forFaults.indexOf('--rounds');
const rounds = roundsAt < 0 ? '1' : (forFaults[roundsAt + 1] ?? '');
const hasOnlyRounds = roundsAt === 0 && forFaults.length === 2;
const isChosen = args.includes(scaled) || args.includes(starved);
const runsFaults = !isChosen || (forFaults.length > 0 && !hasOnlyRounds);
const runsScaled = args.includes(scaled) || args.length === 0;
const env = { LANDFALL_DRILLS: 'full', DRILL_ROUNDS: rounds };

const steps: ToolStep[] = [];
if (runsFaults)
  steps.push({ name: 'fault drills', args: ['infra/tools/drills/main.ts', ...forFaults], env, streams: true });
if (args.includes(starved)) {
  const test = vitestArgs('test/drills/starved-machine.drill.test.ts');
  steps.push({ name: 'starved machine', args: test, env, streams: true });
}
if (runsScaled) {
  const files = globSync('test/**/*.test.ts', { cwd: projectFolder }).filter(
    (file) => file.endsWith('.drill.test.ts') || /run-scale\.ts'/.test(readFileSync(join(projectFolder, file), 'utf8')),
  );
  steps.push({
    name: 'generated cases and replayed voyages in full',
    args: vitestArgs(...files),
    env,
    streams: true,
  });
}

// Every step runs, even after one has failed: they take long enough to want all results.
const outcomes: boolean[] = [];
for (const step of steps) outcomes.push(await runSteps([step]));
finish('drills', outcomes.every(Boolean));
