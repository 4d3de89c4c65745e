import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countShipments, foldCounts } from '#shared/core/lists/count-shipments.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { cancelShipment } from '#shared/core/shipments/cancel-shipment.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { foldCounts as foldInStore } from '#shared/store/system/fold-counts.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { carrierDown, found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';
import { runs } from '#test/support/run-scale.ts';

let core: TestCore;
let admin: pg.Client;

beforeAll(async () => {
  core = await openTestCore();
  admin = new pg.Client({ connectionString: core.databaseUrl });
  await admin.connect();
});

afterAll(async () => {
  await admin.end();
  await core.close();
});

type Operation = (caller: Caller, shipmentId: string) => Promise<unknown>;

const register = (caller: Caller) =>
  registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl: uniqueNumber() } }));

const operations: Record<string, Operation> = {
  register,
  'register many': (caller) =>
    registerBatch(
      core.ctx,
      caller,
      [1, 2, 3].map(() => oceanRegistration({ identifiers: { mbl: uniqueNumber() } })),
    ),
  'see it leave': ({ accountId }, shipmentId) =>
    refresh(core.ctx, { accountId, shipmentId }, found({ code: 'departed', local: '2026-03-01T10:00' })),
  'see it delivered': ({ accountId }, shipmentId) =>
    refresh(core.ctx, { accountId, shipmentId }, found({ code: 'delivered', local: '2026-04-01T10:00' })),
  'see it held': ({ accountId }, shipmentId) =>
    refresh(core.ctx, { accountId, shipmentId }, found({ code: 'customs_hold', local: '2026-03-20T10:00' })),
  'not be answered': ({ accountId }, shipmentId) => refresh(core.ctx, { accountId, shipmentId }, carrierDown),
  stop: (caller, id) => stopShipment(core.ctx, caller, id),
  resume: (caller, id) => resumeShipment(core.ctx, caller, id),
  cancel: (caller, id) => cancelShipment(core.ctx, caller, id),
  archive: (caller, id) => archiveShipment(core.ctx, caller, id),
  restore: (caller, id) => updateShipment(core.ctx, caller, id, { archived: false }),
  tag: (caller, id) => updateShipment(core.ctx, caller, id, { tags: ['acme'] }),
  fold: () => foldCounts(core.ctx, 3),
  'die while folding': async () => {
    await withSystem(core.store, async (tx) => {
      await foldInStore(tx, 1000);
      throw new LandfallError('unavailable', 'the worker died');
    });
  },
};

const names = Object.keys(operations);

/** Counted from the rows themselves. */
async function counted(accountId: string): Promise<Map<string, number>> {
  const { rows } = await admin.query<{ key: string; n: string }>(
    `select concat_ws(' ', s.test, s.archived_at is not null, s.status, p.state, s.has_exception, p.reason, s.needs_attention) as key, count(*) as n
    from landfall.shipments as s join landfall.polling as p on p.account_id = s.account_id and p.shipment_id = s.id
    where s.account_id = $1 group by 1`,
    [accountId],
  );
  return new Map(rows.map(({ key, n }) => [key, Number(n)]));
}

async function kept(accountId: string): Promise<Map<string, number>> {
  const { rows } = await admin.query<{ key: string; n: string }>(
    `select concat_ws(' ', k.test, k.archived, k.status, k.state, k.has_exception, nullif(k.reason, ''), k.needs_attention) as key, sum(k.n) as n
    from (
      select account_id, test, archived, status, state, has_exception, reason, needs_attention, counted as n from landfall.shipment_counts
      union all select account_id, test, archived, status, state, has_exception, reason, needs_attention, delta from landfall.shipment_count_deltas
    ) as k
    where k.account_id = $1 group by 1 having sum(k.n) <> 0`,
    [accountId],
  );
  return new Map(rows.map(({ key, n }) => [key, Number(n)]));
}

it('keeps counts exact whatever happens concurrently', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(3)), { minLength: 3, maxLength: 10 }), {
        minLength: 2,
        maxLength: 4,
      }),
      async (lanes) => {
        const caller = await core.newCaller();
        const ids: string[] = [];
        for (let n = 0; n < 4; n++) ids.push((await register(caller)).shipment.id);
        const run = async (lane: [string, number][]) => {
          // A refused verb, or one that lost a race, has changed nothing.
          for (const [name, n] of lane) await operations[name]?.(caller, ids[n] ?? '').catch(() => undefined);
        };
        await Promise.all(lanes.map(run));
        const before = await kept(caller.accountId);
        expect(before).toEqual(await counted(caller.accountId));
        while ((await foldCounts(core.ctx)) > 0);
        expect(await kept(caller.accountId)).toEqual(before);
      },
    ),
    { numRuns: runs(12) },
  );
});

it('counts a status and a state that change concurrently', async () => {
  const caller = await core.newCaller();
  const { id } = (await register(caller)).shipment;
  const other = new pg.Client({ connectionString: core.databaseUrl });
  await other.connect();
  await admin.query('begin');
  await admin.query(`update landfall.shipments set status = 'arrived' where id = $1`, [id]);
  const change = other.query(`update landfall.polling set state = 'active' where shipment_id = $1`, [id]);
  await admin.query('commit');
  await change;
  await other.end();
  expect(await kept(caller.accountId)).toEqual(new Map([['f f arrived active f f', 1]]));
});

it('deletes counts with their shipments', async () => {
  const caller = await core.newCaller();
  for (const state of ['queued', 'active']) {
    const { id } = (await register(caller)).shipment;
    await admin.query('update landfall.polling set state = $2 where shipment_id = $1', [id, state]);
  }
  await admin.query('delete from landfall.shipments where account_id = $1', [caller.accountId]);
  expect(await kept(caller.accountId)).toEqual(new Map());
});

it('counts the rows of a filter, within the account only', async () => {
  const [caller, stranger] = [await core.newCaller(), await core.newCaller()];
  for (let n = 0; n < 3; n++) await register(stranger);
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push((await register(caller)).shipment.id);
  await operations['see it held']?.(caller, ids[0] ?? '');
  await stopShipment(core.ctx, caller, ids[1] ?? '');
  await archiveShipment(core.ctx, caller, ids[2] ?? '');
  const totals = async (filter: ShipmentFilter) => (await countShipments(core.ctx, caller, { filter })).total;
  expect([await totals({}), await totals({ archived: true }), await totals({ status: ['pending'] })]).toEqual([
    2, 1, 2,
  ]);
  expect([await totals({ archived: 'any' }), await totals({ archived: 'any', hasException: true })]).toEqual([3, 1]);
  expect([await totals({ hasException: true }), await totals({ trackingState: ['stopped'] })]).toEqual([1, 1]);
  expect([
    await totals({ status: ['pending'], hasException: true }),
    await totals({ status: ['arrived'], hasException: true }),
  ]).toEqual([1, 0]);
  expect((await countShipments(core.ctx, { ...caller, test: true }, { filter: {} })).total).toBe(0);
});

it('denies requests to change kept counts or delete deltas', async () => {
  const { accountId } = await core.newCaller();
  for (const statement of [
    'update landfall.shipment_counts set counted = 0',
    'delete from landfall.shipment_counts',
    'delete from landfall.shipment_count_deltas',
    'update landfall.shipment_count_deltas set delta = 0',
  ])
    await expect(withAccount(core.store, accountId, (tx) => tx.query(statement))).rejects.toThrow('permission denied');
});
