import { operatorOf } from '#infra/installation/open-script-core.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { toJourneyText } from '#shared/contract/record/shipment-wire.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import type { Bench } from '../bench.ts';
import { openBenchAccount } from '../bench-account.ts';
import { benchJourney } from '../bench-journey.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Measurement, Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

const seeded = 10_000;
const read = 200;
const connections = 16;

/**
 * One shipment by ID, against a route that returns the same precomputed bytes and against the straightforward version:
 * a pool, a join and JSON serialization. All three have the same key check, trace and log line.
 */
export const getOneRow: Row = { name: 'get-one', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const databaseUrl = await bench.newDatabase();
  const { accountId, key } = await openBenchAccount(databaseUrl);
  await seedShipments({ databaseUrl, accountId, count: seeded });
  const ids = await makeShipments(databaseUrl, accountId);
  const env = {
    ...serviceEnv(databaseUrl),
    PORT: '0',
    HOST: '127.0.0.1',
  };
  const headers = { authorization: `Bearer ${key}` };
  const product = await bench.startServer({ file: 'services/api/main.ts', env });
  const answer = await (await fetch(`${product.url}/v1/shipments/${ids[0]}`, { headers })).text();
  const obvious = await bench.startServer({ file: 'infra/tools/bench/baselines/obvious-api.ts', env });
  const same = await bench.startServer({
    file: 'infra/tools/bench/baselines/same-bytes.ts',
    env: { ...env, SAME_BYTES: answer },
  });
  for (const { url } of [obvious, same]) {
    const theirs = await (await fetch(`${url}/v1/shipments/${ids[0]}`, { headers })).text();
    if (theirs !== answer) throw new Error(`the baseline returned another answer: ${theirs.slice(0, 500)}`);
  }
  bench.note(`answers of ${answer.length} bytes`);

  const load = (server: MeasuredServer) => loadOf(bench, server, { ids, key, seconds: bench.seconds });
  const rounds = await interleave(bench.rounds, { product: load(product), same: load(same), obvious: load(obvious) });
  const compare = (name: string, baseline: Measurement[], goal: number): Result => ({
    work: 'GET one',
    baseline: name,
    compares: 'its CPU/op ÷ ours',
    ...compareRounds(rounds.product, baseline, (ours, theirs) => theirs.cpuPerOperationUs / ours.cpuPerOperationUs),
    goal: { atLeast: goal },
    product: medians(rounds.product),
    baselineCost: medians(baseline),
  });
  return [compare('the same bytes', rounds.same, 0.6), compare('the obvious version', rounds.obvious, 2)];
}

function loadOf(
  { databaseCpu }: Bench,
  server: MeasuredServer,
  { ids, key, seconds }: { ids: string[]; key: string; seconds: number },
) {
  const headers = { authorization: `Bearer ${key}` };
  return () =>
    measureLoad(server, {
      connections,
      seconds,
      atLeast: 3000,
      databaseCpu,
      request: (n) => ({ method: 'GET', path: `/v1/shipments/${ids[n % ids.length]}`, headers }),
      isGood: (status, body) => status === 200 && body.startsWith('{"shipment_id"'),
    });
}

/** One build's own side. */
export async function openGetOne(bench: Bench): Promise<() => Promise<Measurement>> {
  const databaseUrl = await bench.newDatabase();
  const { accountId, key } = await openBenchAccount(databaseUrl);
  await seedShipments({ databaseUrl, accountId, count: seeded });
  const ids = await makeShipments(databaseUrl, accountId);
  const server = await bench.startServer({
    file: 'services/api/main.ts',
    env: { ...serviceEnv(databaseUrl), PORT: '0', HOST: '127.0.0.1' },
  });
  return loadOf(bench, server, { ids, key, seconds: bench.seconds });
}

/** Shipments with many events. Returns their public IDs. */
async function makeShipments(databaseUrl: string, accountId: string): Promise<string[]> {
  const core = { ...(await openBenchCore(databaseUrl)), journeyText: toJourneyText };
  try {
    const ids: string[] = [];
    for (let n = 0; n < read; n++) {
      const { shipment } = await registerShipment(core, operatorOf(accountId), {
        transportMode: 'ocean',
        carrier: 'MAEU',
        identifiers: { mbl: `MAEU${555_000_111 + n}` },
        serviceType: null,
        reference: `PO-BENCH-${n}`,
        references: [],
        tags: ['acme'],
        metadata: {},
        destinationPostalCode: null,
      });
      await refresh(core, { accountId, shipmentId: shipment.id }, found(...benchJourney));
      ids.push(toShipmentId(shipment.id));
    }
    return ids;
  } finally {
    await core.close();
  }
}
