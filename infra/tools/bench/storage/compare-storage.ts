import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { askSide, type BuildSide, startSide, stopSide } from '../build-side.ts';
import { describeMachine } from '../report.ts';
import type { Measured, ModeResult } from './storage-report.ts';
import { goalTable, modeTable, tableOfTables } from './storage-report.ts';
import type { SettledWeights, StorageRates, StorageWeights } from './storage-side.ts';

/**
 * `node infra/tools/bench/storage/compare-storage.ts [<folder of the build before>]`: what finished voyages of each mode take in
 * this build, and in the one before if it is named, as the tables of docs/operate/performance.md. Both are read in turn, and the
 * order changes from round to round. `--json` writes what `size-installations.ts` needs.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shipments: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    modes: { type: 'string', default: 'ocean,air,parcel,road' },
    json: { type: 'string' },
  },
});
const here = fileURLToPath(new URL('../../../../', import.meta.url));
const folders = [here, ...positionals.map((folder) => resolve(folder))];
const rounds = Number(values.rounds);
const { cpu, cores, node, loadAtStart } = describeMachine('');
say(
  `${cpu}, ${cores} cores, Node ${node}, load ${loadAtStart}; ${values.shipments} shipments a mode, ${rounds} rounds\n`,
);

const results: ModeResult[] = [];
for (const mode of values.modes.split(',')) {
  const sides: BuildSide[] = [];
  for (const folder of folders) sides.push(await startMeasuring(folder, mode));
  const finished = await inTurn(sides);
  const settled: SettledWeights[] = [];
  for (const side of sides) settled.push(await ask<SettledWeights>(side, 'settle'));
  const afterwards = await inTurn(sides);
  const [now, before] = sides.map((side, index): Measured => {
    const weights = side.ready as { value: StorageWeights };
    return {
      ...weights.value,
      ...(settled[index] as SettledWeights),
      rates: finished[index] ?? [],
      settledRates: afterwards[index] ?? [],
    };
  });
  await Promise.all(sides.map(stopSide));
  if (now === undefined) throw new Error('nothing was measured');
  const result: ModeResult = { mode, now, before: before ?? null };
  results.push(result);
  say(`### A finished ${mode} voyage, bytes\n\n${tableOfTables(result, Number(values.shipments))}\n`);
}
say(`### By mode\n\n${modeTable(results)}\n`);
say(`### Goals\n\n${goalTable(results)}`);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 2));

function startMeasuring(folder: string, mode: string): Promise<BuildSide> {
  const args = [
    ...['--import', fileURLToPath(new URL('../../golden/resolve-build.ts', import.meta.url))],
    ...[fileURLToPath(new URL('storage-side.ts', import.meta.url)), '--mode', mode],
    ...['--shipments', values.shipments, '--seconds', values.seconds],
  ];
  return startSide(folder, args, { LANDFALL_BUILD: folder });
}

/** The rounds of each side. The first one warms up and isn't kept. */
async function inTurn(sides: readonly BuildSide[]): Promise<StorageRates[][]> {
  const measured: StorageRates[][] = sides.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const place = (round + turn) % sides.length;
      const rates = await ask<StorageRates>(sides[place] as BuildSide, 'rates');
      if (round > 0) measured[place]?.push(rates);
    }
  }
  return measured;
}

async function ask<Answer>(side: BuildSide, question: string): Promise<Answer> {
  return ((await askSide(side, question)) as { value: Answer }).value;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
