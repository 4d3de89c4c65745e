import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getCarrier } from '#shared/core/carriers/list-carriers.ts';
import { endWorker, type HealthRow, reportCarrierHealth } from '#shared/core/carriers/report-carrier-health.ts';
import { measureDemand } from '#shared/core/tracking/measure-waiting-work.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { bySystem, newShipment } from '#test/support/carriers/carrier-refreshes.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});
afterAll(() => core.close());

function seen(credentialId: string, changes: Partial<HealthRow> = {}): HealthRow {
  return {
    connector: 'maersk',
    credentialId,
    requests: 10,
    succeeded: 9,
    latencyP50Ms: 100,
    latencyP95Ms: 400,
    lastSuccessAt: new Date().toISOString(),
    lastErrorAt: null,
    lastErrorReason: null,
    circuit: 'closed',
    budgetLeft: 12.7,
    closedUntil: null,
    ...changes,
  };
}

const served = (accountId: string, credentialId: string) => ({
  accountId,
  connector: 'maersk',
  carrier: 'MAEU',
  credentialId,
});

it("reports the state of an account's carrier across all workers, including how late its refreshes are", async () => {
  const { caller, id } = await newShipment(core);
  await bySystem(
    core,
    `update landfall.polling set lease_until = null, next_refresh_at = now() - interval '90 s' where shipment_id = $1`,
    [id],
  );
  const credentialId = `account:${randomUUID()}`;
  const [first, second] = [randomUUID(), randomUUID()];
  await reportCarrierHealth(core.ctx, first, {
    loopDelayMs: 10,
    completedAgeS: 1,
    health: [seen(credentialId)],
    served: [served(caller.accountId, credentialId)],
  });
  const workers = await reportCarrierHealth(core.ctx, second, {
    loopDelayMs: 10,
    completedAgeS: 1,
    health: [seen(credentialId, { requests: 30, succeeded: 3, latencyP50Ms: 300, circuit: 'open', budgetLeft: 3.2 })],
    served: [served(caller.accountId, credentialId)],
  });
  expect(workers).toBe(2);

  const { service } = await getCarrier(core.ctx, caller, 'MAEU');
  expect(service).toMatchObject({ circuit: 'open', budgetLeft: 3, successRate: 0.3, latencyMs: 250 });
  expect(service?.lagS).toBeGreaterThan(89);
  expect((await getCarrier(core.ctx, { ...caller, test: true }, 'MAEU')).service).toBeNull();
  expect((await getCarrier(core.ctx, caller, 'HLCU')).service).toBeNull();

  await endWorker(core.ctx, second);
  expect(
    await reportCarrierHealth(core.ctx, first, { loopDelayMs: 10, completedAgeS: 1, health: [], served: [] }),
  ).toBe(1);
  await endWorker(core.ctx, first);
});

it('reports neither credentials of another account nor anything older than a minute', async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const credentialId = `account:${randomUUID()}`;
  await reportCarrierHealth(core.ctx, randomUUID(), {
    loopDelayMs: 10,
    completedAgeS: 1,
    health: [seen(credentialId)],
    served: [served(theirs.accountId, credentialId)],
  });
  expect((await getCarrier(core.ctx, theirs, 'MAEU')).service).not.toBeNull();
  expect((await getCarrier(core.ctx, mine, 'MAEU')).service).toBeNull();
  for (const table of ['carrier_health', 'carrier_served']) {
    const { rows } = await withAccount(core.store, mine.accountId, (tx) => tx.query(`select * from landfall.${table}`));
    expect(rows, table).toEqual([]);
  }
  const writing = withAccount(core.store, mine.accountId, (tx) => tx.query(`delete from landfall.carrier_health`));
  await expect(writing).rejects.toThrow(/permission denied/);

  await bySystem(core, `update landfall.carrier_health set updated_at = now() - interval '2 minutes'`, []);
  expect((await getCarrier(core.ctx, theirs, 'MAEU')).service).toBeNull();
});

it('counts the refreshes of the next hour once for all workers', async () => {
  const { caller, id } = await newShipment(core);
  await newShipment(core, { caller });
  const { id: later } = await newShipment(core, { caller });
  await bySystem(
    core,
    `update landfall.polling set next_refresh_at = now() + interval '2 hours' where shipment_id = $1`,
    [later],
  );
  await bySystem(core, `delete from landfall.carrier_demand`, []);
  const rows = await Promise.all([measureDemand(core.ctx), measureDemand(core.ctx)]);
  const counted = (await measureDemand(core.ctx)).filter(({ accountId }) => accountId === caller.accountId);
  expect(counted).toEqual([{ accountId: caller.accountId, connector: 'maersk', refreshes: 2 }]);
  expect(rows.flat().some(({ accountId }) => accountId === caller.accountId)).toBe(true);

  await bySystem(core, `update landfall.polling set next_refresh_at = null where shipment_id = $1`, [id]);
  expect((await measureDemand(core.ctx)).find(({ accountId }) => accountId === caller.accountId)?.refreshes).toBe(2);
  await bySystem(core, `update landfall.carrier_demand set counted_at = now() - interval '40 s'`, []);
  expect((await measureDemand(core.ctx)).find(({ accountId }) => accountId === caller.accountId)?.refreshes).toBe(1);
});
