import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findShipment } from '#shared/core/lists/find-shipment.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { updateShipment } from '#shared/core/shipments/update-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
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
import {
  getShipment,
  oceanRegistration,
  openTestCore,
  type TestCore,
  uniqueNumber,
} from '#test/support/core-context.ts';

let core: TestCore;
const found = foundReading([carrierEvent('departed', '2026-10-02T20:00')]);

beforeAll(async () => {
  core = await openTestCore();
});

beforeEach(() => {
  core.enqueued.length = 0;
});

afterAll(() => core.close());

const search = async (caller: Caller, identifier: string) =>
  (await findShipment(core.ctx, caller, { identifier, identifierType: 'auto' })).matches.map(({ id }) => id);

it('corrects a mistyped number that the carrier does not know, and starts over with the right one', async () => {
  const { caller, id, shipment } = await newShipment(core);
  await refresh(core, { caller, id }, notFoundReading);
  const { epoch } = await pollingOf(core, id);
  core.enqueued.length = 0;
  const wrong = shipment.identifiers.mbl ?? '';
  const right = uniqueNumber();

  const corrected = await updateShipment(core.ctx, caller, id, { identifiers: { mbl: right } });

  expect(corrected).toMatchObject({ identifiers: { mbl: right }, tracking: { state: 'queued', reason: null } });
  const polling = await pollingOf(core, id);
  expect(polling).toMatchObject({ connector: 'maersk', leased: true, due: true });
  expect(polling.epoch).toBeGreaterThan(epoch);
  expect(core.enqueued).toHaveLength(1);
  expect((await changesOf(core, id)).slice(-2)).toEqual([
    { type: 'shipment.updated', changes: { identifiers: [{ mbl: wrong }, { mbl: right }] } },
    {
      type: 'shipment.tracking_state_changed',
      changes: { trackingState: ['awaiting_carrier', 'queued'], trackingReason: ['carrier_not_found_yet', null] },
    },
  ]);
  expect([await search(caller, wrong), await search(caller, right)]).toEqual([[], [id]]);
  const sent = (mbl: string) => registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl } }));
  expect(await sent(right)).toMatchObject({ outcome: 'existing', shipment: { id } });
  expect(await sent(wrong)).toMatchObject({ outcome: 'created' });
});

it('discards the running refresh of the mistyped number, whose events belong to another shipment', async () => {
  const { caller, id } = await newShipment(core);
  const running = await startRefresh(core, caller, id);
  await updateShipment(core.ctx, caller, id, { identifiers: { mbl: uniqueNumber() } });
  expect((await recordRefresh(core.ctx, running, found, null)).stale).toBe(true);
  expect(await getShipment(core.ctx, caller, id)).toMatchObject({ journey: { eventsCount: 0 } });
});

it('never mixes a correction with events of the old number that arrive at the same time', async () => {
  for (let turn = 0; turn < 6; turn++) {
    const { caller, id, shipment } = await newShipment(core);
    const running = await startRefresh(core, caller, id);
    const mbl = uniqueNumber();
    const [recorded, corrected] = await Promise.allSettled([
      recordRefresh(core.ctx, running, found, null),
      updateShipment(core.ctx, caller, id, { identifiers: { mbl } }),
    ]);
    if (recorded.status === 'rejected') throw recorded.reason;
    expect(corrected.status).toBe(recorded.value.stale ? 'fulfilled' : 'rejected');
    const read = await getShipment(core.ctx, caller, id);
    expect([read.identifiers.mbl, read.journey.eventsCount]).toEqual(
      recorded.value.stale ? [mbl, 0] : [shipment.identifiers.mbl, 1],
    );
  }
});

it('refuses once the carrier has reported events, and names the remedy; a client’s own cancellation is no event', async () => {
  const { caller, id } = await newShipment(core);
  await cancelShipment(core.ctx, caller, id);
  await resumeShipment(core.ctx, caller, id);
  const mbl = uniqueNumber();
  expect(await updateShipment(core.ctx, caller, id, { identifiers: { mbl } })).toMatchObject({ identifiers: { mbl } });
  await refresh(core, { caller, id }, found);
  await expect(updateShipment(core.ctx, caller, id, { identifiers: { mbl: uniqueNumber() } })).rejects.toMatchObject({
    code: 'identifier_conflict',
    message: expect.stringMatching(/Maersk has already reported events .* Archive this shipment and register/),
    shipmentIds: [encodeTypeId('shp', id)],
  });
  // The same number in another spelling is no correction.
  expect(await updateShipment(core.ctx, caller, id, { identifiers: { mbl: `maeu ${mbl}` } })).toMatchObject({
    identifiers: { mbl },
  });
});

it('refuses a correction to the number of another open shipment', async () => {
  const { caller, id } = await newShipment(core);
  const other = await newShipment(core, { caller });
  const { mbl } = other.shipment.identifiers;
  await expect(updateShipment(core.ctx, caller, id, { identifiers: { mbl } })).rejects.toMatchObject({
    code: 'identifier_conflict',
    shipmentIds: expect.arrayContaining([encodeTypeId('shp', other.id)]),
  });
});

it('replaces a mistyped container in the journey and in the search, and its warning', async () => {
  const { caller, id } = await newShipment(core, { registration: { identifiers: { container: 'MSKU1234560' } } });
  expect((await getShipment(core.ctx, caller, id)).warnings).toMatchObject([{ code: 'check_digit_mismatch' }]);
  const corrected = await updateShipment(core.ctx, caller, id, { identifiers: { container: 'MSKU1234565' } });
  expect(corrected).toMatchObject({
    identifiers: { container: 'MSKU1234565' },
    journey: { containers: [{ number: 'MSKU1234565' }] },
    warnings: [],
  });
  expect([await search(caller, 'MSKU1234560'), await search(caller, 'MSKU1234565')]).toEqual([[], [id]]);
});

it('keeps a stopped shipment stopped and restarts a failed one', async () => {
  const stopped = await newShipment(core);
  await stopShipment(core.ctx, stopped.caller, stopped.id);
  core.enqueued.length = 0;
  const identifiers = () => ({ identifiers: { mbl: uniqueNumber() } });
  expect(await updateShipment(core.ctx, stopped.caller, stopped.id, identifiers())).toMatchObject({
    tracking: { state: 'stopped' },
  });
  expect(core.enqueued).toEqual([]);

  const failed = await newShipment(core);
  await bySystem(
    core,
    `update landfall.polling set state = 'failed', reason = 'not_found', next_refresh_at = null where shipment_id = $1`,
    [failed.id],
  );
  expect(await updateShipment(core.ctx, failed.caller, failed.id, identifiers())).toMatchObject({
    tracking: { state: 'queued', reason: null },
  });
});
