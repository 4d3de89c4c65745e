import { afterAll, beforeAll, expect, it } from 'vitest';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { sweepDue } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { RefreshItem } from '#shared/queue/jobs.ts';
import { bySystem, carrierEvent, foundReading } from '#test/support/carriers/carrier-refreshes.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { openFakeWorker } from '../fake-access.ts';

type Queued = { items: RefreshItem[]; hurried: boolean };

let core: TestCore;
const queued: Queued[] = [];

beforeAll(async () => {
  core = await openTestCore(
    {
      producer: {
        enqueue: async (_connector, items, { hurried = false }) => {
          queued.push({ items, hurried });
        },
        close: async () => {},
      },
    },
    ownDatabase,
  );
});
afterAll(() => core.close());

const backlogSize = 60;

/** A batch whose refreshes are all under way, as those of an import that the sweep has claimed. */
async function callerWithBacklog(): Promise<Caller> {
  const caller = await core.newCaller();
  await registerBatch(
    core.ctx,
    caller,
    Array.from({ length: backlogSize }, () => oceanRegistration()),
  );
  await bySystem(
    core,
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where account_id = $1`,
    [caller.accountId],
  );
  await core.ctx.registrations.settled();
  queued.length = 0;
  return caller;
}

async function registerOne(caller: Caller): Promise<string> {
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  await core.ctx.registrations.settled();
  return shipment.id;
}

it('queues the first refresh of one registration at once and ahead, beside a backlog of its own account', async () => {
  const caller = await callerWithBacklog();
  const id = await registerOne(caller);
  expect(queued).toEqual([{ items: [{ accountId: caller.accountId, shipmentId: id, epoch: 1 }], hurried: true }]);
  await registerBatch(core.ctx, caller, [oceanRegistration()]);
  expect(queued).toHaveLength(1);
});

it('hurries a limited number of refreshes of one account, and the next one once one of them is recorded', async () => {
  const caller = await callerWithBacklog();
  const { maxEagerLeases } = core.ctx.settings;
  for (let n = 0; n < maxEagerLeases + 5; n++) await registerOne(caller);
  expect(queued).toHaveLength(maxEagerLeases);
  const { refresh, close } = openFakeWorker({
    core: core.ctx,
    connector: {
      code: 'maersk',
      batchSize: 1,
      fetch: async (_ctx, [subject]) => new Map(subject ? [[subject.shipmentId, found]] : []),
    },
  });
  try {
    await refreshShipments(refresh, { connector: 'maersk', ...(queued[0] ?? expect.fail('none')) }, signal);
    await registerOne(caller);
    expect(queued).toHaveLength(maxEagerLeases + 1);
  } finally {
    await close();
  }
});

it('calls the carrier for one registration with the part of the budget that due refreshes leave', async () => {
  const worker = openFakeWorker({
    core: core.ctx,
    connector: {
      code: 'maersk',
      batchSize: 1,
      fetch: async (ctx, subjects) => {
        ctx.budget.take();
        return new Map(subjects.map(({ shipmentId }) => [shipmentId, found]));
      },
    },
  });
  try {
    const caller = await callerWithBacklog();
    await bySystem(
      core,
      `update landfall.polling set lease_until = null, next_refresh_at = case when account_id = $1 then now() end`,
      [caller.accountId],
    );
    while ((await sweep()) > 0)
      for (const { items } of queued.splice(0))
        await refreshShipments(worker.refresh, { connector: 'maersk', items }, signal);
    const called = worker.calls.length;
    expect(called).toBeLessThan(backlogSize);
    queued.length = 0;
    const id = await registerOne(caller);
    for (const { items } of queued.splice(0))
      await refreshShipments(worker.refresh, { connector: 'maersk', items }, signal);
    expect(worker.calls.slice(called)).toEqual([[id]]);
  } finally {
    await worker.close();
  }

  async function sweep(): Promise<number> {
    const { limit, exceptAccounts } = await worker.planner.room('maersk');
    return sweepDue(core.ctx, {
      connector: 'maersk',
      limit,
      exceptAccounts,
      plan: (claims) => worker.planner.plan('maersk', claims),
    });
  }
});

const { signal } = new AbortController();
const found = foundReading([carrierEvent('departed', '2026-10-02T20:00')]);
