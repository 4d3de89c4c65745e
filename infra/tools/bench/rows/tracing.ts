import { operatorOf } from '#infra/installation/open-script-core.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { oceanRegistration } from '#test/support/core-context.ts';
import type { Bench } from '../bench.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

const connections = 16;

/**
 * The cost of tracing per request: the API as it is, keeping a tenth of its traces, against the same API with telemetry
 * turned off.
 */
export const tracingRow: Row = { name: 'tracing', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const databaseUrl = await bench.newDatabase();
  const { key, path } = await prepareShipment(databaseUrl);
  const env = {
    ...serviceEnv(databaseUrl),
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
  };
  const start = (more: Record<string, string>) =>
    bench.startServer({ file: 'services/api/main.ts', env: { ...env, ...more } });
  const traced = await start({ TRACE_STORE_SHARE: '0.1' });
  const silent = await start({ OTEL_SDK_DISABLED: 'true' });
  const load = (server: MeasuredServer) => () =>
    measureLoad(server, {
      connections,
      seconds: bench.seconds,
      atLeast: 1000,
      request: () => ({ method: 'GET', path, headers: { authorization: `Bearer ${key}` } }),
      isGood: (status) => status === 200,
    });
  const rounds = await interleave(bench.rounds, { silent: load(silent), traced: load(traced) });
  return [
    {
      work: 'GET one, traced, a tenth kept',
      baseline: 'telemetry turned off',
      compares: 'our CPU/op − its, in µs',
      ...compareRounds(
        rounds.traced,
        rounds.silent,
        (ours, theirs) => ours.cpuPerOperationUs - theirs.cpuPerOperationUs,
      ),
      goal: { atMost: 150 },
      product: medians(rounds.traced),
      baselineCost: medians(rounds.silent),
    },
  ];
}

async function prepareShipment(databaseUrl: string): Promise<{ key: string; path: string }> {
  const core = await openBenchCore(databaseUrl);
  try {
    const { accountId } = await ensureFirstAccount(core);
    const operator = operatorOf(accountId);
    await setAccountLimits(core, operator, { read: 1_000_000_000 });
    const { shipment } = await registerShipment(core, operator, oceanRegistration());
    const { secret } = await createApiKey(core, accountId, { name: 'bench', test: false });
    return { key: secret, path: `/v1/shipments/${toShipmentId(shipment.id)}` };
  } finally {
    await core.close();
  }
}
