import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { lockShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount } from '#shared/store/with-account.ts';
import {
  bySystem,
  carrierEvent,
  changesOf,
  foundReading,
  newShipment,
  pollingOf,
  startRefresh,
} from '#test/support/carriers/carrier-refreshes.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';
import {
  getShipment,
  oceanRegistration,
  openTestCore,
  type TestCore,
  uniqueNumber,
} from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

it('stops refreshes, refuses the running one, and leaves the record readable; repeating it changes nothing', async () => {
  const { caller, id } = await newShipment(core);
  const running = await startRefresh(core, caller, id);

  const archived = await archiveShipment(core.ctx, caller, id);

  expect(archived).toMatchObject({
    version: 2,
    archivedAt: expect.any(String),
    tracking: { state: 'queued', nextRefreshAt: null },
  });
  expect(
    (await recordRefresh(core.ctx, running, foundReading([carrierEvent('departed', '2026-10-02T20:00')]), null)).stale,
  ).toBe(true);
  expect(await getShipment(core.ctx, caller, id)).toEqual(archived);
  expect((await changesOf(core, id)).at(-1)).toEqual({
    type: 'shipment.updated',
    changes: { archived: [false, true] },
  });
  expect(await archiveShipment(core.ctx, caller, id)).toEqual(archived);
  core.enqueued.length = 0;
  await sweepConnector(core.ctx, 'maersk', 1000);
  expect(core.enqueued.map(({ item }) => item.shipmentId)).not.toContain(id);
});

it('frees its numbers for another registration and cannot be restored after one', async () => {
  const registration = oceanRegistration({ identifiers: { mbl: uniqueNumber(), container: 'MSKU0000007' } });
  const { caller, id } = await newShipment(core, { registration });
  await archiveShipment(core.ctx, caller, id);
  const second = await registerShipment(core.ctx, caller, registration);
  expect(second).toMatchObject({ outcome: 'created' });
  expect(second.shipment.id).not.toBe(id);

  await expect(updateShipment(core.ctx, caller, id, { archived: false })).rejects.toMatchObject({
    code: 'identifier_conflict',
    shipmentIds: expect.arrayContaining([encodeTypeId('shp', second.shipment.id)]),
  });
  expect((await getShipment(core.ctx, caller, id)).archivedAt).not.toBeNull();

  await archiveShipment(core.ctx, caller, second.shipment.id);
  expect((await updateShipment(core.ctx, caller, id, { archived: false })).archivedAt).toBeNull();
  expect(await registerShipment(core.ctx, caller, registration)).toMatchObject({
    outcome: 'existing',
    shipment: { id },
  });
});

it('creates a new shipment for a registration that waited for the archiving, and leaves no number with the archived one', async () => {
  const { caller, id, shipment } = await newShipment(core);
  const booking = `BOOK${uniqueNumber()}`;
  const again = oceanRegistration({ identifiers: { ...shipment.identifiers, booking } });
  const registering = await withAccount(core.store, caller.accountId, async (tx) => {
    await lockShipment(tx, caller.accountId, id);
    const archiving = archiveShipment(core.ctx, caller, id);
    await waitingFor(1);
    const registering = registerShipment(core.ctx, caller, again);
    await waitingFor(2);
    return { archiving, registering };
  });
  await registering.archiving;

  const { outcome, shipment: made } = await registering.registering;

  expect({ outcome, archivedAt: made.archivedAt, identifiers: made.identifiers }).toEqual({
    outcome: 'created',
    archivedAt: null,
    identifiers: again.identifiers,
  });
  expect((await getShipment(core.ctx, caller, id)).identifiers).toEqual(shipment.identifiers);
  const open = await bySystem<{ shipment_id: string }>(
    core,
    'select shipment_id from landfall.shipment_identifiers where open and value = $1',
    [booking],
  );
  expect(open).toEqual([{ shipment_id: made.id }]);
});

it('restores with its state, an immediate refresh and restarted periods', async () => {
  const { caller, id } = await newShipment(core);
  await archiveShipment(core.ctx, caller, id);
  core.enqueued.length = 0;

  const restored = await updateShipment(core.ctx, caller, id, { archived: false });

  expect(restored).toMatchObject({ version: 3, archivedAt: null, tracking: { state: 'queued' } });
  expect(core.enqueued).toHaveLength(1);
  expect(await pollingOf(core, id)).toMatchObject({ leased: true, due: true, tracking_since: expect.any(Date) });
  expect((await changesOf(core, id)).at(-1)).toEqual({
    type: 'shipment.updated',
    changes: { archived: [true, false] },
  });
});

it('keeps tracking stopped on restoring if it was stopped before', async () => {
  const { caller, id } = await newShipment(core);
  await stopShipment(core.ctx, caller, id);
  await archiveShipment(core.ctx, caller, id);
  core.enqueued.length = 0;
  expect(await updateShipment(core.ctx, caller, id, { archived: false })).toMatchObject({
    tracking: { state: 'stopped' },
  });
  expect(core.enqueued).toEqual([]);
  expect((await pollingOf(core, id)).next_refresh_at).toBeNull();
});

it('keeps the numbers of a long closed shipment free on restoring', async () => {
  const registration = oceanRegistration();
  const { caller, id } = await newShipment(core, { registration });
  await bySystem(core, `update landfall.shipments set closed_at = now() - interval '91 days' where id = $1`, [id]);
  await archiveShipment(core.ctx, caller, id);
  await updateShipment(core.ctx, caller, id, { archived: false });
  expect(await registerShipment(core.ctx, caller, registration)).toMatchObject({ outcome: 'created' });
});

it('ends with one open shipment when a registration races with restoring', async () => {
  const registration = oceanRegistration();
  const { caller, id } = await newShipment(core, { registration });
  for (let turn = 0; turn < 5; turn++) {
    await archiveShipment(core.ctx, caller, id);
    const [restored, registered] = await Promise.allSettled([
      updateShipment(core.ctx, caller, id, { archived: false }),
      registerShipment(core.ctx, caller, registration),
    ]);
    if (restored.status === 'rejected') expect(restored.reason).toMatchObject({ code: 'identifier_conflict' });
    const open = await bySystem<{ shipment_id: string }>(
      core,
      'select shipment_id from landfall.shipment_identifiers where account_id = $1 and open',
      [caller.accountId],
    );
    expect(open).toHaveLength(1);
    if (registered.status === 'rejected') throw registered.reason;
    expect(open[0]?.shipment_id).toBe(registered.value.shipment.id);
    if (registered.value.shipment.id !== id) await archiveShipment(core.ctx, caller, registered.value.shipment.id);
    else await updateShipment(core.ctx, caller, id, { archived: false });
  }
});

/** Waits until this many transactions wait for a locked row. */
async function waitingFor(count: number): Promise<void> {
  await expect
    .poll(async () => {
      const [row] = await bySystem<{ n: number }>(
        core,
        `select count(distinct waiting.pid)::int as n
         from pg_locks as waiting
         join pg_locks as other using (pid)
         where not waiting.granted and other.database = (select oid from pg_database where datname = current_database())`,
        [],
      );
      return row?.n;
    })
    .toBe(count);
}
