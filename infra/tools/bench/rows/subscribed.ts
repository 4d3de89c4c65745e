import { operatorOf } from '#infra/installation/open-script-core.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import type { Bench } from '../bench.ts';
import { subscribeEndpoints } from '../data/subscribe-endpoints.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { pause } from '../live-fleet.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

const endpoints = 50;
/** Of one transaction, as a refresh with news writes them. */
const changesAtOnce = 3;
const everyMs = 40;
const transactionsAMeasurement = 120;
const settleMs = 2500;
const pollMs = 50;

type Core = Awaited<ReturnType<typeof openBenchCore>>;
type Side = { core: Core; accountId: string; shipment: Shipment; worker: MeasuredServer };

/**
 * Measures the work of a worker and PostgreSQL for each change of an account with 50 endpoints that select none of
 * them, beside an account without endpoints. Changes come at a fixed rate. CPU time depends less on the machine's other
 * work than rates.
 */
export const subscribedRow: Row = { name: 'subscribed', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const subscribed = await openSide(bench, endpoints);
  const alone = await openSide(bench, 0);
  try {
    await measureSide(bench, subscribed);
    await measureSide(bench, alone);
    const rounds = await interleave<'subscribed' | 'alone'>(bench.rounds, {
      subscribed: () => measureSide(bench, subscribed),
      alone: () => measureSide(bench, alone),
    });
    const sides = { product: medians(rounds.subscribed), baselineCost: medians(rounds.alone) };
    const work = `a change with ${endpoints} endpoints that do not select it`;
    const baseline = 'no endpoints';
    return [
      {
        ...{ work, baseline, compares: 'CPU time of the worker', goal: { atMost: 1.5 }, ...sides },
        ...compareRounds(
          rounds.subscribed,
          rounds.alone,
          (ours, theirs) => ours.cpuPerOperationUs / theirs.cpuPerOperationUs,
        ),
      },
      {
        ...{ work, baseline, compares: 'CPU time of PostgreSQL', goal: { atMost: 1.5 }, ...sides },
        ...compareRounds(
          rounds.subscribed,
          rounds.alone,
          (ours, theirs) =>
            (ours.databaseCpuPerOperationUs ?? Number.NaN) / (theirs.databaseCpuPerOperationUs ?? Number.NaN),
        ),
      },
    ];
  } finally {
    await Promise.all([subscribed, alone].map(({ core }) => core.close()));
  }
}

async function openSide(bench: Bench, count: number): Promise<Side> {
  const databaseUrl = await bench.newDatabase();
  const core = await openBenchCore(databaseUrl);
  const { accountId } = await withSystem(core.store, (tx) => ensureAccount(tx, 'subscribed'));
  const { shipment } = await registerShipment(core, operatorOf(accountId), oceanRegistration());
  const worker = await bench.startServer({
    file: 'services/worker/main.ts',
    env: {
      ...serviceEnv(databaseUrl),
      ...(await subscribeEndpoints(databaseUrl, accountId, count)),
      ...(bench.redisUrl === null ? {} : { REDIS_URL: new URL(`/${10 + Math.sign(count)}`, bench.redisUrl).href }),
      SIMULATOR: 'off',
      WORKER_HEALTH_PORT: '0',
      LOG_LEVEL: 'warn',
    },
  });
  return { core, accountId, shipment, worker };
}

async function measureSide(bench: Bench, { core, accountId, shipment, worker }: Side): Promise<Measurement> {
  const before = await worker.usage();
  const databaseBefore = bench.databaseCpu();
  const startedAt = performance.now();
  const data = { shipment: shipmentSnapshot(shipment), changes: {} };
  const together = Array.from({ length: changesAtOnce }, () => ({
    ...{ type: 'shipment.updated' as const, shipmentId: shipment.id, test: false, data, traceparent: null },
  }));
  for (let turn = 0; turn < transactionsAMeasurement; turn += 1) {
    await withAccount(core.store, accountId, (tx) => appendChanges(tx, accountId, together));
    await pause(Math.max(0, startedAt + (turn + 1) * everyMs - performance.now()));
  }
  // Both sides take as long, because what runs periodically is part of the CPU time.
  await pause(Math.max(0, startedAt + transactionsAMeasurement * everyMs + settleMs - performance.now()));
  while (await isBehind(core)) await pause(pollMs);
  const elapsedMs = performance.now() - startedAt;
  const after = await worker.usage();
  const databaseAfter = bench.databaseCpu();
  const changes = transactionsAMeasurement * changesAtOnce;
  const cpuPerOperationUs = (after.cpuUs - before.cpuUs) / changes;
  const databaseCpu =
    databaseBefore === null || databaseAfter === null ? null : (databaseAfter - databaseBefore) / changes;
  bench.note(`worker ${cpuPerOperationUs.toFixed(0)} µs, PostgreSQL ${databaseCpu?.toFixed(0)} µs a change`);
  return {
    operationsPerS: (changes / elapsedMs) * 1000,
    cpuPerOperationUs,
    ...(databaseCpu !== null && { databaseCpuPerOperationUs: databaseCpu }),
    p50Ms: elapsedMs,
    p99Ms: elapsedMs,
    rssMb: after.rssBytes / 1e6,
  };
}

/** Changes wait for their sequence, or endpoints have not come to the end of the feed. */
async function isBehind({ store }: Core): Promise<boolean> {
  const { rows } = await store.system.query<{ behind: boolean }>(`
    select exists (select from landfall.changes where sequence is null) or exists (
      select from landfall.webhook_cursors as c
      join landfall.account_feeds as f on f.account_id = c.account_id and f.given > c.sequence
    ) as behind`);
  return rows[0]?.behind === true;
}
