import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Connector } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { refreshShipments } from '#services/worker/refresh/consume.ts';
import { sweepDue } from '#shared/core/tracking/refresh-claims.ts';
import { reportExhausted } from '#shared/core/tracking/report-delayed.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { FetchResult, TrackingReason } from '#shared/domain/record/shipment.ts';
import { keepLimit } from '#shared/limits/published-limit.ts';
import type { RefreshItem } from '#shared/queue/jobs.ts';
import { bySystem, carrierEvent, foundReading, newShipment } from '#test/support/carriers/carrier-refreshes.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { storedChanges } from '#test/support/stored-changes.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { type FakeWorker, type FakeWorkerOptions, openFakeWorker } from '../fake-access.ts';

let core: TestCore;
let jobs: RefreshItem[][];
let worker: FakeWorker | null = null;

beforeAll(async () => {
  const queued: RefreshItem[][] = [];
  core = await openTestCore(
    {
      producer: {
        enqueue: async (_connector, items, { perJob = 1 }) => {
          for (let start = 0; start < items.length; start += perJob) queued.push(items.slice(start, start + perJob));
        },
        close: async () => {},
      },
    },
    ownDatabase,
  );
  jobs = queued;
});
beforeEach(async () => {
  jobs.length = 0;
  await bySystem(core, 'update landfall.polling set next_refresh_at = null, lease_until = null', []);
});
afterEach(() => worker?.close());
afterAll(() => core.close());

const answer =
  (refresh: FetchResult): Connector['fetch'] =>
  async (ctx, subjects) => {
    ctx.budget.take();
    return new Map(subjects.map((subject) => [subject.shipmentId, refresh]));
  };
const found = foundReading([carrierEvent('departed', '2026-10-02T20:00')]);

function open(
  refresh: FetchResult,
  changes: Partial<FakeWorkerOptions['connector']> = {},
  credentialOf?: FakeWorkerOptions['credentialOf'],
) {
  worker = openFakeWorker({
    core: core.ctx,
    connector: { code: 'maersk', batchSize: 1, fetch: answer(refresh), ...changes },
    ...(credentialOf === undefined ? {} : { credentialOf }),
  });
  return worker;
}

/** Shipments of an account that are due, the first one longest. */
async function due(count: number, caller?: Caller): Promise<{ caller: Caller; ids: string[] }> {
  const ids: string[] = [];
  const owner = caller ?? (await core.newCaller());
  for (let index = 0; index < count; index++) ids.push((await newShipment(core, { caller: owner })).id);
  await makeDue(ids);
  jobs.length = 0;
  return { caller: owner, ids };
}

function makeDue(ids: string[]) {
  return bySystem(
    core,
    `update landfall.polling set lease_until = null, hurried = false, next_refresh_at = now() - interval '1 minute'
    where shipment_id = any($1)`,
    [ids],
  );
}

/** Calls by which the budget of Maersk has grown since: more on a busy machine. At least 1. */
function growth(): () => number {
  const { perMs } = keepLimit(connectors.maersk.budget);
  const startedMs = performance.now();
  return () => Math.ceil((performance.now() - startedMs) * perMs);
}

async function sweep(): Promise<number> {
  const { planner } = worker ?? expect.fail('no worker');
  const { limit, exceptAccounts } = await planner.room('maersk');
  return sweepDue(core.ctx, {
    connector: 'maersk',
    limit,
    exceptAccounts,
    plan: (claims) => planner.plan('maersk', claims),
  });
}

async function work(): Promise<void> {
  const { refresh } = worker ?? expect.fail('no worker');
  for (const items of jobs.splice(0))
    await refreshShipments(refresh, { connector: 'maersk', items }, new AbortController().signal);
}

function failedWith(httpStatus: number, reason: TrackingReason): FetchResult & { outcome: 'error' } {
  return {
    outcome: 'error',
    httpStatus,
    durationMs: 5,
    reason,
    permanent: false,
    retryAfterMs: null,
    detail: `${httpStatus}`,
    source: 'test',
  };
}

