import { afterAll, beforeAll, expect, test } from 'vitest';
import { findShipment } from '#shared/core/lists/find-shipment.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { openRegistrationBatcher } from '#shared/core/registration/registration-batcher.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { allReferences } from '#shared/domain/record/references.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { changesOf } from '#test/support/carriers/carrier-refreshes.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore();
});

afterAll(() => core.close());

/** A process of its own: it shares no batch with others. */
const newProcess = () => ({ ...core.ctx, registrations: openRegistrationBatcher() });

async function countOf(caller: Caller, table: string): Promise<number> {
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query(`select count(*) as n from landfall.${table}`),
  );
  return rows[0].n;
}

async function pollingOf(caller: Caller, shipmentId: string) {
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query(
      `select epoch, connector, state, lease_until > now() as leased, lease_until, next_refresh_at <= now() as due
       from landfall.polling where shipment_id = $1`,
      [shipmentId],
    ),
  );
  return rows[0];
}

test('creates a pending, queued shipment that is due at once, leased and on the queue', async () => {
  const caller = await core.newCaller();
  const registration = oceanRegistration({ reference: 'PO-1', tags: ['a', 'b'], metadata: { order: '7' } });
  const { outcome, replayed, shipment } = await registerShipment(core.ctx, caller, registration);
  expect({ outcome, replayed }).toEqual({ outcome: 'created', replayed: false });
  expect(shipment).toMatchObject({
    ...registration,
    carrierName: 'Maersk',
    version: 1,
    statusChangedAt: null,
    journey: { status: 'pending', eventsCount: 0 },
    tracking: { state: 'queued', freshness: 'never', lastRefreshedAt: null, consecutiveFailures: 0 },
  });
  expect(await pollingOf(caller, shipment.id)).toMatchObject({
    epoch: 1,
    connector: 'maersk',
    leased: true,
    due: true,
  });
  expect(core.enqueued).toContainEqual({
    connector: 'maersk',
    item: { accountId: caller.accountId, shipmentId: shipment.id, epoch: 1 },
  });
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query('select type, shipment_id, sequence, data from landfall.changes'),
  );
  expect(rows).toMatchObject([
    {
      type: 'shipment.created',
      shipment_id: shipment.id,
      sequence: null,
      data: { changes: { status: [null, 'pending'] } },
    },
  ]);
});

test("returns the existing shipment for the same number, with or without the carrier's prefix", async () => {
  const caller = await core.newCaller();
  const number = uniqueNumber();
  const first = await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl: `MAEU${number}` } }));
  const second = await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl: number } }));
  expect(second).toMatchObject({
    outcome: 'existing',
    shipment: { id: first.shipment.id, version: 1, identifiers: { mbl: `MAEU${number}` } },
  });
});

test('adds the identifiers that the shipment lacked', async () => {
  const caller = await core.newCaller();
  const mbl = uniqueNumber();
  const first = await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl } }));
  const second = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({ identifiers: { mbl, booking: 'BOOK1', hbl: 'HOUSE1' } }),
  );
  expect(second.shipment).toMatchObject({
    id: first.shipment.id,
    version: 2,
    identifiers: { mbl, booking: 'BOOK1', hbl: 'HOUSE1' },
  });
  const third = await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { booking: 'book-1' } }));
  expect(third).toMatchObject({ outcome: 'existing', shipment: { id: first.shipment.id, version: 2 } });
});

test('refuses another value for an identifier and names the shipment', async () => {
  const caller = await core.newCaller();
  const mbl = uniqueNumber();
  const { shipment } = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({ identifiers: { mbl, booking: 'BOOK7' } }),
  );
  const again = registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl, booking: 'BOOK8' } }));
  await expect(again).rejects.toMatchObject({
    code: 'identifier_conflict',
    shipmentIds: [encodeTypeId('shp', shipment.id)],
  });
});

test('refuses the numbers of two shipments and names both', async () => {
  const caller = await core.newCaller();
  const [mbl, booking] = [uniqueNumber(), uniqueNumber()];
  const one = await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl } }));
  const two = await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { booking } }));
  const both = registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl, booking } }));
  const shipmentIds = [one, two].map(({ shipment }) => encodeTypeId('shp', shipment.id));
  await expect(both).rejects.toMatchObject({
    code: 'identifier_conflict',
    shipmentIds: expect.arrayContaining(shipmentIds),
  });
});

