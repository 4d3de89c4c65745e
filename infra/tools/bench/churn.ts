import process from 'node:process';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { openCore } from '#shared/core/open-core.ts';
import { settleShipments } from '#shared/core/settling/settle-shipments.ts';
import { openStore } from '#shared/store/open-store.ts';
import { openBench } from './bench.ts';
import { openRefreshFleet } from './data/refresh-fleet.ts';
import { readVoyage } from './data/voyage-readings.ts';
import { aligned, costTable, growthTable, indexBytes, readTableSizes, type TableSize } from './measure/table-sizes.ts';
import { describeMachine } from './report.ts';

/**
 * Measures the disk cost of a shipment and how the tables age. It takes shipments through a whole voyage and measures
 * the compacted tables, then keeps refreshing and replaces shipments that have arrived with new ones. It calls the core
 * directly, against a durable PostgreSQL of its own.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    shipments: { type: 'string', default: '2000' },
    accounts: { type: 'string', default: '20' },
    answers: { type: 'string', default: '14' },
    'refreshes-per-answer': { type: 'string', default: '10' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const parsePositive = (name: string, text: string | undefined): number => {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0, not ${text}`);
  return value;
};
const minutes = parsePositive('--minutes', values.minutes);
const shipments = parsePositive('--shipments', values.shipments);
const accounts = parsePositive('--accounts', values.accounts);
const refreshesPerReading = parsePositive('--refreshes-per-answer', values['refreshes-per-answer']);

const sweepLimit = 400;
const tidyEveryMs = 5000;
const sampleEveryMs = 60_000;

const readings = await readVoyage(Date.now(), parsePositive('--answers', values.answers));
const { bench, postgresVersion, close } = await openBench({
  rounds: 1,
  seconds: 1,
  profileFolder: null,
  note: (line) => say(`  ${line}`),
});
try {
  const databaseUrl = await bench.newDatabase();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const machine = describeMachine(postgresVersion);
  say(
    `${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, Postgres ${machine.postgres}, load ${machine.loadAtStart}`,
  );
  say(`a voyage of ${readings.length} distinct readings with ${readings.at(-1)?.events.length} events at its end`);
  try {
    await weigh(databaseUrl, client, readings);
    await churn(databaseUrl, client, readings);
  } finally {
    await client.end();
  }
} finally {
  await close();
}

async function weigh(
  databaseUrl: string,
  client: pg.Client,
  readings: Awaited<ReturnType<typeof readVoyage>>,
): Promise<void> {
  const fleet = await openRefreshFleet({ databaseUrl, accounts, readings, refreshesPerReading: 1 });
  await fleet.register(shipments);
  await client.query('vacuum (full, analyze)');
  say(
    `\nregistered, before the first refresh (${shipments} shipments)\n${costTable(await readTableSizes(client), shipments)}`,
  );
  const startedAt = performance.now();
  while (fleet.counts().ended < shipments && (await activeOf(client)) > 0) {
    if ((await fleet.refreshDue(sweepLimit)) === 0) await idle(200);
  }
  const { refreshed } = fleet.counts();
  say(`\n${refreshed} refreshes in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await fleet.tidy();
  await fleet.close();
  await client.query('vacuum (full, analyze)');
  say(`at the end of the voyage\n${costTable(await readTableSizes(client), shipments)}`);
  await client.query(
    `update landfall.shipments set closed_at = now() - interval '31 days' where closed_at is not null`,
  );
  // As they leave the feed after 30 days, and the trace store after two.
  await client.query('truncate landfall.changes, landfall.trace_parts, landfall.spans');
  await client.query('vacuum (full, analyze)');
  say(`31 days later, without settling\n${costTable(await readTableSizes(client), shipments)}`);
  const settled = await settleAll(databaseUrl);
  await client.query('vacuum (full, analyze)');
  say(`${settled} of them settled\n${costTable(await readTableSizes(client), shipments)}`);
}

async function settleAll(databaseUrl: string): Promise<number> {
  const store = await openStore({
    databaseUrl: serviceUrlOf(databaseUrl),
    apiPoolSize: 2,
    systemPoolSize: 2,
    applicationName: 'landfall-bench',
    onPoolError: () => {},
  });
  try {
    const ctx = openCore({ store, settings: { publicBaseUrl: '' } });
    let settled = 0;
    while ((await settleShipments(ctx, { onSettled: () => settled++ })) > 0);
    return settled;
  } finally {
    await store.close();
  }
}

async function churn(
  databaseUrl: string,
  client: pg.Client,
  readings: Awaited<ReturnType<typeof readVoyage>>,
): Promise<void> {
  const fleet = await openRefreshFleet({ databaseUrl, accounts, readings, refreshesPerReading });
  await fleet.register(shipments);
  await client.query('vacuum analyze');
  const before = await readTableSizes(client);
  const startedAt = performance.now();
  const endAt = startedAt + minutes * 60_000;
  const samples = [
    [
      'minute',
      'refreshes/s',
      'shipments',
      'polling MB',
      'its indexes',
      'dead',
      'refreshes MB',
      'its indexes',
      'feed MB',
      'events MB',
    ],
  ];
  let [nextTidyAt, nextSampleAt, refreshedBefore] = [startedAt, startedAt + sampleEveryMs, 0];
  while (performance.now() < endAt) {
    if ((await fleet.refreshDue(sweepLimit)) === 0) await idle(50);
    if (performance.now() >= nextTidyAt) {
      await fleet.tidy();
      const missing = shipments - (await activeOf(client));
      if (missing > 0) await fleet.register(missing);
      nextTidyAt = performance.now() + tidyEveryMs;
    }
    if (performance.now() < nextSampleAt) continue;
    const { refreshed, registered } = fleet.counts();
    samples.push(
      sampleOf(
        await readTableSizes(client),
        (performance.now() - startedAt) / 60_000,
        (refreshed - refreshedBefore) / (sampleEveryMs / 1000),
        registered,
      ),
    );
    say(samples.at(-1)?.join('  ') ?? '');
    refreshedBefore = refreshed;
    nextSampleAt += sampleEveryMs;
  }
  const { refreshed, registered, ended } = fleet.counts();
  await fleet.close();
  say(
    `\n${minutes} minutes: ${refreshed} refreshes (${(refreshed / (minutes * 60)).toFixed(0)}/s), ${registered} shipments, ${ended} of them arrived`,
  );
  say(aligned(samples));
  say(`\n${growthTable(before, await readTableSizes(client))}`);
}

function sampleOf(sizes: readonly TableSize[], minute: number, refreshesPerS: number, registered: number): string[] {
  const mb = (bytes: number | undefined) => ((bytes ?? 0) / 1e6).toFixed(1);
  const of = (table: string) => sizes.find((size) => size.table === table);
  const indexes = (table: string) => mb(of(table) && indexBytes(of(table) as TableSize));
  return [
    minute.toFixed(1),
    refreshesPerS.toFixed(0),
    String(registered),
    mb(of('polling')?.heapBytes),
    indexes('polling'),
    (of('polling')?.deadRows ?? 0).toFixed(0),
    mb(of('refreshes')?.heapBytes),
    indexes('refreshes'),
    mb(of('changes')?.heapBytes),
    mb(of('events')?.heapBytes),
  ];
}

async function activeOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    'select count(*)::integer as count from landfall.polling where next_refresh_at is not null',
  );
  return rows[0]?.count ?? 0;
}

function idle(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}
