import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFreeTimeRules } from '#shared/core/free-time/free-time-rules.ts';
import { getFreeTimeTerms, replaceFreeTimeTerms } from '#shared/core/free-time/replace-terms.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { stopShipment } from '#shared/core/shipments/stop-shipment.ts';
import { updateShipment } from '#shared/core/shipments/update-shipment.ts';
import { assessDueFreeTime, markReplacedFreeTimeTerms } from '#shared/core/tracking/assess-due-free-time.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import { positionOf } from '#shared/domain/lists/map-position.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { insertEvents, readEvents } from '#shared/store/tracking/events.ts';
import { lockShipments, updateJourneys } from '#shared/store/tracking/journeys.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let core: TestCore;
/** Sees what the connections of others wait for. */
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

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 16);
const place = {
  name: 'Rotterdam',
  unlocode: 'NLRTM',
  iata: null,
  country: 'NL',
  lat: null,
  lng: null,
  timezone: 'UTC',
  facility: null,
};
const discharged = (days: number, container = 'CSQU3054383') =>
  ({ code: 'discharged', legRole: 'pod', location: place, local: daysAgo(days), container }) as const;

const freeFor = (freeDays: number): FreeTimeTerm => ({
  kind: 'demurrage',
  carrier: null,
  place: null,
  country: null,
  equipment: null,
  freeDays,
  startEvent: 'discharged',
  firstDay: 'next_day',
  counting: 'calendar',
  chargedDays: 'calendar',
  calendarCountry: null,
  rates: [{ fromDay: 1, amount: 10 }],
  currency: 'EUR',
  validFrom: null,
  validTo: null,
});

const put = (caller: Caller, freeDays: number) =>
  replaceFreeTimeTerms(core.ctx, caller, { terms: [freeFor(freeDays)], isExpected: () => true });

async function register(caller: Caller): Promise<string> {
  return (await registerShipment(core.ctx, caller, oceanRegistration())).shipment.id;
}

async function waiting(caller: Caller, days: number): Promise<string> {
  const shipmentId = await register(caller);
  await refresh(core.ctx, { accountId: caller.accountId, shipmentId }, found(discharged(days)));
  return shipmentId;
}

const read = (caller: Caller, id: string) => getShipment(core.ctx, caller, id);
const freeDaysOf = ({ journey }: Shipment) =>
  journey.containers[0]?.freeTime?.clocks?.find(({ kind }) => kind === 'demurrage')?.freeDays ?? null;
const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  withSystem(core.store, async (tx) => (await tx.query<Row>(text, values)).rows);
const typesOf = async (ids: readonly string[]) => (await storedChanges(sql, ids)).map(({ type }) => type);

async function settle(): Promise<void> {
  while (await markReplacedFreeTimeTerms(core.ctx));
  while ((await assessDueFreeTime(core.ctx)) > 0);
}

it('assesses every shipment of an account by its present terms, page by page, and of no other account', async () => {
  const [caller, other] = [await core.newCaller(), await core.newCaller()];
  const ids = await Promise.all([9, 8, 7, 6, 5].map((days) => waiting(caller, days)));
  const [foreign = ''] = await Promise.all([waiting(other, 9)]);
  await put(caller, 3);
  // Two to a page, and a last page that is not full.
  while (await markReplacedFreeTimeTerms(core.ctx, 2));
  await settle();
  for (const id of ids) expect(freeDaysOf(await read(caller, id))).toBe(3);
  expect(freeDaysOf(await read(other, foreign))).toBeNull();
  expect(await getFreeTimeTerms(core.ctx, caller)).toMatchObject({ version: 1, isApplied: true });
});