test('joins the references of several registrations of one number', async () => {
  const caller = await core.newCaller();
  const identifiers = { mbl: uniqueNumber() };
  const register = (reference: string | null, references: string[] = []) =>
    registerShipment(
      core.ctx,
      caller,
      oceanRegistration({ identifiers, reference, references: allReferences(reference, references) }),
    );
  const { shipment } = await register(null);
  await register('ORDER-1');
  expect((await register('ORDER-2', ['ORDER-3'])).shipment).toMatchObject({
    id: shipment.id,
    reference: 'ORDER-1',
    references: ['ORDER-1', 'ORDER-2', 'ORDER-3'],
    version: 3,
  });
  expect((await register('ORDER-3')).shipment.version).toBe(3);
  expect((await changesOf(core, shipment.id)).at(-1)).toEqual({
    type: 'shipment.updated',
    changes: { references: [['ORDER-1'], ['ORDER-1', 'ORDER-2', 'ORDER-3']] },
  });
  // One order in two shipments: the reference after the first one needs not be unique.
  const other = await registerShipment(core.ctx, caller, oceanRegistration({ reference: 'ORDER-3' }));
  const { matches } = await findShipment(core.ctx, caller, { identifier: 'ORDER-3', identifierType: 'auto' });
  expect(matches.map(({ id }) => id).sort()).toEqual([shipment.id, other.shipment.id].sort());
  const many = Array.from({ length: 48 }, (_, n) => `MANY-${n}`);
  await expect(register(null, many)).rejects.toMatchObject({ mistakes: [{ pointer: '/references' }] });
});

test('refuses a reference that another shipment of the account has', async () => {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration({ reference: 'PO-9' }));
  const taken = registerShipment(core.ctx, caller, oceanRegistration({ reference: 'PO-9' }));
  await expect(taken).rejects.toMatchObject({
    code: 'reference_conflict',
    shipmentIds: [encodeTypeId('shp', shipment.id)],
  });
  const elsewhere = await registerShipment(core.ctx, await core.newCaller(), oceanRegistration({ reference: 'PO-9' }));
  expect(elsewhere.outcome).toBe('created');
});

test('matches a container alone with the active shipment of the same container alone', async () => {
  const caller = await core.newCaller();
  const container = oceanRegistration({ identifiers: { container: 'MSKU1234565' } });
  const withBill = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({ identifiers: { mbl: uniqueNumber(), container: 'MSKU1234565' } }),
  );
  const first = await registerShipment(core.ctx, caller, container);
  expect(first.outcome).toBe('created');
  expect(first.shipment.id).not.toBe(withBill.shipment.id);
  expect(await registerShipment(core.ctx, caller, container)).toMatchObject({
    outcome: 'existing',
    shipment: { id: first.shipment.id },
  });
  await withAccount(core.store, caller.accountId, (tx) =>
    tx.query('update landfall.shipments set closed_at = now() where account_id = $1 and id = $2', [
      caller.accountId,
      first.shipment.id,
    ]),
  );
  expect((await registerShipment(core.ctx, caller, container)).outcome).toBe('created');
});

test.each([
  ['a bill', { mbl: 'RACE12345', booking: 'RACEB1' }, 'RACE-PO'],
  ['a container', { container: 'TCLU7654321' }, null],
])(
  'creates one shipment for racing registrations of %s and returns it to all',
  async (_what, identifiers, reference) => {
    const caller = await core.newCaller();
    const racing = Array.from({ length: 12 }, () =>
      registerShipment(newProcess(), caller, oceanRegistration({ identifiers, reference })),
    );
    const results = await Promise.all(racing);
    expect(results.filter((result) => result.outcome === 'created')).toHaveLength(1);
    expect(new Set(results.map((result) => result.shipment.id)).size).toBe(1);
    expect(await countOf(caller, 'shipments')).toBe(1);
  },
);

test('registers without a deadlock when racing registrations list the same numbers in other orders', async () => {
  const caller = await core.newCaller();
  const racing = Array.from({ length: 10 }, (_, index) =>
    registerShipment(
      newProcess(),
      caller,
      oceanRegistration({
        identifiers: index % 2 ? { mbl: 'CROSS111', booking: 'CROSS222' } : { booking: 'CROSS222', mbl: 'CROSS111' },
      }),
    ),
  );
  expect(new Set((await Promise.all(racing)).map((result) => result.shipment.id)).size).toBe(1);
});

test('replays the first response for the same Idempotency-Key and body, and refuses another body', async () => {
  const base = await core.newCaller();
  const caller = { ...base, idempotency: { key: 'k1', bodyHash: 'a'.repeat(64), route: 'POST /v1/shipments' } };
  const registration = oceanRegistration();
  const first = await registerShipment(core.ctx, caller, registration);
  const again = await registerShipment(core.ctx, caller, registration);
  expect(again).toEqual({ ...first, replayed: true });
  const other = { ...caller, idempotency: { ...caller.idempotency, bodyHash: 'b'.repeat(64) } };
  await expect(registerShipment(core.ctx, other, oceanRegistration())).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  });
  expect(await countOf(base, 'shipments')).toBe(1);
});

