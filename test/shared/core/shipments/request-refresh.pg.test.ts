import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { requestRefresh } from '#shared/core/shipments/request-refresh.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment } from '#shared/core/shipments/update-shipment.ts';
import {
  bySystem,
  carrierEvent,
  changesOf,
  foundReading,
  newShipment,
  pollingOf,
  refresh,
  startRefresh,
} from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
const found = foundReading([carrierEvent('departed', '2026-10-02T20:00')]);

beforeAll(async () => {
  core = await openTestCore();
});

beforeEach(() => {
  core.enqueued.length = 0;
});

afterAll(() => core.close());

it('enqueues a refresh with its own epoch, marked as requested, without a visible change', async () => {
  const { caller, id } = await newShipment(core);
  await refresh(core, { caller, id }, found);
  const { epoch } = await pollingOf(core, id);
  const reported = await changesOf(core, id);
  core.enqueued.length = 0;

  const refreshed = await requestRefresh(core.ctx, caller, id);

  expect(core.enqueued).toEqual([
    { connector: 'maersk', item: { accountId: caller.accountId, shipmentId: id, epoch: epoch + 1, requested: true } },
  ]);
  expect(refreshed).toMatchObject({ version: 2, tracking: { state: 'active' } });
  expect(await pollingOf(core, id)).toMatchObject({ leased: true, due: true });
  expect(await changesOf(core, id)).toEqual(reported);
  expect((await recordRefresh(core.ctx, await startRefresh(core, caller, id), found, null)).stale).toBe(false);
});

it('refuses the refresh that was under way', async () => {
  const { caller, id } = await newShipment(core);
  const running = await startRefresh(core, caller, id);
  await requestRefresh(core.ctx, caller, id);
  expect((await recordRefresh(core.ctx, running, found, null)).stale).toBe(true);
  expect((await recordRefresh(core.ctx, await startRefresh(core, caller, id), found, null)).stale).toBe(false);
});

it('is allowed once in ten minutes, even for racing clients', async () => {
  const { caller, id } = await newShipment(core);
  const answers = await Promise.allSettled(Array.from({ length: 8 }, () => requestRefresh(core.ctx, caller, id)));
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ code: 'refresh_too_soon', retryAfterS: 600 });
  }
  expect(core.enqueued.filter(({ item }) => item.epoch === 2)).toHaveLength(1);

  await bySystem(
    core,
    `update landfall.polling set requested_at = now() - interval '9 minutes' where shipment_id = $1`,
    [id],
  );
  const early = await requestRefresh(core.ctx, caller, id).catch((error: unknown) => error);
  expect(early).toMatchObject({ code: 'refresh_too_soon' });
  expect((early as { retryAfterS: number }).retryAfterS).toBeLessThanOrEqual(60);
  await bySystem(
    core,
    `update landfall.polling set requested_at = now() - interval '10 minutes' where shipment_id = $1`,
    [id],
  );
  await requestRefresh(core.ctx, caller, id);
});

it("is left to the sweep when the queue is unavailable or absent, and beyond an account's hurried refreshes", async () => {
  const { caller, id } = await newShipment(core);
  const broken = { enqueue: () => Promise.reject(new Error('the queue is unavailable')), close: async () => {} };
  await requestRefresh({ ...core.ctx, producer: broken }, caller, id);
  await expect.poll(async () => (await pollingOf(core, id)).leased).toBe(false);
  await sweepConnector(core.ctx, 'maersk', 1000);
  expect(core.enqueued.map(({ item }) => item.shipmentId)).toContain(id);

  const second = await newShipment(core);
  await requestRefresh({ ...core.ctx, producer: null }, second.caller, second.id);
  expect(await pollingOf(core, second.id)).toMatchObject({ leased: false, due: true, epoch: 2 });

  const third = await newShipment(core);
  // Waits for its first refresh.
  await newShipment(core, { caller: third.caller });
  const full = { ...core.ctx, settings: { ...core.ctx.settings, maxEagerLeases: 1 } };
  core.enqueued.length = 0;
  await requestRefresh(full, third.caller, third.id);
  expect(await pollingOf(core, third.id)).toMatchObject({ leased: false, due: true });
  expect(core.enqueued).toEqual([]);
});

it('is refused without counting once tracking has ended or the shipment is archived', async () => {
  const { caller, id } = await newShipment(core);
  await stopShipment(core.ctx, caller, id);
  await expect(requestRefresh(core.ctx, caller, id)).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('Resume'),
  });
  const archived = await newShipment(core);
  await archiveShipment(core.ctx, archived.caller, archived.id);
  await expect(requestRefresh(core.ctx, archived.caller, archived.id)).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('Restore'),
  });
});