it('leaves no record on earlier terms that was composing while they were replaced', async () => {
  const caller = await core.newCaller();
  await put(caller, 3);
  await settle();
  const { accountId } = caller;
  // One has a clock already, and the other gets its first one under the earlier terms.
  const known = await waiting(caller, 9);
  const fresh = await register(caller);
  const [isLocked, isReplaced] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const composing = withAccount(core.store, accountId, async (tx) => {
    const locked = await lockShipments(tx, accountId, { ids: [known, fresh], waits: true });
    const rules = await readFreeTimeRules(core.ctx, tx, accountId);
    isLocked.resolve();
    await isReplaced.promise;
    const events = await readEvents(tx, accountId, known);
    const copies = events.map((event) => ({ event: { ...event, id: randomUUID() }, raw: null }));
    await insertEvents(tx, accountId, fresh, copies);
    const updates = [...locked.values()].map((shipment) => {
      const { journey, statusChangedAt } = composeFrom(events, shipment, { nowMs: Date.now(), rules: rules(shipment) });
      return { shipment, journey, statusChangedAt, closed: false, position: positionOf(journey) };
    });
    await updateJourneys(tx, accountId, updates);
  });
  await isLocked.promise;
  await put(caller, 7);
  const marking = markReplacedFreeTimeTerms(core.ctx);
  // The marks wait for the transaction that composes.
  const waits = 'select from pg_stat_activity where datname = current_database() and wait_event_type = $1';
  await until(
    () => owner.query(waits, ['Lock']),
    ({ rowCount }) => rowCount === 1,
  );
  isReplaced.resolve();
  await composing;
  expect(await marking).toBe(true);
  for (const id of [known, fresh]) expect(freeDaysOf(await read(caller, id))).toBe(3);
  await settle();
  for (const id of [known, fresh]) expect(freeDaysOf(await read(caller, id))).toBe(7);
});

it('ends on the last terms, however often they are replaced while shipments are refreshed', async () => {
  const caller = await core.newCaller();
  const ids = await Promise.all(Array.from({ length: 6 }, () => waiting(caller, 9)));
  const refreshing = ids.map(async (shipmentId, index) => {
    for (const days of [8, 7, 6])
      await refresh(
        core.ctx,
        { accountId: caller.accountId, shipmentId },
        found(discharged(9), discharged(days, `MSKU000000${index}`)),
      );
  });
  const marking = { done: false };
  const marks = [1, 2].map(async () => {
    while (!marking.done) await markReplacedFreeTimeTerms(core.ctx, 2).then(() => assessDueFreeTime(core.ctx));
  });
  try {
    for (const days of [1, 2, 3, 4, 11]) await put(caller, days);
    await Promise.all(refreshing);
  } finally {
    marking.done = true;
    await Promise.all(marks);
  }
  await settle();
  for (const id of ids) {
    const { journey } = await read(caller, id);
    for (const { freeTime } of journey.containers)
      expect(freeTime?.clocks?.find(({ kind }) => kind === 'demurrage')?.freeDays).toBe(11);
  }
});

/** Stores the record as it was some days ago, when the job that follows the clock ran last. */
async function asOf(caller: Caller, id: string, days: number): Promise<void> {
  const { accountId } = caller;
  await withAccount(core.store, accountId, async (tx) => {
    const shipment = (await lockShipments(tx, accountId, { ids: [id], waits: true })).get(id);
    if (shipment === undefined) throw new Error('no shipment');
    const rules = (await readFreeTimeRules(core.ctx, tx, accountId))(shipment);
    const events = await readEvents(tx, accountId, id);
    const { journey, statusChangedAt } = composeFrom(events, shipment, { nowMs: Date.now() - days * dayMs, rules });
    await updateJourneys(tx, accountId, [
      { shipment, journey, statusChangedAt, closed: false, position: positionOf(journey), visible: false },
    ]);
  });
}

it('moves clocks as days pass, and publishes each step once with two workers', async () => {
  const caller = await core.newCaller();
  await put(caller, 5);
  await settle();
  const ids = await Promise.all([9, 9, 9, 9].map((days) => waiting(caller, days)));
  for (const id of ids) await asOf(caller, id, 6);
  expect((await read(caller, ids[0] ?? '')).journey.freeTime).toMatchObject({ state: 'expiring', daysLeft: 2 });
  const before = await typesOf(ids);
  await Promise.all([1, 2].map(() => assessDueFreeTime(core.ctx)));
  await settle();
  for (const id of ids)
    expect((await read(caller, id)).journey.freeTime).toMatchObject({
      state: 'over',
      daysLeft: -4,
      costs: [{ amount: 40, currency: 'EUR', isFloor: false }],
    });
  const added = (await typesOf(ids)).slice(before.length);
  expect(added.filter((type) => type === 'shipment.free_time_changed')).toHaveLength(ids.length);
  const due = await sql('select from landfall.shipments where id = any ($1) and free_time_at <= now()', [ids]);
  expect(due).toEqual([]);
});