test('refuses a request whose Idempotency-Key is in progress elsewhere', async () => {
  const base = await core.newCaller();
  const caller = { ...base, idempotency: { key: 'k2', bodyHash: 'a'.repeat(64), route: 'POST /v1/shipments' } };
  const registration = oceanRegistration();
  const racing = await Promise.allSettled(
    Array.from({ length: 8 }, () => registerShipment(newProcess(), caller, registration)),
  );
  for (const result of racing)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'idempotency_in_progress' });
  expect(racing.some((result) => result.status === 'fulfilled' && !result.value.replayed)).toBe(true);
  expect(await countOf(base, 'shipments')).toBe(1);
});

test('does not store an error under the Idempotency-Key', async () => {
  const base = await core.newCaller();
  const caller = { ...base, idempotency: { key: 'k3', bodyHash: 'a'.repeat(64), route: 'POST /v1/shipments' } };
  await registerShipment(core.ctx, base, oceanRegistration({ reference: 'TAKEN' }));
  await expect(registerShipment(core.ctx, caller, oceanRegistration({ reference: 'TAKEN' }))).rejects.toMatchObject({
    code: 'reference_conflict',
  });
  expect((await registerShipment(core.ctx, caller, oceanRegistration())).replayed).toBe(false);
});

test("leaves registrations beyond an account's share of leases to the sweep", async () => {
  const ctx = { ...core.ctx, settings: { ...core.ctx.settings, maxEagerLeases: 2 } };
  const caller = await core.newCaller();
  const leased: boolean[] = [];
  for (let index = 0; index < 4; index++) {
    const { shipment } = await registerShipment(ctx, caller, oceanRegistration());
    leased.push((await pollingOf(caller, shipment.id)).leased === true);
  }
  expect(leased).toEqual([true, true, false, false]);
  expect(core.enqueued.filter(({ item }) => item.accountId === caller.accountId)).toHaveLength(2);
});

test('registers without an error and releases the lease when the queue refuses or hangs', async () => {
  for (const enqueue of [
    async () => {
      throw new Error('no queue');
    },
    () => new Promise<void>(() => {}),
  ]) {
    const released = Promise.withResolvers<void>();
    const ctx = {
      ...core.ctx,
      settings: { ...core.ctx.settings, enqueueTimeoutMs: 50 },
      producer: { enqueue, close: async () => {} },
      log: { ...core.ctx.log, warn: () => released.resolve() },
    };
    const caller = await core.newCaller();
    const { outcome, shipment } = await registerShipment(ctx, caller, oceanRegistration());
    expect(outcome).toBe('created');
    await released.promise;
    await expect.poll(async () => (await pollingOf(caller, shipment.id)).lease_until).toBeNull();
  }
});

test('leases nothing without a queue', async () => {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment({ ...core.ctx, producer: null }, caller, oceanRegistration());
  expect(await pollingOf(caller, shipment.id)).toMatchObject({ lease_until: null, due: true });
});

test('refuses an untrackable shipment before it stores anything', async () => {
  const caller = await core.newCaller();
  const byRail = oceanRegistration({ transportMode: 'rail', carrier: 'BNSF', identifiers: { waybill: '12345' } });
  await expect(registerShipment(core.ctx, caller, byRail)).rejects.toMatchObject({ code: 'carrier_not_supported' });
  const referenceOnly = oceanRegistration({ identifiers: { hbl: 'HOUSE99' } });
  await expect(registerShipment(core.ctx, caller, referenceOnly)).rejects.toMatchObject({
    code: 'identifier_not_trackable',
  });
  expect(await countOf(caller, 'shipments')).toBe(0);
});

test('keeps test mode and live mode apart', async () => {
  const live = await core.newCaller();
  const testing = { ...live, test: true };
  const registration = oceanRegistration({ reference: 'SAME' });
  const one = await registerShipment(core.ctx, live, registration);
  const two = await registerShipment(core.ctx, testing, registration);
  expect(two.outcome).toBe('created');
  expect(two.shipment.id).not.toBe(one.shipment.id);
  expect(await pollingOf(live, two.shipment.id)).toMatchObject({ connector: 'test' });
});

test('records a wrong check digit as a warning', async () => {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({ identifiers: { container: 'MSKU1234560' } }),
  );
  expect(shipment.warnings).toMatchObject([{ code: 'check_digit_mismatch' }]);
});
