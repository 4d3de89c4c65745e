import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { chooseRows } from './all-rows.ts';
import { openBench } from './bench.ts';
import { describeMachine, type Report, tableOf } from './report.ts';
import { meetsGoal } from './row.ts';

const usage = 'npm run bench -- [row …] [--rounds 5] [--seconds 3] [--out file.json] [--profile folder]';

const at = new Date().toISOString();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n${usage}\n`);
  process.exitCode = 1;
}

/** Runs the chosen rows one after another and writes the report. Returns true if every goal was met. */
async function run(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      profile: { type: 'string' },
      out: { type: 'string', default: `infra/tools/bench/results/${at.replaceAll(/[:.]/g, '-')}.json` },
    },
  });
  const rows = chooseRows(positionals);
  const rounds = positive('--rounds', values.rounds);
  const seconds = positive('--seconds', values.seconds);
  const { bench, postgresVersion, endRow, close } = await openBench({
    rounds,
    seconds,
    profileFolder: values.profile === undefined ? null : resolve(values.profile),
    note: (line) => say(`  ${line}`),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().finally(() => process.exit(130)));
  const report: Report = { at, rounds, secondsPerSide: seconds, machine: describeMachine(postgresVersion), rows: {} };
  const { machine } = report;
  say(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, Postgres ${machine.postgres}, load ${machine.loadAtStart}`,
  );
  try {
    for (const row of rows) {
      say(`\n${row.name}: ${rounds} rounds, ${seconds} s per side`);
      const results = await row.measure(bench);
      await endRow();
      report.rows[row.name] = results;
      say(tableOf(results));
    }
  } finally {
    await close();
  }
  const out = resolve(values.out);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
  say(`\nwrote ${out}`);
  return Object.values(report.rows).flat().every(meetsGoal);
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0, not ${text}`);
  return value;
}
