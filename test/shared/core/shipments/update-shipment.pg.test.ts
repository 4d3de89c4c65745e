import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findShipment } from '#shared/core/lists/find-shipment.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
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

it('changes the client’s fields and appends the change; repeating it changes nothing', async () => {
  const { caller, id } = await newShipment(core, {
    registration: { tags: ['old'], metadata: { desk: '7', buyer: 'acme' } },
  });
  const update = {
    reference: 'PO-7741',
    tags: ['acme', 'urgent'],
    metadata: { desk: null, buyer: 'zeta', lane: 'A' },
    destinationPostalCode: '3011 AA',
  };

  const updated = await updateShipment(core.ctx, caller, id, update);

  expect(updated).toMatchObject({
    version: 2,
    reference: 'PO-7741',
    tags: ['acme', 'urgent'],
    metadata: { buyer: 'zeta', lane: 'A' },
    destinationPostalCode: '3011 AA',
  });
  expect((await changesOf(core, id)).slice(1)).toEqual([
    {
      type: 'shipment.updated',
      changes: {
        reference: [null, 'PO-7741'],
        references: [[], ['PO-7741']],
        tags: [['old'], ['acme', 'urgent']],
        metadata: [
          { desk: '7', buyer: 'acme' },
          { buyer: 'zeta', lane: 'A' },
        ],
        destinationPostalCode: [null, '3011 AA'],
      },
    },
  ]);
  expect(await updateShipment(core.ctx, caller, id, update)).toEqual(updated);
  expect(await updateShipment(core.ctx, caller, id, {})).toEqual(updated);
  expect(await changesOf(core, id)).toHaveLength(2);
  const cleared = await updateShipment(core.ctx, caller, id, {
    reference: null,
    tags: [],
    metadata: null,
    destinationPostalCode: null,
  });
  expect(cleared).toMatchObject({ version: 3, reference: null, tags: [], metadata: {}, destinationPostalCode: null });
});

it('loses no key when twenty clients each add one', async () => {
  const { caller, id } = await newShipment(core);
  const keys = Array.from({ length: 20 }, (_, index) => `key${index}`);
  await Promise.all(keys.map((key) => updateShipment(core.ctx, caller, id, { metadata: { [key]: 'set' } })));
  const shipment = await getShipment(core.ctx, caller, id);
  expect(Object.keys(shipment.metadata).sort()).toEqual(keys.toSorted());
  expect(shipment.version).toBe(21);
  await expect(updateShipment(core.ctx, caller, id, { metadata: { more: 'x' } })).rejects.toMatchObject({
    code: 'validation_failed',
  });
  await updateShipment(core.ctx, caller, id, { metadata: { key0: null, more: 'x' } });
  await expect(updateShipment(core.ctx, caller, id, { metadata: { more: 'x'.repeat(5000) } })).rejects.toMatchObject({
    mistakes: [{ pointer: '/metadata', code: 'too_long' }],
  });
});

it('replaces the references, which find the shipment each, and refuses too many', async () => {
  const { caller, id } = await newShipment(core, { registration: { references: ['A-1', 'A-2'], reference: 'A-1' } });
  const idsOf = async (reference: string) =>
    (await findShipment(core.ctx, caller, { identifier: reference, identifierType: 'auto' })).matches.map(
      (one) => one.id,
    );
  expect(await idsOf('A-2')).toEqual([id]);
  expect(await updateShipment(core.ctx, caller, id, { reference: 'A-3' })).toMatchObject({
    reference: 'A-3',
    references: ['A-3', 'A-2'],
  });
  const last = await updateShipment(core.ctx, caller, id, { references: ['A-2', 'A-4'] });
  expect(last).toMatchObject({ reference: 'A-2', references: ['A-2', 'A-4'] });
  expect([await idsOf('A-2'), await idsOf('A-4'), await idsOf('A-3')]).toEqual([[id], [id], []]);
  const many = Array.from({ length: 51 }, (_, n) => `MANY-${n}`);
  await expect(updateShipment(core.ctx, caller, id, { referencesAdd: many })).rejects.toMatchObject({
    mistakes: [{ pointer: '/references', code: 'too_long' }],
  });
});

