import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';
import { finish, runSteps, type ToolStep, vitestArgs } from './run-steps.ts';

/**
 * `npm run drills`: every fault drill in its long form, then `*.drill.test.ts` and the scaled tests in full. Names choose
 * among the fault drills and `scaled`.
 */
const scaled = 'scaled';
const args = process.argv.slice(2);
const forFaults = args.filter((arg) => arg !== scaled);
const runsFaults = forFaults.length > 0 || !args.includes(scaled);
const runsScaled = args.includes(scaled) || args.length === 0;
const env = { LANDFALL_DRILLS: 'full' };

const steps: ToolStep[] = [];
if (runsFaults)
  steps.push({ name: 'fault drills', args: ['infra/tools/drills/main.ts', ...forFaults], env, streams: true });
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
