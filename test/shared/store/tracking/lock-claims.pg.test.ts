import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '#shared/domain/caller.ts';
import { findValidClaims, lockClaims, lockClaimsAlone } from '#shared/store/tracking/lock-claims.ts';
import { withAccountByKey } from '#shared/store/with-account.ts';
import { bySystem, newShipment, pollingOf } from '#test/support/carriers/carrier-refreshes.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
let caller: Caller;
let other: pg.Client;

beforeAll(async () => {
  core = await openTestCore();
  caller = await core.newCaller();
  other = new pg.Client({ connectionString: core.databaseUrl });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await core.close();
});

async function claim() {
  const { id } = await newShipment(core, { caller });
  return { shipmentId: id, epoch: (await pollingOf(core, id)).epoch, withEvents: false };
}

const idsOf = (found: { keys: () => Iterable<string> }) => [...found.keys()].toSorted();

it('locks the claims of this epoch whose lease is valid, and no others', async () => {
  const [valid, moved, expired] = [await claim(), await claim(), await claim()];
  await bySystem(core, 'update landfall.polling set epoch = epoch + 1 where shipment_id = $1', [moved.shipmentId]);
  await bySystem(core, `update landfall.polling set lease_until = now() - interval '1 s' where shipment_id = $1`, [
    expired.shipmentId,
  ]);
  const claims = [valid, moved, expired, { ...valid, shipmentId: '00000000-0000-7000-8000-000000000000' }];
  await withAccountByKey(core.store, caller.accountId, async (tx) => {
    for (const waits of [true, false]) {
      expect(idsOf(await lockClaims(tx, caller.accountId, { claims, waits }))).toEqual([valid.shipmentId]);
      expect(idsOf(await lockClaimsAlone(tx, caller.accountId, { claims, waits }))).toEqual([valid.shipmentId]);
    }
    expect(idsOf(await findValidClaims(tx, caller.accountId, claims))).toEqual([valid.shipmentId]);
  });
});

it.each([
  ['with its shipment', lockClaims],
  ['alone', lockClaimsAlone],
])('protects a claim that is locked %s from other workers', async (_how, lock) => {
  const claimed = await claim();
  await withAccountByKey(core.store, caller.accountId, async (tx) => {
    expect((await lock(tx, caller.accountId, { claims: [claimed], waits: true })).size).toBe(1);
    await other.query(`set lock_timeout = '50ms'`);
    await expect(
      other.query('update landfall.polling set epoch = epoch + 1 where shipment_id = $1', [claimed.shipmentId]),
    ).rejects.toMatchObject({ code: '55P03' });
  });
});

it('leaves out rows that are locked elsewhere, or waits and sees the rows written until then', async () => {
  const [held, free] = [await claim(), await claim()];
  for (const table of ['polling', 'shipments']) {
    await other.query('begin');
    const key = table === 'polling' ? 'shipment_id' : 'id';
    await other.query(`select from landfall.${table} where ${key} = $1 for update`, [held.shipmentId]);
    const claims = [held, free];
    await withAccountByKey(core.store, caller.accountId, async (tx) => {
      expect(idsOf(await lockClaims(tx, caller.accountId, { claims, waits: false }))).toEqual([free.shipmentId]);
      // Valid, but not locked: to be recorded alone.
      expect((await findValidClaims(tx, caller.accountId, claims)).size).toBe(2);
    });
    const waiting = withAccountByKey(core.store, caller.accountId, async (tx) =>
      idsOf(await lockClaims(tx, caller.accountId, { claims, waits: true })),
    );
    if (table === 'shipments')
      await other.query('update landfall.polling set epoch = epoch + 1 where shipment_id = $1', [held.shipmentId]);
    await other.query('commit');
    expect(await waiting).toEqual(
      table === 'shipments' ? [free.shipmentId] : [held, free].map(({ shipmentId }) => shipmentId).toSorted(),
    );
  }
});
