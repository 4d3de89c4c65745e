import process from 'node:process';
import { parseArgs } from 'node:util';
import { openBench } from './bench.ts';
import { type Backlog, type LiveFleet, openLiveFleet, pause, type Rate } from './live-fleet.ts';
import { aligned, indexBytes, readTableSizes } from './measure/table-sizes.ts';
import { describeMachine } from './report.ts';

/**
 * Finds the maximum registration rate that API and workers keep up with, runs at a share of it, and reports whether
 * memory, lag, errors or tables grow. Exits with 1 if they do.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    share: { type: 'string', default: '0.7' },
    // Several voyages long. Only the last voyages count.
    'probe-seconds': { type: 'string', default: '300' },
    apis: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const voyageS = 120;
const sampleEveryMs = 30_000;
const maxMb = 250;
/** The mean of the last third divided by that of the first. */
const maxGrowth = 1.2;
const maxLagS = 30;

const head = [
  'minute',
  'shipments',
  'moving',
  'refreshes/s',
  'lag s',
  'failed',
  'refresh errors',
  'API MB',
  'worker MB',
  'tables MB',
  'indexes MB',
];

type Sample = Backlog & {
  minute: number;
  apiMb: number;
  workerMb: number;
  failures: number;
  tablesMb: number;
  indexesMb: number;
};

const { bench, postgresVersion, close } = await openBench({
  rounds: 1,
  seconds: 1,
  profileFolder: null,
  note: (line) => say(`  ${line}`),
});
try {
  const machine = describeMachine(postgresVersion);
  const size = { apis: Number(values.apis), workers: Number(values.workers) };
  say(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, Postgres ${machine.postgres}, load ${machine.loadAtStart}`,
  );
  say(`${size.apis} API, ${size.workers} worker, the queue on ${bench.redisUrl === null ? 'PostgreSQL' : 'Redis'}`);
  const fleet = await openLiveFleet(bench, size, { voyageS });
  const maximum = await fleet.findMaximum(Number(values['probe-seconds']));
  say(`maximum: ${rateText(maximum)}`);
  if (maximum.registrationsPerS === 0) throw new Error('no registration succeeded');
  const samples = await run(fleet, maximum.registrationsPerS * Number(values.share), Number(values.minutes));
  await fleet.close();
  const faults = faultsOf(samples);
  say(faults.length === 0 ? '\nPASSED: memory, lag and errors did not grow' : `\nFAILED: ${faults.join('; ')}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await close();
}

async function run(fleet: LiveFleet, registrationsPerS: number, minutes: number): Promise<Sample[]> {
  say(`${registrationsPerS.toFixed(1)} registrations/s for ${minutes} minutes\n`);
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + minutes * 60_000;
  let failures = 0;
  let inFlight = 0;
  // Sends at the scheduled time, without waiting for earlier answers: a server that slows down must not slow down the
  // load.
  const send = async (): Promise<void> => {
    for (let sent = 0; performance.now() < endAt; sent += 1) {
      const dueAt = startedAt + (sent * 1000) / registrationsPerS;
      if (dueAt > performance.now()) await pause(dueAt - performance.now());
      if (inFlight > 500) {
        failures += 1;
        continue;
      }
      inFlight += 1;
      void fleet.registerOne().then((ms) => {
        inFlight -= 1;
        if (ms === null) failures += 1;
      });
    }
  };
  const watch = async (): Promise<void> => {
    say(aligned([head]));
    for (let nextAt = startedAt; performance.now() < endAt; nextAt += sampleEveryMs) {
      await pause(Math.max(0, Math.min(nextAt, endAt) - performance.now()));
      const sample = await take(fleet, (performance.now() - startedAt) / 60_000, failures);
      say(lineOf(sample, samples.at(-1) ?? null));
      samples.push(sample);
    }
  };
  await Promise.all([send(), watch()]);
  return samples;
}

async function take(fleet: LiveFleet, minute: number, failures: number): Promise<Sample> {
  const mb = async (servers: LiveFleet['apis']) =>
    Math.max(...(await Promise.all(servers.map(async (server) => (await server.usage()).rssBytes / 1e6))));
  const [apiMb, workerMb, backlog, sizes] = [
    await mb(fleet.apis),
    await mb(fleet.workers),
    await fleet.backlog(),
    await readTableSizes(fleet.client),
  ];
  return {
    ...backlog,
    minute,
    apiMb,
    workerMb,
    failures,
    tablesMb: sizes.reduce((sum, { heapBytes }) => sum + heapBytes, 0) / 1e6,
    indexesMb: sizes.reduce((sum, size) => sum + indexBytes(size), 0) / 1e6,
  };
}

function lineOf(sample: Sample, before: Sample | null): string {
  const refreshesPerS =
    before === null ? 0 : (sample.refreshes - before.refreshes) / ((sample.minute - before.minute) * 60);
  const cells = [
    sample.minute.toFixed(1),
    sample.shipments.toFixed(0),
    sample.moving.toFixed(0),
    refreshesPerS.toFixed(0),
    sample.oldestDueS.toFixed(1),
    String(sample.failures),
    sample.refreshErrors.toFixed(0),
    sample.apiMb.toFixed(0),
    sample.workerMb.toFixed(0),
    sample.tablesMb.toFixed(1),
    sample.indexesMb.toFixed(1),
  ];
  return cells
    .map((cell, column) => cell.padEnd(head[column]?.length ?? 0))
    .join('  ')
    .trimEnd();
}

function faultsOf(samples: readonly Sample[]): string[] {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const mean = (part: readonly Sample[], of: (sample: Sample) => number) =>
    part.reduce((sum, sample) => sum + of(sample), 0) / part.length;
  const growth = (of: (sample: Sample) => number) =>
    mean(samples.slice(-third), of) / mean(samples.slice(0, third), of);
  const maxOf = (of: (sample: Sample) => number) => Math.max(...samples.map(of));
  const last = samples.at(-1);
  return [
    ...(['apiMb', 'workerMb'] as const).flatMap((name) => [
      ...(maxOf((sample) => sample[name]) > maxMb
        ? [`${name} reached ${maxOf((sample) => sample[name]).toFixed(0)}, more than ${maxMb}`]
        : []),
      ...(samples.length >= 6 && growth((sample) => sample[name]) > maxGrowth
        ? [`${name} grew ${growth((sample) => sample[name]).toFixed(2)}-fold`]
        : []),
    ]),
    ...(maxOf(({ oldestDueS }) => oldestDueS) > maxLagS
      ? [`a refresh was ${maxOf(({ oldestDueS }) => oldestDueS).toFixed(0)} s late`]
      : []),
    ...(last !== undefined && last.failures > 0 ? [`${last.failures} requests failed`] : []),
    ...(last !== undefined && last.refreshErrors > 0 ? [`${last.refreshErrors} refreshes failed`] : []),
  ];
}

function rateText({ registrationsPerS, refreshesPerS, p50Ms, p99Ms, failures }: Rate): string {
  return `${registrationsPerS.toFixed(1)} registrations/s with ${refreshesPerS.toFixed(0)} refreshes/s (p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${failures} failed)`;
}
