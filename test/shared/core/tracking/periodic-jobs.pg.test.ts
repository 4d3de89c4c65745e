import { afterAll, beforeAll, expect, it } from 'vitest';
import { expireRecords, expiries } from '#shared/core/installation/expire-records.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { archiveShipment } from '#shared/core/shipments/update-shipment.ts';
import { markStaleShipments } from '#shared/core/tracking/mark-stale.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { lockShipment } from '#shared/store/shipments/shipments.ts';
import { insertUnreadableEvents } from '#shared/store/tracking/insert-unreadable-events.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});

afterAll(() => core.close());

it('publishes a shipment as stale once, and once again after the next success', async () => {
  const { caller, shipmentId } = await register();
  await succeed(caller, shipmentId);
  expect(await staleChanges(shipmentId)).toEqual([]);

  await goStale(shipmentId);
  const { version } = await getShipment(core.ctx, caller, shipmentId);
  await Promise.all([markStaleShipments(core.ctx), markStaleShipments(core.ctx), markStaleShipments(core.ctx)]);
  await markStaleShipments(core.ctx);
  const [reported, ...more] = await staleChanges(shipmentId);
  expect(more).toEqual([]);
  expect(reported).toMatchObject({ freshness: ['fresh', 'stale'], snapshotFreshness: 'stale', version: version + 1 });
  expect(await getShipment(core.ctx, caller, shipmentId)).toMatchObject({
    version: version + 1,
    tracking: { freshness: 'stale' },
  });

  await refresh(caller, shipmentId, failure);
  await goStale(shipmentId);
  await markStaleShipments(core.ctx);
  expect(await staleChanges(shipmentId)).toHaveLength(1);

  await succeed(caller, shipmentId);
  await markStaleShipments(core.ctx);
  expect(await staleChanges(shipmentId)).toHaveLength(1);
  await goStale(shipmentId);
  await markStaleShipments(core.ctx);
  expect(await staleChanges(shipmentId)).toHaveLength(2);
});

it('never marks shipments without a success, completed or stopped ones as stale', async () => {
  const never = await register();
  const completed = await register();
  const stopped = await register();
  for (const { caller, shipmentId } of [completed, stopped]) await succeed(caller, shipmentId);
  await system(`update landfall.polling set state = 'completed' where shipment_id = $1`, [completed.shipmentId]);
  await system(`update landfall.polling set state = 'stopped' where shipment_id = $1`, [stopped.shipmentId]);
  for (const { shipmentId } of [never, completed, stopped]) await goStale(shipmentId);
  await markStaleShipments(core.ctx);
  for (const { shipmentId } of [never, completed, stopped]) expect(await staleChanges(shipmentId)).toEqual([]);
});

it('publishes no change and no version for an archived shipment that goes stale', async () => {
  const { caller, shipmentId } = await register();
  await succeed(caller, shipmentId);
  const { version } = await archiveShipment(core.ctx, caller, shipmentId);
  await goStale(shipmentId);
  await markStaleShipments(core.ctx);
  expect(await staleChanges(shipmentId)).toEqual([]);
  expect(await getShipment(core.ctx, caller, shipmentId)).toMatchObject({ version, tracking: { freshness: 'stale' } });
});

it('skips a locked shipment until later, without delaying others', async () => {
  const [busy, idle] = [await register(), await register()];
  for (const { caller, shipmentId } of [busy, idle]) {
    await succeed(caller, shipmentId);
    await goStale(shipmentId);
  }
  await withAccount(core.store, busy.caller.accountId, async (tx) => {
    await lockShipment(tx, busy.caller.accountId, busy.shipmentId);
    await markStaleShipments(core.ctx);
    expect(await staleChanges(idle.shipmentId)).toHaveLength(1);
    expect(await staleChanges(busy.shipmentId)).toEqual([]);
  });
  await markStaleShipments(core.ctx);
  expect(await staleChanges(busy.shipmentId)).toHaveLength(1);
});

it('deletes idempotency keys after 24 hours, in batches', async () => {
  const caller = await core.newCaller();
  await system(
    `insert into landfall.idempotency (account_id, route, key, body_hash, status, created_at)
     select $1, 'POST /v1/shipments', n::text, 'x', 'done', now() - case when n <= 25 then interval '24 hours 1 minute' else interval '23 hours 59 minutes' end
     from generate_series(1, 30) as n`,
    [caller.accountId],
  );
  const results = await Promise.all([
    expireRecords(core.ctx, { batchSize: 10 }),
    expireRecords(core.ctx, { batchSize: 10 }),
  ]);
  expect(results.reduce((sum, ended) => sum + (ended['idempotency keys'] ?? 0), 0)).toBe(25);
  const left = await system<{ key: number }>(
    'select key::int as key from landfall.idempotency where account_id = $1 order by 1',
    [caller.accountId],
  );
  expect(left.map(({ key }) => key)).toEqual([26, 27, 28, 29, 30]);
});

