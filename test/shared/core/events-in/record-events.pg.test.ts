import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endSilentTracking } from '#shared/core/events-in/end-silent-tracking.ts';
import { maxShipments, recordEvents } from '#shared/core/events-in/record-events.ts';
import { voidEvent } from '#shared/core/events-in/void-event.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { settleShipments } from '#shared/core/settling/settle-shipments.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { archiveShipment, updateShipment } from '#shared/core/shipments/update-shipment.ts';
import { markStaleShipments } from '#shared/core/tracking/mark-stale.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { SentEventRow } from '#shared/domain/events-in/event-row.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { readAllEvents } from '#shared/store/settling/settled-shipments.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { getShipment, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { pushedRow } from '#test/support/pushed-rows.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let core: TestCore;
let owner: pg.Client;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await core.close();
});

let numbers = 0;

/** UUIDs of new shipments whose events are pushed. */
async function registerPushed(caller: Caller, count = 1): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    transportMode: 'rail' as const,
    carrier: 'BNSF',
    identifiers: { waybill: `W${10_000 + numbers++}` },
    serviceType: null,
    reference: null,
    references: [],
    tags: [],
    metadata: {},
    destinationPostalCode: null,
    staleAfterHours: 12,
  }));
  const { results } = await registerBatch(core.ctx, caller, rows);
  return results.map((result) => {
    if (result.outcome === 'failed') throw new Error(result.error.detail);
    return decodeTypeId('shp', result.shipmentId) ?? '';
  });
}

const rowsOf = (shipmentIds: readonly string[], ...changes: Partial<SentEventRow>[]) =>
  shipmentIds.flatMap((shipmentId) => changes.map((change) => pushedRow({ targets: [{ shipmentId }], ...change })));
const record = (caller: Caller, rows: SentEventRow[]) => recordEvents(core.ctx, caller, { rows });
const eventsOf = (caller: Caller, id: string) =>
  withAccount(core.store, caller.accountId, (tx) => readAllEvents(tx, caller.accountId, id));
const outcomesOf = ({ results }: Awaited<ReturnType<typeof record>>) =>
  results.map((result) => (result.outcome === 'failed' ? result.error.code : result.shipments[0]?.outcome));

const departed = { externalId: 'departed' };
const arrived = {
  externalId: 'arrived',
  code: 'rail_arrived',
  time: { at: '2026-03-05T08:00:00-06:00' },
} as const;

it('refuses to correct a number for which a source has pushed events', async () => {
  const caller = await core.newCaller();
  const [id = ''] = await registerPushed(caller);
  const correct = (waybill: string) => updateShipment(core.ctx, caller, id, { identifiers: { waybill } });
  expect((await correct(`W${20_000 + numbers++}`)).identifiers.waybill).toMatch(/^W2/);
  await record(caller, rowsOf([id], departed));
  await expect(correct(`W${20_000 + numbers++}`)).rejects.toMatchObject({
    code: 'identifier_conflict',
    message: expect.stringContaining('Archive this shipment and register the right number.'),
  });
});

it('adds each event once when the same batch comes several times at once', async () => {
  const caller = await core.newCaller();
  const ids = await registerPushed(caller, 55);
  const rows = rowsOf(ids, departed, arrived);
  const answers = await Promise.all([0, 1, 2].map((turn) => record(caller, turn === 1 ? rows.toReversed() : rows)));
  const outcomes = answers.flatMap(outcomesOf);
  expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(110);
  expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(220);
  const { rows: counts } = await owner.query(
    'select count(*)::integer as events, count(distinct shipment_id)::integer as shipments from landfall.events where account_id = $1',
    [caller.accountId],
  );
  expect(counts).toEqual([{ events: 110, shipments: 55 }]);
});

it('records a batch completely with a retry after it was killed midway', async () => {
  const registering = await core.newCaller();
  const ids = (await registerPushed(registering, maxShipments + 5)).sort();
  const idempotency = { key: 'killed', bodyHash: 'a'.repeat(64), route: 'POST /v1/events/batch' };
  const caller = { ...registering, idempotency };
  const rows = rowsOf(ids, departed, arrived);
  const last = ids.at(-1) ?? '';
  await owner.query('begin');
  await owner.query('select from landfall.shipments where account_id = $1 and id = $2 for update', [
    caller.accountId,
    last,
  ]);
  const killed = record(caller, rows);
  const stopped = expect(killed).rejects.toMatchObject({ code: 'unavailable' });
  await until(
    () =>
      owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
      ),
    ({ rowCount }) => rowCount === 1,
  );
  await owner.query('rollback');
  await stopped;

  const shipments = await Promise.all(ids.map((id) => getShipment(core.ctx, caller, id)));
  const counts = shipments.map(({ journey }) => journey.eventsCount);
  // The first group of shipments is there, the second is not: no shipment has a part of its rows.
  expect(new Set(counts)).toEqual(new Set([0, 2]));
  for (const { journey, version } of shipments)
    expect([journey.eventsCount, journey.status, version]).toEqual(
      journey.eventsCount === 0 ? [0, 'pending', 1] : [2, 'in_transit', 2],
    );

  const retried = await record(caller, rows);
  expect(retried.replayed).toBe(false);
  expect(outcomesOf(retried)).toEqual(
    ids.flatMap((_, place) => Array(2).fill(counts[place] === 0 ? 'added' : 'unchanged')),
  );
  expect((await record(caller, rows)).replayed).toBe(true);
  for (const id of ids) expect(await eventsOf(caller, id)).toHaveLength(2);
});