it('keeps a reference unique among racing clients', async () => {
  const { caller, id } = await newShipment(core, { registration: { reference: 'PO-1' } });
  const other = await newShipment(core, { caller });
  await expect(updateShipment(core.ctx, caller, other.id, { reference: 'PO-1' })).rejects.toMatchObject({
    code: 'reference_conflict',
    shipmentIds: [encodeTypeId('shp', id)],
  });
  const race = await Promise.allSettled(
    [id, other.id].map((one) => updateShipment(core.ctx, caller, one, { reference: 'PO-2' })),
  );
  expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = race.find((answer) => answer.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'reference_conflict' });
});

it('adds missing identifiers, which are found and prevent a second registration', async () => {
  const { caller, id, shipment } = await newShipment(core);
  const booking = uniqueNumber();
  const { mbl } = shipment.identifiers;
  const updated = await updateShipment(core.ctx, caller, id, {
    identifiers: { mbl: `MAEU${mbl}`, booking_number: booking, hbl: null },
  });
  expect(updated).toMatchObject({ version: 2, identifiers: { mbl, booking } });
  expect((await findShipment(core.ctx, caller, { identifier: booking, identifierType: 'auto' })).matches).toHaveLength(
    1,
  );
  const again = await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { booking } }));
  expect(again).toMatchObject({ outcome: 'existing', shipment: { id } });
  expect((await changesOf(core, id)).at(-1)).toEqual({
    type: 'shipment.updated',
    changes: { identifiers: [{ mbl }, { mbl, booking }] },
  });
});

it('refuses another value for an identifier once there are events, and the number of another open shipment', async () => {
  const { caller, id } = await newShipment(core);
  await refresh(core, { caller, id }, found);
  await expect(updateShipment(core.ctx, caller, id, { identifiers: { mbl: uniqueNumber() } })).rejects.toMatchObject({
    code: 'identifier_conflict',
    shipmentIds: [encodeTypeId('shp', id)],
  });
  const booking = uniqueNumber();
  const other = await newShipment(core, { caller, registration: { identifiers: { booking } } });
  await expect(updateShipment(core.ctx, caller, id, { identifiers: { booking } })).rejects.toMatchObject({
    code: 'identifier_conflict',
    shipmentIds: expect.arrayContaining([encodeTypeId('shp', other.id)]),
  });
  await archiveShipment(core.ctx, caller, other.id);
  expect(await updateShipment(core.ctx, caller, id, { identifiers: { booking } })).toMatchObject({
    identifiers: { booking },
  });
});

it('gives a number to one of the shipments that claim it concurrently', async () => {
  const caller = await core.newCaller();
  const shipments = await Promise.all(Array.from({ length: 4 }, () => newShipment(core, { caller })));
  const booking = uniqueNumber();
  const race = await Promise.allSettled(
    shipments.map(({ id }) => updateShipment(core.ctx, caller, id, { identifiers: { booking } })),
  );
  expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const answer of race)
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'identifier_conflict' });
});

it('names the mistakes in an identifier', async () => {
  const { caller, id } = await newShipment(core);
  await expect(updateShipment(core.ctx, caller, id, { identifiers: { awb: '020-12345675' } })).rejects.toMatchObject({
    code: 'identifier_mode_mismatch',
  });
  await expect(updateShipment(core.ctx, caller, id, { identifiers: { container: 'nonsense' } })).rejects.toMatchObject({
    code: 'validation_failed',
    mistakes: [{ pointer: '/identifiers/container', code: 'invalid_format' }],
  });
  const warned = await updateShipment(core.ctx, caller, id, { identifiers: { container: 'MSKU0000001' } });
  expect(warned.warnings).toMatchObject([{ code: 'check_digit_mismatch', field: 'identifiers.container' }]);
});

it('shows an added container with the next reading, although the carrier reports nothing new', async () => {
  const { caller, id } = await newShipment(core);
  const whole = foundReading([carrierEvent('departed', '2026-10-02T20:00', null)]);
  await refresh(core, { caller, id }, whole);
  await updateShipment(core.ctx, caller, id, { identifiers: { container: 'MSKU0000007' } });
  await refresh(core, { caller, id }, whole);
  expect((await getShipment(core.ctx, caller, id)).journey.containers).toMatchObject([
    { number: 'MSKU0000007', status: 'in_transit' },
  ]);
});

