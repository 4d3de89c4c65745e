import process from 'node:process';
import { createPostgresBackend, Queue } from 'bullmq';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { openQueueBackend, prepareQueue, queuePrefix } from '#shared/queue/connection.ts';
import { openProducer } from '#shared/queue/producer.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';
import type { Bench } from '../bench.ts';
import { planSweep, type ScheduledRefreshes } from '../data/scheduled-refreshes.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { openBenchCore } from '../service-env.ts';

const due = 1000;
/**
 * `BENCH_SWEEP_SHIPMENTS`: set it below the goal's five million where filling the database for minutes takes too long.
 */
const many = Number(process.env['BENCH_SWEEP_SHIPMENTS'] ?? 5_000_000);
const few = many / 100;
const sweepsARound = 3;

type Side = {
  core: CoreContext & { close: () => Promise<void> };
  refreshes: ScheduledRefreshes;
  enqueueOne: (item: object) => Promise<unknown>;
  close: () => Promise<void>;
};

/**
 * A thousand shipments become due. One sweep claims and queues them among many scheduled shipments and accounts, and
 * among few. The baseline claims and queues them one by one, as the straightforward version does. CPU and memory are
 * those of this process, which acts as the worker.
 */
export const sweepRow: Row = { name: 'sweep', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const small = await openSide(bench, { planned: few, accounts: 100, due });
  const large = await openSide(bench, { planned: many, accounts: 10_000, due });
  try {
    const rounds = await interleave(bench.rounds, {
      large: () => timed(large, sweepOnce),
      small: () => timed(small, sweepOnce),
      oneByOne: () => timed(small, claimOneByOne),
    });
    const millions = `${many.toLocaleString('en')} of 10,000 accounts`;
    return [
      {
        work: `sweep, 1,000 due among ${millions}`,
        baseline: `among ${few.toLocaleString('en')} of 100`,
        compares: 'its p50 ÷ that among few',
        ...compareRounds(rounds.large, rounds.small, (ours, theirs) => ours.p50Ms / theirs.p50Ms),
        goal: { atMost: 1.3 },
        product: medians(rounds.large),
        baselineCost: medians(rounds.small),
      },
      {
        work: 'sweep, 1,000 due',
        baseline: 'claimed and queued one by one',
        compares: 'its p50 ÷ ours',
        ...compareRounds(rounds.small, rounds.oneByOne, (ours, theirs) => theirs.p50Ms / ours.p50Ms),
        goal: { atLeast: 2 },
        product: medians(rounds.small),
        baselineCost: medians(rounds.oneByOne),
      },
    ];
  } finally {
    await Promise.all([small.close(), large.close()]);
  }
}

async function openSide(bench: Bench, options: Parameters<typeof planSweep>[1]): Promise<Side> {
  const databaseUrl = await bench.newDatabase();
  const refreshes = await planSweep(databaseUrl, options);
  bench.note(`${options.planned} refreshes scheduled`);
  const settings = {
    redisUrl: bench.redisUrl,
    databaseUrl: serviceUrlOf(databaseUrl),
    prefix: queuePrefix,
    telemetry: false,
    onError: () => {},
  };
  await prepareQueue(settings);
  const backend = openQueueBackend({ ...settings, poolSize: 3 });
  const producer = openProducer(backend);
  const core = { ...(await openBenchCore(databaseUrl)), producer };
  const queue =
    bench.redisUrl === null
      ? new Queue(
          'obvious',
          { connection: { connectionString: databaseUrl, schema: 'landfall_queue', connectionTimeoutMillis: 30_000 } },
          createPostgresBackend,
        )
      : new Queue('obvious', { connection: { url: bench.redisUrl } });
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  return {
    core,
    refreshes,
    enqueueOne: (item) => queue.add('refresh', item, { removeOnComplete: true, removeOnFail: true }),
    close: async () => {
      await Promise.all([queue.close(), producer.close(), refreshes.close()]);
      await backend.close();
      await core.close();
    },
  };
}

async function timed(side: Side, sweep: (side: Side) => Promise<number>): Promise<Measurement> {
  const timesMs: number[] = [];
  let cpuUs = 0;
  for (let turn = 0; turn < sweepsARound; turn++) {
    await side.refreshes.makeDue();
    const before = process.cpuUsage();
    const startedAt = performance.now();
    const claimed = await sweep(side);
    timesMs.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    cpuUs += user + system;
    if (claimed !== due) throw new Error(`claimed ${claimed} of ${due}`);
  }
  timesMs.sort((left, right) => left - right);
  const p50Ms = timesMs[Math.floor(sweepsARound / 2)] ?? 0;
  return {
    operationsPerS: (due / p50Ms) * 1000,
    cpuPerOperationUs: cpuUs / sweepsARound / due,
    p50Ms,
    p99Ms: timesMs.at(-1) ?? 0,
    rssMb: process.memoryUsage.rss() / 1e6,
  };
}

function sweepOnce({ core }: Side): Promise<number> {
  return sweepConnector(core, 'dcsa', due);
}

/** Reads what is due, then claims each shipment with a statement of its own and queues a job for it. */
async function claimOneByOne({ core, enqueueOne }: Side): Promise<number> {
  const found = await withSystem(core.store, (tx) =>
    tx.query<{ account_id: string; shipment_id: string }>(
      `select account_id, shipment_id from landfall.polling
      where connector = 'dcsa' and next_refresh_at <= now() and (lease_until is null or lease_until <= now()) order by next_refresh_at limit $1`,
      [due],
    ),
  );
  let claimed = 0;
  for (const { account_id, shipment_id } of found.rows) {
    const { rows } = await core.store.system.query<{ epoch: number }>(
      `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where account_id = $1 and shipment_id = $2 returning epoch`,
      [account_id, shipment_id],
    );
    await enqueueOne({ accountId: account_id, shipmentId: shipment_id, epoch: rows[0]?.epoch });
    claimed += 1;
  }
  return claimed;
}