it('locks shipments in the order of refreshes, so that opposite batches do not deadlock', async () => {
  const caller = await core.newCaller();
  const ids = await registerPushed(caller, 30);
  const batches = Array.from({ length: 4 }, (_, turn) =>
    rowsOf(turn % 2 === 0 ? ids : ids.toReversed(), { externalId: `event ${turn}`, description: `turn ${turn}` }),
  );
  const outcomes = (await Promise.all(batches.map((rows) => record(caller, rows)))).flatMap(outcomesOf);
  expect(new Set(outcomes)).toEqual(new Set(['added']));
  const { rows } = await owner.query<{ deadlocks: string }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  expect(rows[0]?.deadlocks).toBe('0');
});

it('keeps accounts apart: the shipment of another account is not there', async () => {
  const [caller, stranger] = [await core.newCaller(), await core.newCaller()];
  const [id = ''] = await registerPushed(caller);
  const { journey } = await getShipment(core.ctx, caller, id);
  expect(journey.eventsCount).toBe(0);
  expect(outcomesOf(await record(stranger, rowsOf([id], departed)))).toEqual(['shipment_not_found']);
  const added = await record(caller, rowsOf([id], departed));
  const eventId = (await eventsOf(caller, id))[0]?.id ?? '';
  expect(outcomesOf(added)).toEqual(['added']);
  await expect(voidEvent(core.ctx, stranger, { shipmentId: id, eventId })).rejects.toMatchObject({
    code: 'shipment_not_found',
  });
});

it('unpacks a settled shipment, and leaves an archived one packed', async () => {
  const caller = await core.newCaller();
  const [open = '', archived = ''] = await registerPushed(caller, 2);
  const delivered = { externalId: 'end', code: 'delivered', time: { at: '2026-03-07T08:00:00-06:00' } } as const;
  await record(caller, rowsOf([open, archived], departed, delivered));
  await archiveShipment(core.ctx, caller, archived);
  await owner.query(
    `update landfall.shipments set closed_at = now() - interval '99 days', settling_from = now() - interval '99 days' where account_id = $1`,
    [caller.accountId],
  );
  await until(
    async () => {
      await settleShipments(core.ctx);
      return settledOf(caller);
    },
    (settled) => settled.length === 2,
  );
  const late = { externalId: 'late', code: 'rail_arrived', time: { at: '2026-03-06T08:00:00-06:00' } } as const;
  expect(outcomesOf(await record(caller, rowsOf([open, archived], late)))).toEqual(['added', 'invalid_state']);
  expect(await settledOf(caller)).toEqual([archived]);
  const { journey } = await getShipment(core.ctx, caller, open);
  expect(journey.events.map(({ code }) => code)).toEqual(['delivered', 'rail_arrived', 'rail_departed']);
  const [event] = await eventsOf(caller, open);
  await voidEvent(core.ctx, caller, { shipmentId: open, eventId: event?.id ?? '' });
  expect((await getShipment(core.ctx, caller, open)).journey.events).toHaveLength(3);
});

async function settledOf({ accountId }: Caller): Promise<string[]> {
  const { rows } = await owner.query<{ shipment_id: string }>(
    'select shipment_id from landfall.settled_shipments where account_id = $1',
    [accountId],
  );
  return rows.map(({ shipment_id }) => shipment_id);
}

const typesOf = async (id: string) => {
  const { rows } = await owner.query<{ type: string }>(
    'select type from landfall.changes where shipment_id = $1 order by write_order',
    [id],
  );
  return rows.map(({ type }) => type);
};