function stateOf(ids: string[]) {
  return bySystem<{
    state: string;
    reason: string | null;
    attempts: number;
    wait_s: number;
    leased: boolean;
    succeeded: boolean;
  }>(
    core,
    `select state, reason, attempts, extract(epoch from next_refresh_at - now())::float8 as wait_s, lease_until is not null as leased,
       last_succeeded_at is not null as succeeded
     from landfall.polling where shipment_id = any($1) order by shipment_id`,
    [ids],
  );
}

it('makes 3 calls for 90 shipments at 30 per call, and one narrow update each for an identical response', async () => {
  const { calls } = open(found, { batchSize: 30 });
  const { ids } = await due(60);
  await due(30);
  while ((await sweep()) > 0) await work();
  expect(calls.map((call) => call.length)).toEqual([30, 30, 30]);

  await makeDue(ids);
  calls.length = 0;
  const before = await bySystem(core, 'select id, version from landfall.shipments where id = any($1) order by id', [
    ids,
  ]);
  while ((await sweep()) > 0) await work();
  expect(calls.map((call) => call.length)).toEqual([30, 30]);
  expect(
    await bySystem(core, 'select id, version from landfall.shipments where id = any($1) order by id', [ids]),
  ).toEqual(before);
  const states = await stateOf(ids);
  expect(states.filter(({ attempts, leased, wait_s }) => attempts === 2 && !leased && wait_s > 60)).toHaveLength(60);
  const refreshes = await bySystem(
    core,
    'select outcome, count(*)::integer as rows from landfall.refreshes where shipment_id = any($1) group by 1',
    [ids],
  );
  expect(refreshes).toEqual(
    expect.arrayContaining([
      { outcome: 'changed', rows: 60 },
      { outcome: 'unchanged', rows: 60 },
    ]),
  );

  await makeDue(ids);
  while ((await sweep()) > 0) await work();
  const counts = await bySystem(
    core,
    `select sum(count)::integer as refreshes, count(*)::integer as rows from landfall.refreshes where outcome = 'unchanged' and shipment_id = any($1)`,
    [ids],
  );
  expect(counts).toEqual([{ refreshes: 120, rows: 60 }]);
});

it('records the one changed shipment of a batch, and nothing for a fenced one', async () => {
  open(found, { batchSize: 30 });
  const { ids } = await due(3);
  await sweep();
  await work();
  await worker?.close();
  const news = foundReading([
    carrierEvent('departed', '2026-10-02T20:00'),
    carrierEvent('arrived', '2026-10-20T20:00'),
  ]);
  open(found, {
    batchSize: 30,
    fetch: async (_ctx, subjects) => {
      await bySystem(core, 'update landfall.polling set epoch = epoch + 1 where shipment_id = $1', [ids[1]]);
      return new Map(subjects.map((subject) => [subject.shipmentId, subject.shipmentId === ids[0] ? news : found]));
    },
  });
  await makeDue(ids);
  await sweep();
  await work();
  const outcomes = await bySystem(
    core,
    `select shipment_id as id, array_agg(outcome order by last_at) as outcomes from landfall.refreshes where shipment_id = any($1) group by 1`,
    [ids],
  );
  expect(new Map(outcomes.map((row) => Object.values(row) as [string, string[]]))).toEqual(
    new Map([
      [ids[0], ['changed', 'changed']],
      [ids[1], ['changed']],
      [ids[2], ['changed', 'unchanged']],
    ]),
  );
});