it('reports a day that changes costs alone as an update, so that no copy of the record is outdated', async () => {
  const caller = await core.newCaller();
  await put(caller, 5);
  await settle();
  const id = await waiting(caller, 9);
  await asOf(caller, id, 1);
  const before = await read(caller, id);
  const types = await typesOf([id]);
  await settle();
  const after = await read(caller, id);
  expect([before, after].map(({ journey }) => journey.freeTime?.costs[0]?.amount)).toEqual([30, 40]);
  expect(after.version).toBe(before.version + 1);
  expect((await typesOf([id])).slice(types.length)).toEqual(['shipment.updated']);
});

it('reports costs as a minimum once tracking has ended, and continues when it is resumed', async () => {
  const caller = await core.newCaller();
  await put(caller, 5);
  await settle();
  const id = await waiting(caller, 9);
  const costs = async () => (await read(caller, id)).journey.freeTime?.costs;
  const dueAt = async () =>
    (
      await sql<{ due: boolean }>('select free_time_at is not null as due from landfall.shipments where id = $1', [id])
    )[0];
  await stopShipment(core.ctx, caller, id);
  await asOf(caller, id, 1);
  await settle();
  expect([await costs(), await dueAt()]).toEqual([[{ amount: 40, currency: 'EUR', isFloor: true }], { due: false }]);
  await resumeShipment(core.ctx, caller, id);
  await settle();
  expect([await costs(), await dueAt()]).toEqual([[{ amount: 40, currency: 'EUR', isFloor: false }], { due: true }]);
});

it('audits who replaced the terms and who set a last free day', async () => {
  const caller = await core.newCaller();
  const id = await waiting(caller, 9);
  await put(caller, 5);
  const day = daysAgo(-9).slice(0, 10);
  const manualFreeDays = [{ container: 'CSQU3054383', kind: 'demurrage' as const, day }];
  await updateShipment(core.ctx, caller, id, { manualFreeDays });
  await updateShipment(core.ctx, caller, id, { manualFreeDays });
  const rows = await sql<{ action: string; detail: object }>(
    'select action, detail from landfall.audit where account_id = $1 order by id',
    [caller.accountId],
  );
  expect(rows.filter(({ action }) => !action.startsWith('account.'))).toEqual([
    { action: 'free_time_terms.replaced', detail: { version: 1, rows: 1, rows_before: 0, test: false } },
    { action: 'shipment.last_free_days_set', detail: { before: [], after: manualFreeDays } },
  ]);
});

it('reads the terms of an account with the locks of its refreshes, in no further round trip', async () => {
  const caller = await core.newCaller();
  const sent: string[] = [];
  const { query } = pg.Client.prototype;
  const shipmentId = await register(caller);
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [{ name?: string } | string];
    if (typeof statement === 'object' && statement.name !== undefined) sent.push(statement.name);
    const answer = (query as (...given: unknown[]) => unknown).apply(this, args);
    if (answer instanceof Promise && typeof statement === 'object' && statement.name === 'lock-claims')
      void answer.then(() => sent.push('answer of lock-claims'));
    return answer as never;
  } as typeof query;
  try {
    await refresh(core.ctx, { accountId: caller.accountId, shipmentId }, found(discharged(9)));
  } finally {
    pg.Client.prototype.query = query;
  }
  const names = sent.slice(sent.indexOf('lock-claims'));
  expect(names.indexOf('read-terms-versions')).toBeGreaterThan(0);
  expect(names.indexOf('read-terms-versions')).toBeLessThan(names.indexOf('answer of lock-claims'));
  expect(names).not.toContain('read-terms');
});