it('deletes an import and its failed rows 30 days after its end, and never while it runs', async () => {
  const caller = await core.newCaller();
  await system(
    `with old as (
       insert into landfall.imports (account_id, test, format, options, dry_run, state, created_at, completed_at)
       select $1, false, 'csv', '{}', false, case when n <= 14 then 'completed' else 'running' end, now() - interval '60 days',
         case when n <= 12 then now() - interval '30 days 1 minute' when n <= 14 then now() - interval '29 days' end
       from generate_series(1, 15) as n
       returning account_id, id
     )
     insert into landfall.import_errors (account_id, import_id, row_number, raw, code, detail) select account_id, id, 1, 'x', 'y', 'z' from old`,
    [caller.accountId],
  );
  expect(await expireRecords(core.ctx)).toMatchObject({ imports: 12 });
  const left = await system<{ imports: number; errors: number }>(
    `select (select count(*)::int from landfall.imports where account_id = $1) as imports,
       (select count(*)::int from landfall.import_errors where account_id = $1) as errors`,
    [caller.accountId],
  );
  expect(left).toEqual([{ imports: 3, errors: 3 }]);
});

it('deletes the failed rows of an import in batches, and the import after its last row', async () => {
  const caller = await core.newCaller();
  await system(
    `with old as (
       insert into landfall.imports (account_id, test, format, options, dry_run, state, created_at, completed_at)
       values ($1, false, 'csv', '{}', false, 'completed', now() - interval '60 days', now() - interval '31 days')
       returning account_id, id
     ),
     chunk as (
       insert into landfall.import_chunks (account_id, import_id, number, first_row, row_count, content_hash, done_at)
       select account_id, id, 1, 1, 25, sha256('x'), now() - interval '31 days' from old
     )
     insert into landfall.import_errors (account_id, import_id, row_number, raw, code, detail)
     select account_id, id, n, 'x', 'y', 'z' from old cross join generate_series(1, 25) as n`,
    [caller.accountId],
  );
  const left = async () => {
    const [row] = await system<{ imports: number; errors: number; chunks: number }>(
      `select (select count(*)::int from landfall.imports where account_id = $1) as imports,
         (select count(*)::int from landfall.import_errors where account_id = $1) as errors,
         (select count(*)::int from landfall.import_chunks where account_id = $1) as chunks`,
      [caller.accountId],
    );
    return row;
  };
  const rowsOfImports = expiries.filter(({ name }) => name === 'import rows');
  const imports = expiries.filter(({ name }) => name === 'imports');

  await withSystem(core.store, (tx) => rowsOfImports[0]?.run(tx, core.ctx.settings, 10) ?? Promise.resolve(0));
  await expireRecords(core.ctx, { expiries: imports });
  expect(await left()).toEqual({ imports: 1, errors: 15, chunks: 0 });

  await expireRecords(core.ctx, { batchSize: 10 });
  expect(await left()).toEqual({ imports: 0, errors: 0, chunks: 0 });
});

it('deletes unreadable events after 90 days, in batches, and stores them when they appear again', async () => {
  const { caller, shipmentId } = await register();
  const unreadable = [{ raw: { eventType: 'EQUIPMENT', when: 'soon' }, reason: 'no time' }];
  const keep = () =>
    withAccount(core.store, caller.accountId, (tx) =>
      insertUnreadableEvents(tx, caller.accountId, shipmentId, unreadable),
    );
  const count = async () =>
    (await system('select id from landfall.unreadable_events where shipment_id = $1', [shipmentId])).length;
  await keep();
  await system(`update landfall.unreadable_events set seen_at = now() - interval '89 days' where shipment_id = $1`, [
    shipmentId,
  ]);
  await expireRecords(core.ctx);
  expect(await count()).toBe(1);
  await system(
    `insert into landfall.unreadable_events (account_id, shipment_id, raw, raw_hash, reason, seen_at)
     select $1, $2, to_jsonb(n), sha256(n::text::bytea), 'no time', now() - interval '91 days' from generate_series(1, 24) as n`,
    [caller.accountId, shipmentId],
  );
  await system(`update landfall.unreadable_events set seen_at = now() - interval '90 days' where shipment_id = $1`, [
    shipmentId,
  ]);
  const results = await Promise.all([
    expireRecords(core.ctx, { batchSize: 10 }),
    expireRecords(core.ctx, { batchSize: 10 }),
  ]);
  expect(results.reduce((sum, ended) => sum + (ended['unreadable events'] ?? 0), 0)).toBe(25);
  expect(await count()).toBe(0);
  await keep();
  expect(await count()).toBe(1);
});