it('postpones refreshes beyond the budget, without a failure and without sweeping them again at once', async () => {
  const { calls } = open(found);
  const { ids } = await due(40);
  const grown = growth();
  let sweeps = 0;
  while ((await sweep()) > 0 && sweeps < 20) {
    sweeps += 1;
    await work();
  }
  // Maersk: 20 at once, of which 4 are kept for refreshes that clients ask for.
  expect(calls.length).toBeGreaterThanOrEqual(16);
  expect(calls.length).toBeLessThanOrEqual(17 + grown());
  expect(sweeps).toBeLessThanOrEqual(2 + grown());
  const waiting = (await stateOf(ids)).filter(({ succeeded }) => !succeeded);
  expect(waiting).toHaveLength(40 - calls.length);
  for (const { reason, attempts, leased } of waiting)
    expect({ reason, attempts, leased }).toEqual({ reason: null, attempts: 0, leased: false });

  await bySystem(
    core,
    'update landfall.polling set requested_at = now() where shipment_id = any($1) and last_succeeded_at is null',
    [ids],
  );
  const asked = calls.length;
  const items = await bySystem<RefreshItem>(
    core,
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = any($1) and last_succeeded_at is null
     returning account_id as "accountId", shipment_id as "shipmentId", epoch`,
    [ids],
  );
  jobs.push(...items.slice(0, 6).map((item) => [{ ...item, requested: true }]));
  await work();
  expect(calls.length - asked).toBeGreaterThanOrEqual(4);
  expect(calls.length).toBeLessThanOrEqual(21 + grown());
});

it('does not delay 5 shipments of one account behind 400 of another whose credential is used up', async () => {
  const { calls } = open(found, {}, (accountId) => ({ id: `account:${accountId}`, accountId }));
  const { ids: many } = await due(400);
  const grown = growth();
  for (let turn = 0; turn < 3; turn++) {
    await sweep();
    await work();
  }
  const { ids: few } = await due(5);
  await sweep();
  await work();
  expect((await stateOf(few)).every(({ succeeded }) => succeeded)).toBe(true);
  expect(calls.filter(([id]) => many.includes(id ?? '')).length).toBeLessThanOrEqual(17 + grown());
});

it('lets accounts that share a budget take turns, so that 5 shipments do not wait behind 400', async () => {
  const id = `instance:${randomUUID()}`;
  const { skip, calls } = open(found, {}, () => ({ id, accountId: null }));
  const { ids: many } = await due(400);
  await sweep();
  await work();
  const { ids: few } = await due(5);
  let rounds = 0;
  // The clocks alone are faked: every two seconds bring one token over what is kept.
  while ((await stateOf(few)).some(({ succeeded }) => !succeeded)) {
    rounds += 1;
    if (rounds > 30) expect.fail(`still waiting after ${rounds} rounds`);
    await bySystem(core, 'update landfall.token_buckets set tokens = 5, filled_at = clock_timestamp() where key = $1', [
      `credential:${id}`,
    ]);
    await bySystem(
      core,
      `update landfall.polling set next_refresh_at = next_refresh_at - interval '2 s' where last_succeeded_at is null`,
      [],
    );
    skip(2000);
    await sweep();
    await work();
  }
  // Turns and not precedence: the other account continues.
  expect(calls.slice(16).filter(([shipmentId]) => many.includes(shipmentId ?? '')).length).toBeGreaterThan(2);
});

it('shows an open circuit on the shipment, makes no call and probes later', async () => {
  const failing = failedWith(503, 'carrier_unreachable');
  const { access, calls } = open(failing, {
    fetch: async (ctx, subjects, signal) => {
      await ctx.fetch('http://127.0.0.1:9/', { signal }).catch(() => undefined);
      return new Map(subjects.map((subject) => [subject.shipmentId, failing]));
    },
  });
  const { ids } = await due(12);
  const startedMs = performance.now();
  while ((await sweep()) > 0) await work();
  expect(calls).toHaveLength(5);
  expect(access.services('maersk')[0]?.circuit.state()).toBe('open');
  const states = await stateOf(ids);
  expect(states.map(({ reason }) => reason)).toEqual(ids.map(() => 'carrier_unreachable'));
  const passedS = (performance.now() - startedMs) / 1000;
  const untilProbe = states.filter(({ wait_s }) => wait_s + passedS > 3);
  expect(untilProbe.length).toBeGreaterThanOrEqual(7);
});

/** DHL's budget grows by one call in six minutes. */
function openSlow() {
  worker = openFakeWorker({
    core: core.ctx,
    connector: { code: 'dhl', batchSize: 1, fetch: answer(found) },
  });
  return worker;
}

async function dueAtDhl(count: number) {
  const made = await due(count);
  await bySystem(core, `update landfall.polling set connector = 'dhl', state = 'queued' where shipment_id = any ($1)`, [
    made.ids,
  ]);
  return made;
}

it('explains that first refreshes wait for a daily allowance and until when, and runs them then', async () => {
  const { access, planner, refresh, calls } = openSlow();
  const { ids, caller } = await dueAtDhl(30);
  // The sweep finds the account only once a refresh has used its credential.
  const claimed = await sweepDue(core.ctx, {
    connector: 'dhl',
    limit: 20,
    exceptAccounts: [],
    plan: async (claims) => ({
      batches: [{ items: claims.map(({ carrier: _, ...claim }) => claim), perJob: 20 }],
      postponed: [],
    }),
  });
  expect(claimed).toBe(20);
  for (const items of jobs.splice(0))
    await refreshShipments(refresh, { connector: 'dhl', items }, new AbortController().signal);
  expect(calls.length).toBeLessThan(20);
  expect(access.served('dhl').map(({ accountId }) => accountId)).toEqual([caller.accountId]);
  const before = await stateOf(ids);
  const postponed = before.filter(({ reason }) => reason === 'carrier_rate_limited');
  expect(postponed).toHaveLength(20 - calls.length);
  for (const { state, wait_s } of postponed) expect([state, wait_s > 60]).toEqual(['awaiting_carrier', true]);

  const { exceptAccounts } = await planner.room('dhl');
  expect(exceptAccounts).toEqual([caller.accountId]);
  expect(await reportExhausted(core.ctx, 'dhl', planner.exhausted('dhl'))).toBe(10);
  const states = await stateOf(ids);
  expect(states.filter(({ state }) => state === 'queued')).toEqual([]);
  // Each waits for one more call than the one before it: 240 a day.
  const waits = states.filter((_, index) => before[index]?.state === 'queued').map(({ wait_s }) => wait_s);
  waits.sort((left, right) => left - right);
  for (const [place, wait] of waits.slice(1).entries()) expect(wait - (waits[place] ?? 0)).toBeGreaterThan(300);
  const changes = (await storedChanges((text, values) => bySystem(core, text, values), ids)).filter(
    ({ type, data }) =>
      type === 'shipment.tracking_state_changed' && data.changes.trackingReason?.[1] === 'carrier_rate_limited',
  );
  expect(changes).toHaveLength(30 - calls.length);
  for (const { data } of changes) expect(data.changes.trackingState).toEqual(['queued', 'awaiting_carrier']);
  // Reported once.
  expect(await reportExhausted(core.ctx, 'dhl', planner.exhausted('dhl'))).toBe(0);
});

it('does not report a wait of seconds', async () => {
  const { planner, access } = open(found);
  const { ids, caller } = await due(3);
  await access.accessFor('maersk', caller.accountId, 'MAEU');
  const service = access.services('maersk')[0] ?? expect.fail('no service');
  while (service.free() > 0) service.bucket.charge(50);
  expect(await reportExhausted(core.ctx, 'maersk', planner.exhausted('maersk'))).toBe(0);
  expect((await stateOf(ids)).map(({ state }) => state)).toEqual(['queued', 'queued', 'queued']);
});

it('suspends a rejected credential once, whatever the number of its shipments', async () => {
  const { suspended } = open({ ...failedWith(401, 'carrier_auth_failed'), refusedBy: 'sign_in' }, { batchSize: 30 });
  await due(10);
  await sweep();
  await work();
  expect(suspended.map(({ reason }) => reason)).toEqual(['carrier_auth_failed']);
});

it('makes no call during a pause that the carrier asked for, and shows it on the shipment', async () => {
  const { calls, access } = open(found);
  const { ids, caller } = await due(3);
  await access.accessFor('maersk', caller.accountId, 'MAEU');
  access.services('maersk')[0]?.bucket.close(60_000);
  await sweep();
  await work();
  expect(calls).toEqual([]);
  for (const { reason, wait_s } of await stateOf(ids)) {
    expect(reason).toBe('carrier_rate_limited');
    expect(wait_s).toBeGreaterThan(50);
  }
});
