import { afterAll, beforeAll, expect, it } from 'vitest';
import { hapagLloyd } from '#services/worker/carriers/dcsa/dialects/hapag-lloyd.ts';
import { maersk } from '#services/worker/carriers/dcsa/dialects/maersk.ts';
import { keepLimit } from '#shared/limits/published-limit.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { request } from '#test/support/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { type RunningService, until } from '#test/support/processes.ts';

const maerskNumbers = Array.from({ length: 30 }, (_, index) => `MAEU${730_000_005 + index * 10}`);
const hapagNumbers = Array.from({ length: 15 }, (_, index) => `HLCU${740_000_005 + index * 10}`);
const otherNumbers = Array.from({ length: 60 }, (_, index) => `MEDU${750_000_005 + index * 10}`);
const phaseMs = 10_000;
/** A sweep more or less: lag is seen in its steps. */
const slackS = 0.5;

let landfall: Installation;
let workers: RunningService[];

beforeAll(async () => {
  landfall = await openInstallation({
    redisUrl: null,
    withWorker: false,
    env: ({ simulatorUrl, accountId }) => ({
      // Not simulated as far as the worker can tell: their published budgets hold.
      ...configured('MAERSK', `${simulatorUrl}${maersk.simulated.basePath}`, accountId),
      CARRIER_MAERSK_AUTH_URL: `${simulatorUrl}${maersk.simulated.authPath}`,
      ...configured('HAPAG_LLOYD', `${simulatorUrl}${hapagLloyd.simulated.basePath}`, accountId),
    }),
  });
  workers = [await landfall.startWorker(), await landfall.startWorker()];
}, 60_000);

afterAll(async () => {
  await Promise.all((workers ?? []).map((worker) => worker.kill()));
  await landfall?.close();
});

it('a carrier that answers 429 slows nobody else, no budget is exceeded, and it is asked again afterwards', async () => {
  const startedAt = performance.now();
  await register('MAEU', maerskNumbers);
  await register('HLCU', hapagNumbers);
  await register('PCIU', otherNumbers);
  await until(
    () => attempted('dcsa'),
    (count) => count === otherNumbers.length,
    30_000,
  );

  const before = await watchLag(phaseMs);
  for (const reference of maerskNumbers) {
    await control('faults', { reference, faults: [{ kind: 'too_many_requests', retryAfter: 'seconds', seconds: 2 }], times: 100 });
  }
  const during = await watchLag(phaseMs);
  expect(during.lagS, `lag before: ${before.lagS} s`).toBeLessThan(before.lagS * 1.2 + slackS);
  expect(during.looks).toBeGreaterThan(before.looks * 0.6);

  const [told] = await sql<{ count: number }>(
    `select count(*)::integer as count from landfall.polling where connector = 'maersk' and reason in ('carrier_rate_limited', 'carrier_unreachable')`,
  );
  expect(told?.count).toBeGreaterThan(0);
  const service = await until(
    async () => (await request(`${landfall.api.url}/v1/carriers/MAEU`, { key: landfall.key })).body.service,
    (answer) => answer !== null && answer.success_rate < 1,
    15_000,
  );
  expect(service).toMatchObject({ circuit: expect.stringMatching(/open|closed/), budget_left: expect.any(Number) });

  await request(`${landfall.simulator.url}/control/faults`, { method: 'DELETE' });
  const [healed] = await sql<{ at: Date }>('select now() as at');
  const seen = () =>
    sql<{ count: number }>(
      `select count(*)::integer as count from landfall.polling where connector = 'maersk' and last_succeeded_at > '${healed?.at.toISOString()}'`,
    );
  await until(seen, ([row]) => (row?.count ?? 0) > 0, 60_000);

  const served = await servedByReference();
  const elapsedMs = performance.now() - startedAt;
  expect(callsFor(served, maerskNumbers)).toBeLessThanOrEqual(carried(maersk.budget, elapsedMs));
  expect(callsFor(served, hapagNumbers)).toBeGreaterThan(0);
  expect(callsFor(served, hapagNumbers)).toBeLessThanOrEqual(carried(hapagLloyd.budget, elapsedMs));
  expect(callsFor(served, otherNumbers)).toBeGreaterThan(otherNumbers.length);
}, 180_000);

function configured(code: string, baseUrl: string, accountId: string): Record<string, string> {
  const prefix = `CARRIER_${code}`;
  return {
    [`${prefix}_BASE_URL`]: baseUrl,
    [`${prefix}_CLIENT_ID`]: 'drill',
    [`${prefix}_CLIENT_SECRET`]: 'drill-secret',
    [`${prefix}_API_KEY`]: 'drill-key',
    [`${prefix}_ACCOUNTS`]: accountId,
  };
}

/** Calls that a limit allows in so long a time, the bucket that was full at the start included. */
function carried(published: Parameters<typeof keepLimit>[0], elapsedMs: number): number {
  const { capacity, perMs, holdMs } = keepLimit(published);
  return Math.ceil(capacity + perMs * (elapsedMs + holdMs));
}

/** How late the other carrier's looks are while the time runs, on average of the oldest due, and how many are taken. */
async function watchLag(forMs: number): Promise<{ lagS: number; looks: number }> {
  const endsAt = performance.now() + forMs;
  const first = await looksTaken();
  const lags: number[] = [];
  while (performance.now() < endsAt) {
    const [row] = await sql<{ lag_s: number }>(
      `select greatest(0, extract(epoch from now() - min(next_check_at)))::float8 as lag_s from landfall.polling where connector = 'dcsa'`,
    );
    lags.push(row?.lag_s ?? 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { lagS: lags.reduce((sum, lag) => sum + lag, 0) / lags.length, looks: (await looksTaken()) - first };
}

async function looksTaken(): Promise<number> {
  const [row] = await sql<{ looks: number }>(`select sum(attempts)::integer as looks from landfall.polling where connector = 'dcsa'`);
  return row?.looks ?? 0;
}

async function attempted(connector: string): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `select count(*)::integer as count from landfall.polling where connector = '${connector}' and last_attempted_at is not null`,
  );
  return row?.count ?? 0;
}

async function register(carrier: string, numbers: string[]): Promise<void> {
  const answers = await Promise.all(
    numbers.map((mbl) =>
      request(`${landfall.api.url}/v1/shipments`, { key: landfall.key, body: { transport_mode: 'ocean', carrier, identifiers: { mbl } } }),
    ),
  );
  for (const { status, body } of answers) expect([status, body.detail]).toEqual([201, undefined]);
}

async function servedByReference(): Promise<Record<string, number>> {
  return (await request(`${landfall.simulator.url}/control/served`)).body.byReference;
}

/** The simulator counts numbers without the line's prefix. */
function callsFor(served: Record<string, number>, numbers: string[]): number {
  const counts = Object.entries(served).filter(([reference]) =>
    numbers.some((number) => number.endsWith(reference.replace(/^[A-Z]{4}/, ''))),
  );
  return counts.reduce((sum, [, count]) => sum + count, 0);
}

async function control(action: string, body: object): Promise<void> {
  const { status } = await request(`${landfall.simulator.url}/control/${action}`, { body });
  expect(status).toBeLessThan(300);
}

function sql<Row extends object>(text: string): Promise<Row[]> {
  return withSystem(landfall.core.store, async (tx) => (await tx.query(text)).rows);
}
