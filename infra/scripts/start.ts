import process from 'node:process';
import { type Life, runMain } from '#shared/lifecycle.ts';
import { buildWebApp } from '../installation/build-web-app.ts';
import { closingLines } from '../installation/closing-lines.ts';
import { deadlineMs, printError, runInstallation } from '../installation/run-installation.ts';
import { say, step } from '../installation/steps.ts';

await runMain(start, { deadlineMs, onError: printError });

async function start(life: Life): Promise<void> {
  const installation = await runInstallation(life, { prepareDashboard: () => buildDashboard(life) });
  say(`ready after ${Math.round(performance.now())} ms`);
  process.stdout.write(`${closingLines(installation).join('\n')}\n`);
}

/** Runs in parallel with startup. The API works without it. */
async function buildDashboard(life: Life): Promise<void> {
  const names = {
    built: 'dashboard: built',
    current: 'dashboard',
    missing: 'dashboard: not built, because its packages are not installed',
  };
  await step(
    'dashboard: build failed',
    () => buildWebApp(life.signal),
    (outcome) => names[outcome],
    life.signal,
  ).catch((error: unknown) => {
    if (!life.signal.aborted) say(error instanceof Error ? error.message : String(error));
  });
}
