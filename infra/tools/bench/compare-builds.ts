import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { askSide, type BuildSide, startSide, stopSide } from './build-side.ts';
import { median } from './interleave.ts';
import { describeMachine } from './report.ts';
import type { Measurement } from './row.ts';

const usage =
  'node infra/tools/bench/compare-builds.ts <folder of the other build> [row …] [--rounds 9] [--seconds 3] [--endpoints 100, in this build alone]; BENCH_DATABASE_URL and REDIS_URL must name stores that nothing else uses';

const rowNames = ['post-one', 'get-one', 'refresh-unchanged', 'refresh-changed', 'lists', 'webhooks'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '3' },
    endpoints: { type: 'string' },
  },
});
const [other, ...chosen] = positionals;
if (other === undefined) throw new Error(usage);
const rounds = Number(values.rounds);
const here = process.cwd();
const { cpu, cores, loadAtStart } = describeMachine('');
say(`${cpu}, ${cores} cores, load ${loadAtStart}; ${rounds} rounds; medians (lowest–highest) of ratios round by round`);
for (const row of chosen.length > 0 ? chosen : rowNames) await compare(row);

/**
 * Measures this build, the other build, and the other build a second time, in turn, and prints the ratio of each round.
 * The third side shows how far two runs of the same build differ on this machine. A smaller difference between the
 * builds is noise.
 */
async function compare(row: string): Promise<void> {
  const sides = [
    await start(row, here, 1),
    await start(row, resolve(other ?? ''), 2),
    await start(row, resolve(other ?? ''), 3),
  ];
  const measured: Measurement[][] = sides.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    // Each side goes first in turn, because a side can leave disk work behind for the next one.
    for (let turn = 0; turn < sides.length; turn++) {
      const place = (round + turn) % sides.length;
      const side = sides[place];
      if (side === undefined) continue;
      const measurement = await ask(side);
      if (round > 0) measured[place]?.push(measurement);
    }
  }
  await Promise.all(sides.map(stopSide));
  const [ours = [], theirs = [], again = []] = measured;
  for (const field of ['operationsPerS', 'cpuPerOperationUs', 'databaseCpuPerOperationUs', 'p50Ms', 'p99Ms'] as const)
    say(
      `${row.padEnd(18)} ${field.padEnd(18)} new/old ${shown(ours, theirs, field)}   old/old ${shown(again, theirs, field)}`,
    );
}

/** A ratio above 1 means that the first is better. */
function shown(one: readonly Measurement[], against: readonly Measurement[], field: keyof Measurement): string {
  const ratios = one.map((measurement, round) => {
    const ratio = (measurement[field] ?? Number.NaN) / (against[round]?.[field] ?? Number.NaN);
    return field === 'operationsPerS' ? ratio : 1 / ratio;
  });
  return `${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}

/** Each side has a Redis database of its own if `REDIS_URL` is set. */
function start(row: string, folder: string, redisDatabase: number): Promise<BuildSide> {
  const { REDIS_URL } = process.env;
  const args = [
    ...['--import', fileURLToPath(new URL('../golden/resolve-build.ts', import.meta.url))],
    ...[fileURLToPath(new URL('side.ts', import.meta.url)), row, '--seconds', values.seconds],
  ];
  return startSide(folder, args, {
    LANDFALL_BUILD: folder,
    ...(REDIS_URL !== undefined && { REDIS_URL: `${REDIS_URL}/${redisDatabase}` }),
    ...(values.endpoints !== undefined && { BENCH_ENDPOINTS: redisDatabase === 1 ? values.endpoints : '0' }),
  });
}

async function ask(side: BuildSide): Promise<Measurement> {
  return ((await askSide(side, 'measure')) as { measurement: Measurement }).measurement;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
