import pg from 'pg';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { openScriptCore, operatorOf } from '#infra/installation/open-script-core.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import type { Bench } from '../bench.ts';
import { openBenchStreams } from '../data/open-streams.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { pause } from '../live-fleet.ts';
import type { Measurement, Result, Row } from '../row.ts';

/** `BENCH_STREAMS`: set it lower where so many sockets can't be open. */
const many = Number(process.env['BENCH_STREAMS'] ?? 2000);
const accounts = 20;
const changesAnAccount = 10;
const maxStreamKb = 50;
const maxArrivalMs = 300;
const settleMs = 5000;
/** PostgreSQL counts what an idle connection did after 10 s at the latest. */
const countedAfterMs = 11_000;

type Core = Awaited<ReturnType<typeof openScriptCore>>;
type Side = { databaseUrl: string; core: Core; callers: Caller[]; keys: string[] };
type Measured = Measurement & { p95Ms: number; kbAStream: number; readsAChange: number };

/**
 * Open streams of one process, over 20 accounts: the memory that each takes, the time from the commit of a change to its
 * arrival at all streams of its account, and how often the database looks into the feed for it, beside one stream an
 * account. This process writes the changes and gives them their positions, as a worker does.
 */
export const streamsRow: Row = { name: 'streams', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const side = await openSide(bench);
  try {
    const rounds = await interleave<'many' | 'few', Measured>(bench.rounds, {
      many: () => measureStreams(bench, side, many),
      few: () => measureStreams(bench, side, accounts),
    });
    const work = `${many.toLocaleString('en')} open streams`;
    const sides = { product: medians(rounds.many), baselineCost: medians(rounds.few) };
    const baseline = `${accounts} open streams`;
    return [
      {
        ...{ work: `${work}: memory`, baseline: `${maxStreamKb} KB a stream` },
        compares: `resident memory a stream ÷ ${maxStreamKb} KB`,
        ...compareRounds(rounds.many, rounds.few, (ours) => ours.kbAStream / maxStreamKb),
        ...{ goal: { atMost: 1 }, ...sides },
      },
      {
        ...{ work: `${work}: a change to all ${many / accounts} of its account`, baseline: `${maxArrivalMs} ms` },
        compares: `p95 from commit to arrival ÷ ${maxArrivalMs} ms`,
        ...compareRounds(rounds.many, rounds.few, (ours) => ours.p95Ms / maxArrivalMs),
        ...{ goal: { atMost: 1 }, ...sides },
      },
      {
        ...{ work: `${work}: database`, baseline },
        compares: 'looks into the feed’s table a change',
        ...compareRounds(rounds.many, rounds.few, (ours, theirs) => ours.readsAChange / theirs.readsAChange),
        ...{ goal: { atMost: 1.2 }, ...sides },
      },
    ];
  } finally {
    await side.core.close();
  }
}

async function measureStreams(bench: Bench, side: Side, count: number): Promise<Measured> {
  // A new process for each measurement: memory that was used before would be used again.
  const server = await bench.startServer({
    file: 'services/api/main.ts',
    env: {
      ...{ DATABASE_URL: serviceUrlOf(side.databaseUrl), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
      ...{ MAX_STREAMS_PER_ACCOUNT: String(many), MAX_STREAMS_PER_KEY: String(many) },
    },
  });
  const warm = await openBenchStreams(server.url, side.keys, accounts);
  const before = await server.usage();
  const streams = await openBenchStreams(server.url, side.keys, count);
  const open = await server.usage();
  // Data from opening the streams, such as the traces of their requests, is written within seconds.
  await pause(settleMs);
  const readsBefore = await feedReadsOf(side.databaseUrl);
  const arrivals: number[] = [];
  const startedAt = performance.now();
  for (let turn = 0; turn < changesAnAccount; turn += 1)
    for (const [place, caller] of side.callers.entries()) {
      const { shipment } = await registerShipment(side.core, caller, oceanRegistration());
      const committedAt = performance.now();
      const ofAccount = Array.from({ length: count }, (_, index) => index).filter(
        (index) => index % accounts === place,
      );
      const arriving = streams.arrivals(encodeTypeId('shp', shipment.id), ofAccount, committedAt);
      while ((await sequenceChanges(side.core)) !== 0);
      arrivals.push(...(await arriving));
    }
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await server.usage();
  const changes = changesAnAccount * accounts;
  const readsAChange = ((await feedReadsOf(side.databaseUrl)) - readsBefore) / changes;
  bench.note(`${readsAChange.toFixed(2)} looks into the feed's table a change`);
  streams.close();
  warm.close();
  await server.stop();
  const sorted = arrivals.toSorted((one, another) => one - another);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    operationsPerS: arrivals.length / seconds,
    cpuPerOperationUs: (after.cpuUs - open.cpuUs) / arrivals.length,
    ...{ p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) },
    rssMb: after.rssBytes / 1e6,
    kbAStream: (open.rssBytes - before.rssBytes) / 1000 / count,
    readsAChange,
  };
}

/** By all processes, since the database was made: also those of this one, which are the same on both sides. */
async function feedReadsOf(databaseUrl: string): Promise<number> {
  await pause(countedAfterMs);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    "select seq_scan + idx_scan as count from pg_stat_user_tables where schemaname = 'landfall' and relname = 'changes'",
  );
  await client.end();
  return Number(rows[0]?.count);
}

async function openSide(bench: Bench): Promise<Side> {
  const databaseUrl = await bench.newDatabase();
  const core = await openScriptCore(serviceUrlOf(databaseUrl), 'http://127.0.0.1');
  const callers: Caller[] = [];
  const keys: string[] = [];
  for (let n = 0; n < accounts; n += 1) {
    const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, `streams ${n}`));
    callers.push(operatorOf(accountId));
    keys.push((await createApiKey(core, accountId, { name: 'streams', test: false })).secret);
  }
  return { databaseUrl, core, callers, keys };
}