it('reports once that it has received no event for as many hours as the client set', async () => {
  const caller = await core.newCaller();
  const [id = ''] = await registerPushed(caller);
  await record(caller, rowsOf([id], departed));
  const { rows } = await owner.query(
    `select round(extract(epoch from stale_at - now()) / 3600)::integer as hours, next_refresh_at from landfall.polling where shipment_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ hours: 12, next_refresh_at: null }]);
  await owner.query(`update landfall.polling set stale_at = now() - interval '1 s' where shipment_id = $1`, [id]);
  await markStaleShipments(core.ctx);
  await markStaleShipments(core.ctx);
  expect((await typesOf(id)).filter((type) => type === 'shipment.stale')).toHaveLength(1);
  expect((await getShipment(core.ctx, caller, id)).tracking).toMatchObject({ state: 'active', freshness: 'stale' });
  await record(caller, rowsOf([id], departed));
  expect((await getShipment(core.ctx, caller, id)).tracking.freshness).toBe('fresh');
});

/** Lets the time pass at which tracking ends, with what it counts from. */
const letPass = (id: string, days: number) =>
  owner.query(
    `update landfall.polling set ends_at = ends_at - make_interval(days => $2), tracking_since = now() - make_interval(days => $2),
       last_changed_at = last_changed_at - make_interval(days => $2) where shipment_id = $1`,
    [id, days],
  );

it('gives up after 60 days without events, and continues when one comes', async () => {
  const caller = await core.newCaller();
  const [silent = '', active = '', stopped = ''] = await registerPushed(caller, 3);
  await record(caller, rowsOf([active, stopped], departed));
  await stopShipment(core.ctx, caller, stopped);
  for (const id of [silent, active, stopped]) await letPass(id, 59);
  expect(await endSilentTracking(core.ctx)).toBe(0);
  for (const id of [silent, active, stopped]) await letPass(id, 2);
  await owner.query(
    `update landfall.polling set last_changed_at = now() - interval '61 days', tracking_since = now() - interval '61 days'
    where account_id = $1`,
    [caller.accountId],
  );
  expect(await endSilentTracking(core.ctx)).toBe(2);
  const trackingOf = async (id: string) => {
    const { tracking } = await getShipment(core.ctx, caller, id);
    return [tracking.state, tracking.reason];
  };
  expect(await trackingOf(silent)).toEqual(['failed', 'no_updates_60d']);
  expect(await trackingOf(active)).toEqual(['failed', 'no_updates_60d']);
  expect(await trackingOf(stopped)).toEqual(['stopped', 'stopped_by_client']);
  expect((await typesOf(silent)).at(-1)).toBe('shipment.tracking_state_changed');

  await record(caller, rowsOf([silent, active, stopped], arrived));
  expect(await trackingOf(silent)).toEqual(['active', null]);
  expect(await trackingOf(active)).toEqual(['active', null]);
  expect(await trackingOf(stopped)).toEqual(['stopped', 'stopped_by_client']);
  await resumeShipment(core.ctx, caller, stopped);
  expect(await trackingOf(stopped)).toEqual(['awaiting_carrier', 'awaiting_events']);
});

it('ends fourteen days after a delivery by rail, and accepts later events', async () => {
  const caller = await core.newCaller();
  const [id = ''] = await registerPushed(caller);
  const at = (days: number) => ({ at: new Date(Date.now() - days * 86_400_000).toISOString() });
  await record(caller, rowsOf([id], { externalId: 'd', code: 'delivered', time: at(1) }));
  const ending = async () => {
    const { rows } = await owner.query<{ days: number | null; state: string }>(
      `select round(extract(epoch from ends_at - now()) / 86400)::integer as days, state from landfall.polling where shipment_id = $1`,
      [id],
    );
    return rows[0];
  };
  expect(await ending()).toEqual({ days: 13, state: 'active' });
  // Void: it goes on, as long as without news.
  const [event] = await eventsOf(caller, id);
  await voidEvent(core.ctx, caller, { shipmentId: id, eventId: event?.id ?? '' });
  expect(await ending()).toEqual({ days: 60, state: 'active' });
  await record(caller, rowsOf([id], { externalId: 'e', code: 'delivered', time: at(20) }));
  expect(await ending()).toEqual({ days: null, state: 'completed' });
  expect(outcomesOf(await record(caller, rowsOf([id], { externalId: 'f', time: at(25) })))).toEqual(['added']);
  expect(await ending()).toEqual({ days: null, state: 'completed' });
});

it('waits for events again after a restore from the archive', async () => {
  const caller = await core.newCaller();
  const [id = ''] = await registerPushed(caller);
  await archiveShipment(core.ctx, caller, id);
  const restored: Shipment = await updateShipment(core.ctx, caller, id, { archived: false });
  expect(restored.tracking).toMatchObject({ mode: 'pushed', state: 'awaiting_carrier', nextRefreshAt: null });
  expect(core.enqueued).toEqual([]);
  expect(outcomesOf(await record(caller, rowsOf([id], departed)))).toEqual(['added']);
});

it('refuses more than 2,000 events of one shipment', async () => {
  const caller = await core.newCaller();
  const [id = ''] = await registerPushed(caller);
  const many = (from: number, count: number) =>
    rowsOf(
      [id],
      ...Array.from({ length: count }, (_, place) => ({
        externalId: `e${from + place}`,
        description: `${from + place}`,
      })),
    );
  await record(caller, many(0, 1000));
  await record(caller, many(1000, 1000));
  const { results } = await record(caller, many(2000, 1));
  expect(results).toMatchObject([
    { outcome: 'failed', error: { code: 'invalid_state', detail: expect.stringContaining('2,000') } },
  ]);
});