it('shows a container that was added during a refresh, or by registering again, with the next reading', async () => {
  const { caller, id } = await newShipment(core);
  const whole = foundReading([carrierEvent('departed', '2026-10-02T20:00', null)]);
  await refresh(core, { caller, id }, whole);
  await bySystem(
    core,
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1`,
    [id],
  );
  const running = await startRefresh(core, caller, id);
  await updateShipment(core.ctx, caller, id, { identifiers: { container: 'MSKU0000007' } });
  await recordRefresh(core.ctx, running, whole, null);
  await refresh(core, { caller, id }, whole);
  expect((await getShipment(core.ctx, caller, id)).journey.containers).toMatchObject([{ number: 'MSKU0000007' }]);

  const other = await newShipment(core);
  await refresh(core, other, whole);
  const identifiers = { ...other.shipment.identifiers, container: 'MSKU0000007' };
  await registerShipment(core.ctx, other.caller, oceanRegistration({ identifiers }));
  await refresh(core, other, whole);
  expect((await getShipment(core.ctx, other.caller, other.id)).journey.containers).toMatchObject([
    { number: 'MSKU0000007' },
  ]);
});

it('changes the carrier while there is no data and restarts tracking with the other connector', async () => {
  const { caller, id, shipment } = await newShipment(core);
  await refresh(core, { caller, id }, notFoundReading);
  const { epoch } = await pollingOf(core, id);
  core.enqueued.length = 0;

  const updated = await updateShipment(core.ctx, caller, id, { carrier: 'hapag-lloyd' });

  expect(updated).toMatchObject({
    carrier: 'HLCU',
    carrierName: 'Hapag-Lloyd',
    version: 3,
    tracking: { state: 'queued', reason: null },
  });
  const polling = await pollingOf(core, id);
  expect(polling).toMatchObject({ connector: 'hapag-lloyd', leased: true, due: true });
  expect(core.enqueued).toEqual([
    {
      connector: 'hapag-lloyd',
      item: { accountId: caller.accountId, shipmentId: id, epoch: polling.epoch, requested: true },
    },
  ]);
  expect(polling.epoch).toBeGreaterThan(epoch);
  expect((await changesOf(core, id)).slice(-2)).toEqual([
    { type: 'shipment.updated', changes: { carrier: ['MAEU', 'HLCU'] } },
    {
      type: 'shipment.tracking_state_changed',
      changes: { trackingState: ['awaiting_carrier', 'queued'], trackingReason: ['carrier_not_found_yet', null] },
    },
  ]);
  expect((await startRefresh(core, caller, id)).carrier).toBe('HLCU');
  const registration = oceanRegistration({ identifiers: shipment.identifiers });
  expect(await registerShipment(core.ctx, caller, { ...registration, carrier: 'HLCU' })).toMatchObject({
    outcome: 'existing',
    shipment: { id },
  });
  expect(await registerShipment(core.ctx, caller, registration)).toMatchObject({ outcome: 'created' });
});

it('refuses the running refresh of the previous carrier', async () => {
  const { caller, id } = await newShipment(core);
  const running = await startRefresh(core, caller, id);
  await updateShipment(core.ctx, caller, id, { carrier: 'HLCU' });
  expect((await recordRefresh(core.ctx, running, found, null)).stale).toBe(true);
  expect(await getShipment(core.ctx, caller, id)).toMatchObject({
    carrier: 'HLCU',
    journey: { eventsCount: 0 },
    tracking: { source: null },
  });
});

it('keeps the carrier of a reading that was recorded first: a racing refresh and update never mix', async () => {
  for (let turn = 0; turn < 6; turn++) {
    const { caller, id } = await newShipment(core);
    const running = await startRefresh(core, caller, id);
    const [recorded, changed] = await Promise.allSettled([
      recordRefresh(core.ctx, running, found, null),
      updateShipment(core.ctx, caller, id, { carrier: 'HLCU' }),
    ]);
    if (recorded.status === 'rejected') throw recorded.reason;
    expect(changed.status).toBe(recorded.value.stale ? 'fulfilled' : 'rejected');
    const shipment = await getShipment(core.ctx, caller, id);
    expect([shipment.carrier, shipment.journey.eventsCount]).toEqual(recorded.value.stale ? ['HLCU', 0] : ['MAEU', 1]);
  }
});

it('keeps the carrier once there are events, not counting a client’s own cancellation', async () => {
  const { caller, id } = await newShipment(core);
  await cancelShipment(core.ctx, caller, id);
  await resumeShipment(core.ctx, caller, id);
  expect(await updateShipment(core.ctx, caller, id, { carrier: 'HLCU' })).toMatchObject({ carrier: 'HLCU' });
  await refresh(core, { caller, id }, found);
  await expect(updateShipment(core.ctx, caller, id, { carrier: 'MAEU' })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  expect(await updateShipment(core.ctx, caller, id, { carrier: 'Hapag' })).toMatchObject({ carrier: 'HLCU' });
});

it('refuses a carrier that is not supported, or for which the number is taken', async () => {
  const { caller, id, shipment } = await newShipment(core);
  for (const carrier of ['OOLU', 'nobody at all', 'ups']) {
    await expect(updateShipment(core.ctx, caller, id, { carrier })).rejects.toMatchObject({
      code: 'carrier_not_supported',
    });
  }
  const taken = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({ carrier: 'HLCU', identifiers: shipment.identifiers }),
  );
  await expect(updateShipment(core.ctx, caller, id, { carrier: 'HLCU' })).rejects.toMatchObject({
    code: 'identifier_conflict',
    shipmentIds: expect.arrayContaining([encodeTypeId('shp', taken.shipment.id)]),
  });
  expect(await pollingOf(core, id)).toMatchObject({ connector: 'maersk', epoch: 1 });
});

it('keeps a stopped shipment stopped under its new carrier and restarts a failed one', async () => {
  const stopped = await newShipment(core);
  await stopShipment(core.ctx, stopped.caller, stopped.id);
  core.enqueued.length = 0;
  expect(await updateShipment(core.ctx, stopped.caller, stopped.id, { carrier: 'HLCU' })).toMatchObject({
    tracking: { state: 'stopped' },
  });
  expect(core.enqueued).toEqual([]);

  const failed = await newShipment(core);
  await bySystem(
    core,
    `update landfall.polling set state = 'failed', reason = 'not_found', next_refresh_at = null where shipment_id = $1`,
    [failed.id],
  );
  expect(await updateShipment(core.ctx, failed.caller, failed.id, { carrier: 'HLCU' })).toMatchObject({
    tracking: { state: 'queued' },
  });
});

it('accepts a reference for an archived shipment, and identifiers or a carrier only with restoring', async () => {
  const { caller, id } = await newShipment(core);
  await archiveShipment(core.ctx, caller, id);
  expect(await updateShipment(core.ctx, caller, id, { reference: 'PO-9' })).toMatchObject({ reference: 'PO-9' });
  const booking = uniqueNumber();
  await expect(updateShipment(core.ctx, caller, id, { identifiers: { booking } })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  await expect(updateShipment(core.ctx, caller, id, { carrier: 'HLCU' })).rejects.toMatchObject({
    code: 'invalid_state',
  });
  const restored = await updateShipment(core.ctx, caller, id, {
    archived: false,
    identifiers: { booking },
    carrier: 'HLCU',
  });
  expect(restored).toMatchObject({
    carrier: 'HLCU',
    archivedAt: null,
    identifiers: { booking },
    tracking: { state: 'queued' },
  });
  const open = await bySystem(core, 'select key from landfall.shipment_identifiers where shipment_id = $1 and open', [
    id,
  ]);
  expect(open).toHaveLength(2);
});

it('is not found for another account', async () => {
  const { id } = await newShipment(core);
  const stranger = await core.newCaller();
  await expect(updateShipment(core.ctx, stranger, id, { reference: 'x' })).rejects.toMatchObject({
    code: 'shipment_not_found',
  });
});
