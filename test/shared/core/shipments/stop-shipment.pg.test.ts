import { afterAll, beforeAll, expect, it } from 'vitest';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment } from '#shared/core/shipments/update-shipment.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
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
import { getShipment, openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

it('stops refreshes and appends one change', async () => {
  const { caller, id } = await newShipment(core);
  await refresh(core, { caller, id }, foundReading([carrierEvent('departed', '2026-10-02T20:00')]));
  const before = await getShipment(core.ctx, caller, id);

  const stopped = await stopShipment(core.ctx, caller, id);

  expect(stopped).toMatchObject({
    version: before.version + 1,
    journey: { status: 'in_transit' },
    tracking: { state: 'stopped', reason: 'stopped_by_client', nextRefreshAt: null, freshness: 'final' },
  });
  expect((await changesOf(core, id)).at(-1)).toEqual({
    type: 'shipment.tracking_state_changed',
    changes: { trackingState: ['active', 'stopped'], trackingReason: [null, 'stopped_by_client'] },
  });
  const reported = (await changesOf(core, id)).length;
  expect(await stopShipment(core.ctx, caller, id)).toEqual(stopped);
  expect(await changesOf(core, id)).toHaveLength(reported);
});

it('refuses a running refresh and a queued job', async () => {
  const { caller, id } = await newShipment(core);
  const subject = await startRefresh(core, caller, id);

  await stopShipment(core.ctx, caller, id);

  const late = await recordRefresh(
    core.ctx,
    subject,
    foundReading([carrierEvent('departed', '2026-10-02T20:00')]),
    null,
  );
  expect(late.stale).toBe(true);
  expect(await beginRefreshes(core.ctx, [subject])).toEqual([]);
  expect(await getShipment(core.ctx, caller, id)).toMatchObject({
    journey: { eventsCount: 0 },
    tracking: { state: 'stopped' },
  });
  core.enqueued.length = 0;
  await sweepConnector(core.ctx, 'maersk', 1000);
  expect(core.enqueued.map(({ item }) => item.shipmentId)).not.toContain(id);
});

it('leaves ended tracking with its reason', async () => {
  const { caller, id } = await newShipment(core);
  await bySystem(
    core,
    `update landfall.polling set state = 'failed', reason = 'not_found', next_refresh_at = null where shipment_id = $1`,
    [id],
  );
  expect(await stopShipment(core.ctx, caller, id)).toMatchObject({
    version: 1,
    tracking: { state: 'failed', reason: 'not_found' },
  });
});

it('is not found for another account and across test mode, and is refused while archived', async () => {
  const { caller, id } = await newShipment(core);
  const stranger = await core.newCaller();
  await expect(stopShipment(core.ctx, stranger, id)).rejects.toMatchObject({ code: 'shipment_not_found' });
  await expect(stopShipment(core.ctx, { ...caller, test: true }, id)).rejects.toMatchObject({
    code: 'shipment_not_found',
  });
  expect(await pollingOf(core, id)).toMatchObject({ state: 'queued', epoch: 1 });
  await archiveShipment(core.ctx, caller, id);
  await expect(stopShipment(core.ctx, caller, id)).rejects.toMatchObject({ code: 'invalid_state' });
});
