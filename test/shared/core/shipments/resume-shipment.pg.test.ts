import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import {
  bySystem,
  carrierEvent,
  changesOf,
  foundReading,
  newShipment,
  notFoundReading,
  pollingOf,
  refresh,
  startRefresh,
} from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { getShipment, openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

beforeEach(() => {
  core.enqueued.length = 0;
});

afterAll(() => core.close());

it('enqueues a stopped shipment at once, appends a change, and is idempotent', async () => {
  const { caller, id } = await newShipment(core);
  await refresh(core, { caller, id }, foundReading([carrierEvent('departed', '2026-10-02T20:00')]));
  const stopped = await stopShipment(core.ctx, caller, id);
  core.enqueued.length = 0;

  const resumed = await resumeShipment(core.ctx, caller, id);

  expect(resumed).toMatchObject({
    version: stopped.version + 1,
    tracking: { state: 'queued', reason: null, freshness: 'stale' },
  });
  expect(core.enqueued).toHaveLength(1);
  expect((await changesOf(core, id)).at(-1)).toEqual({
    type: 'shipment.tracking_state_changed',
    changes: { trackingState: ['stopped', 'queued'], trackingReason: ['stopped_by_client', null] },
  });
  expect(await resumeShipment(core.ctx, caller, id)).toEqual(resumed);
  expect(core.enqueued).toHaveLength(1);
  await recordRefresh(
    core.ctx,
    await startRefresh(core, caller, id),
    foundReading([carrierEvent('departed', '2026-10-02T20:00')]),
    null,
  );
  expect((await getShipment(core.ctx, caller, id)).tracking).toMatchObject({ state: 'active', freshness: 'fresh' });
});

it('restarts the 30 days of waiting', async () => {
  const { caller, id } = await newShipment(core);
  await bySystem(core, `update landfall.shipments set created_at = now() - interval '40 days' where id = $1`, [id]);
  await refresh(core, { caller, id }, notFoundReading);
  expect((await getShipment(core.ctx, caller, id)).tracking).toMatchObject({ state: 'failed', reason: 'not_found' });

  await resumeShipment(core.ctx, caller, id);
  await recordRefresh(core.ctx, await startRefresh(core, caller, id), notFoundReading, null);

  expect((await getShipment(core.ctx, caller, id)).tracking).toMatchObject({
    state: 'awaiting_carrier',
    reason: 'carrier_not_found_yet',
  });
});

it('tracks a completed journey for its period once more', async () => {
  const { caller, id } = await newShipment(core);
  await bySystem(core, `update landfall.shipments set created_at = now() - interval '400 days' where id = $1`, [id]);
  const delivered = foundReading([
    carrierEvent('departed', '2026-03-02T20:00'),
    carrierEvent('delivered', '2026-04-02T20:00'),
  ]);
  await refresh(core, { caller, id }, delivered);
  expect((await getShipment(core.ctx, caller, id)).tracking.state).toBe('completed');

  await resumeShipment(core.ctx, caller, id);
  await recordRefresh(core.ctx, await startRefresh(core, caller, id), delivered, null);
  expect((await getShipment(core.ctx, caller, id)).tracking.state).toBe('active');

  await bySystem(
    core,
    `update landfall.polling set tracking_since = now() - interval '15 days' where shipment_id = $1`,
    [id],
  );
  await refresh(core, { caller, id }, delivered);
  expect((await getShipment(core.ctx, caller, id)).tracking.state).toBe('completed');
});

it('changes nothing while tracking is active', async () => {
  const { caller, id } = await newShipment(core);
  const before = await pollingOf(core, id);
  expect(await resumeShipment(core.ctx, caller, id)).toMatchObject({ version: 1, tracking: { state: 'queued' } });
  expect(await pollingOf(core, id)).toEqual(before);
});

it('resumes once for racing clients', async () => {
  const { caller, id } = await newShipment(core);
  await stopShipment(core.ctx, caller, id);
  core.enqueued.length = 0;
  const answers = await Promise.all(Array.from({ length: 8 }, () => resumeShipment(core.ctx, caller, id)));
  expect(new Set(answers.map((answer) => answer.version))).toEqual(new Set([3]));
  expect(core.enqueued).toHaveLength(1);
});