it('deletes an ended subscription 30 days after its last delivery, and a live one never', async () => {
  const { accountId } = await core.newCaller();
  const subscribe = async (state: string, endedDaysAgo: number | null) => {
    const [row] = await system<{ id: string }>(
      `insert into landfall.carrier_subscriptions (account_id, token, connector, carrier, all_carriers, credential_id, callback_url, key_version,
         secret_sealed, state, created_at, ended_at)
       values ($1, substr(md5(random()::text), 1, 32), 'dcsa', 'MAEU', false, gen_random_uuid()::text, 'https://example.com', 'v1', 'x', $2,
         now() - interval '90 days', now() - make_interval(days => $3))
       returning id`,
      [accountId, state, endedDaysAgo],
    );
    return row?.id ?? '';
  };
  const live = await subscribe('active', null);
  const lately = await subscribe('ended', 29);
  const received = await subscribe('ended', 31);
  await subscribe('ended', 31);
  await withAccount(core.store, accountId, (tx) =>
    tx.query(
      `insert into landfall.carrier_deliveries (account_id, subscription_id, body, body_hash, received_at)
       values ($1, $2, 'x', sha256('x'), now() - interval '29 days')`,
      [accountId, received],
    ),
  );
  await system(`update landfall.carrier_deliveries set state = 'processed' where subscription_id = $1`, [received]);
  expect(await expireRecords(core.ctx)).toMatchObject({ 'ended carrier subscriptions': 1 });
  const left = await system<{ id: string }>('select id from landfall.carrier_subscriptions where account_id = $1', [
    accountId,
  ]);
  expect(left.map(({ id }) => id).toSorted()).toEqual([live, lately, received].toSorted());
  const shorter = { ...core.ctx, settings: { ...core.ctx.settings, deliveriesKeptDays: 28 } };
  expect(await expireRecords(shorter)).toMatchObject({ 'carrier deliveries': 1, 'ended carrier subscriptions': 2 });
});

it('frees a number 90 days after its shipment closed, and not before', async () => {
  const caller = await core.newCaller();
  const registration = oceanRegistration();
  const { shipment } = await registerShipment(core.ctx, caller, registration);
  const closedFor = async (days: number) => {
    await system(`update landfall.shipments set closed_at = now() - make_interval(days => $2) where id = $1`, [
      shipment.id,
      days,
    ]);
    await expireRecords(core.ctx);
    return (await registerShipment(core.ctx, caller, registration)).outcome;
  };
  expect(await closedFor(89)).toBe('existing');
  expect(await closedFor(90)).toBe('created');
  expect(await expireRecords(core.ctx)).toMatchObject({ 'numbers of closed shipments': 0 });
});

it('deletes the other kinds of records if one kind fails', async () => {
  const ran: string[] = [];
  const broken = { name: 'broken', run: () => Promise.reject(new Error('it is broken')) };
  const fine = {
    name: 'fine',
    run: async () => {
      ran.push('fine');
      return 0;
    },
  };
  await expect(expireRecords(core.ctx, { expiries: [broken, fine] })).rejects.toThrow('it is broken');
  expect(ran).toEqual(['fine']);
  expect(expiries.map(({ name }) => name)).toContain('changes');
});

const failure: FetchResult = {
  outcome: 'error',
  httpStatus: 500,
  durationMs: 5,
  reason: 'carrier_unreachable',
  permanent: false,
  retryAfterMs: null,
  detail: '500',
  source: 'simulator:dcsa:maersk',
};

async function register(): Promise<{ caller: Caller; shipmentId: string }> {
  const caller = await core.newCaller();
  const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration());
  return { caller, shipmentId: shipment.id };
}

function succeed(caller: Caller, shipmentId: string): Promise<void> {
  return refresh(caller, shipmentId, {
    outcome: 'found',
    reading: { events: [], unreadable: [], source: 'simulator:dcsa:maersk' },
    httpStatus: 200,
    durationMs: 5,
  });
}

async function refresh(caller: Caller, shipmentId: string, result: FetchResult): Promise<void> {
  const [claim] = await system<{ epoch: number }>(
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = $1 returning epoch`,
    [shipmentId],
  );
  const [subject] = await beginRefreshes(core.ctx, [
    { accountId: caller.accountId, shipmentId, epoch: claim?.epoch ?? -1 },
  ]);
  if (subject === undefined) throw new Error('the claim is not live');
  expect(await recordRefresh(core.ctx, subject, result, null)).toMatchObject({ stale: false });
}

function goStale(shipmentId: string): Promise<unknown> {
  return system(`update landfall.polling set stale_at = now() - interval '1 s' where shipment_id = $1`, [shipmentId]);
}

async function staleChanges(shipmentId: string) {
  const changes = await storedChanges(system, [shipmentId]);
  return changes
    .filter(({ type }) => type === 'shipment.stale')
    .map(
      ({
        data: {
          shipment,
          changes: { freshness },
        },
      }) => ({
        freshness,
        snapshotFreshness: shipment.tracking.freshness,
        version: shipment.version,
      }),
    );
}

function system<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  return withSystem(core.store, async (tx) => (await tx.query(text, values)).rows);
}
