import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openRefreshBatchers, type RefreshBatchers, recordFetched } from '#services/worker/refresh/record.ts';
import type { RefreshInput } from '#shared/core/tracking/prepare-refresh.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { ReadEvent } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { withAccount } from '#shared/store/with-account.ts';
import {
  bySystem,
  carrierEvent,
  changesOf,
  foundReading,
  newShipment,
  notFoundReading,
  pollingOf,
} from '#test/support/carriers/carrier-refreshes.ts';
import { carrierDown } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let batchers: RefreshBatchers;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  batchers = openRefreshBatchers(core.ctx);
});
afterAll(() => core.close());

const departed = foundReading([carrierEvent('departed', '2026-10-02T20:00')]);
const arrived = foundReading([
  carrierEvent('departed', '2026-10-02T20:00'),
  carrierEvent('arrived', '2026-10-20T20:00'),
]);
const same: FetchResult = { outcome: 'unchanged', httpStatus: 200, durationMs: 3, source: 'simulator:dcsa:maersk' };

async function claims(count: number, caller?: Caller): Promise<RefreshClaim[]> {
  const made: RefreshClaim[] = [];
  for (let index = 0; index < count; index++) {
    const { caller: owner, id } = await newShipment(core, caller === undefined ? {} : { caller });
    made.push({ accountId: owner.accountId, shipmentId: id, epoch: (await pollingOf(core, id)).epoch });
  }
  return made;
}

async function claimAgain(subjects: readonly RefreshClaim[]): Promise<RefreshClaim[]> {
  const ids = subjects.map(({ shipmentId }) => shipmentId);
  await bySystem(
    core,
    `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s' where shipment_id = any ($1)`,
    [ids],
  );
  return subjects.map(({ accountId, shipmentId, epoch }) => ({ accountId, shipmentId, epoch: epoch + 1 }));
}

async function begin(claimed: readonly RefreshClaim[]): Promise<RefreshSubject[]> {
  const subjects = await Promise.all(claimed.map((claim) => batchers.begin(claim)));
  return subjects.map((subject) => subject ?? expect.fail('the claim is not live'));
}

function fetched(subject: RefreshSubject, result: FetchResult, traceId = 'a'.repeat(32)): RefreshInput {
  const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`;
  return { subject, result, traceId, traceKept: false, traceparent, budgetPressure: 1 };
}

const recordAll = (subjects: readonly RefreshSubject[], refresh: FetchResult) =>
  Promise.all(subjects.map((subject) => batchers.record(fetched(subject, refresh))));
const statusOf = (ids: readonly string[]) =>
  bySystem<{ status: string }>(core, 'select status from landfall.shipments where id = any ($1)', [ids]);
const refreshesOf = (id: string) =>
  bySystem<{ outcome: string; count: number; trace_id: string | null }>(
    core,
    'select outcome, count, trace_id from landfall.refreshes where shipment_id = $1 order by first_at',
    [id],
  );

it('records refreshes of many accounts together, each with its own trace, changes and result', async () => {
  const mine = await core.newCaller();
  const all = [...(await claims(5, mine)), ...(await claims(3))];
  const subjects = await begin(all);
  const recorded = await Promise.all(
    subjects.map((subject, index) =>
      batchers.record(fetched(subject, index % 2 === 0 ? departed : notFoundReading, String(index).repeat(32))),
    ),
  );
  expect(recorded.map(({ outcome }) => outcome)).toEqual(
    subjects.map((_, index) => (index % 2 === 0 ? 'changed' : 'not_found')),
  );
  for (const [index, { shipmentId }] of all.entries()) {
    expect(await refreshesOf(shipmentId)).toEqual([
      expect.objectContaining({ count: 1, trace_id: String(index).repeat(32) }),
    ]);
    const types = (await changesOf(core, shipmentId)).map(({ type }) => type);
    expect(types.includes('shipment.status_changed')).toBe(index % 2 === 0);
    const [reported] = await bySystem<{ traceparent: string | null }>(
      core,
      'select traceparent from landfall.changes where shipment_id = $1 order by write_order desc limit 1',
      [shipmentId],
    );
    expect(reported?.traceparent).toContain(String(index).repeat(32));
  }
});

it('keeps the events and the ETA history of a journey whose tracking state alone changes', async () => {
  const { caller, id } = await newShipment(core);
  const journeyOf = async () => (await getShipment(core.ctx, caller, id)).journey;
  let claim: RefreshClaim = { accountId: caller.accountId, shipmentId: id, epoch: (await pollingOf(core, id)).epoch };
  await recordAll(await begin([claim]), departed);
  const before = await journeyOf();
  expect(before.events).toHaveLength(1);
  for (const refresh of [carrierDown, carrierDown, carrierDown]) {
    [claim = claim] = await claimAgain([claim]);
    await recordAll(await begin([claim]), refresh);
  }
  expect(await pollingOf(core, id)).toMatchObject({ state: 'degraded' });
  expect(await journeyOf()).toEqual(before);
});

it('records refreshes of an account in one round trip to read and one to write', async () => {
  const mine = await core.newCaller();
  const subjects = await begin(await claims(3, mine));
  const open = new Map<unknown, number>();
  const trips = { count: 0 };
  const query = pg.Client.prototype.query as (...of: unknown[]) => Promise<unknown>;
  const counted = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...of: unknown[]) {
    // A statement that is sent while none is unanswered begins a round trip.
    if ((open.get(this) ?? 0) === 0) trips.count += 1;
    open.set(this, (open.get(this) ?? 0) + 1);
    return query.apply(this, of).finally(() => open.set(this, (open.get(this) ?? 1) - 1)) as never;
  });
  try {
    const recorded = await recordAll(subjects, departed);
    expect(recorded.map(({ outcome }) => outcome)).toEqual(['changed', 'changed', 'changed']);
  } finally {
    counted.mockRestore();
  }
  expect(trips.count).toBe(2);
});

it('logs events that could not be read once, with the reasons and without their data', async () => {
  const lines: unknown[] = [];
  const log = { ...core.ctx.log, warn: (...line: unknown[]) => void lines.push(line) };
  const ctx = { core: { ...core.ctx, log }, batchers, pressureOf: () => 1, completed: () => {} };
  const unreadable = [{ raw: { secret: 'needle' }, reason: 'eventDateTime is missing' }];
  const [only] = await claims(1);
  if (only === undefined) expect.fail('nothing is claimed');
  const result: FetchResult =
    departed.outcome === 'found' ? { ...departed, reading: { ...departed.reading, unreadable } } : departed;
  for (const isAgain of [false, true]) {
    const [subject] = await begin(isAgain ? await claimAgain([only]) : [only]);
    if (subject === undefined) expect.fail('the claim is not live');
    await recordFetched(ctx, 'maersk', { subject, result });
  }
  expect(lines).toEqual([
    [
      expect.objectContaining({ events: 1, count: 1, reasons: ['eventDateTime is missing'] }),
      'events of a carrier not readable; raw data kept',
    ],
  ]);
  expect(JSON.stringify(lines)).not.toContain('needle');
});

it('counts repeated responses in one row per shipment, whether skipped or parsed', async () => {
  const first = await claims(4);
  await recordAll(await begin(first), departed);
  const second = await claimAgain(first);
  expect(await recordAll(await begin(second), departed)).toEqual(
    first.map(() => ({ outcome: 'unchanged', stale: false })),
  );
  const third = await claimAgain(second);
  expect(await recordAll(await begin(third), same)).toEqual(first.map(() => ({ outcome: 'unchanged', stale: false })));
  for (const { shipmentId } of first) {
    expect(await refreshesOf(shipmentId)).toEqual([
      expect.objectContaining({ outcome: 'changed', count: 1 }),
      expect.objectContaining({ outcome: 'unchanged', count: 2 }),
    ]);
    expect(await pollingOf(core, shipmentId)).toMatchObject({ leased: false, due: false, state: 'active' });
  }
});

it('writes nothing for a refresh whose epoch has moved on, even in a batch with live ones', async () => {
  const first = await claims(3);
  await recordAll(await begin(first), departed);
  for (const refresh of [departed, arrived]) {
    const again = await claimAgain(await liveClaims(first));
    const subjects = await begin(again);
    const [paused] = again;
    if (paused === undefined) expect.fail('nothing is claimed');
    await claimAgain([paused]);
    const before = await refreshesOf(paused.shipmentId);
    const recorded = await recordAll(subjects, refresh);
    expect(recorded.map(({ stale }) => stale)).toEqual([true, false, false]);
    expect(await refreshesOf(paused.shipmentId)).toEqual(before);
    expect(await statusOf([paused.shipmentId])).toEqual([{ status: 'in_transit' }]);
    expect(await pollingOf(core, paused.shipmentId)).toMatchObject({ leased: true });
  }
});

it('backs off only the shipment whose refresh cannot be recorded', async () => {
  const mine = await core.newCaller();
  const all = await claims(4, mine);
  const subjects = await begin(all);
  const poison = foundReading([{ ...carrierEvent('departed', '2026-10-02T20:00'), classifier: 'never' as 'actual' }]);
  const recorded = await Promise.all(
    subjects.map((subject, index) => batchers.record(fetched(subject, index === 1 ? poison : departed))),
  );
  expect(recorded.map(({ outcome }) => outcome)).toEqual(['changed', 'error', 'changed', 'changed']);
  const poisoned = await pollingOf(core, all[1]?.shipmentId ?? '');
  expect(poisoned).toMatchObject({ leased: false, due: false });
  expect(
    (await statusOf(all.map(({ shipmentId }) => shipmentId))).filter(({ status }) => status === 'in_transit'),
  ).toHaveLength(3);
});

it('does not let a refresh wait for another one whose row is locked', async () => {
  const mine = await core.newCaller();
  const first = await claims(3, mine);
  await recordAll(await begin(first), departed);
  for (const refresh of [same, arrived]) {
    const subjects = await begin(await claimAgain(await liveClaims(first)));
    const [locked, ...free] = subjects;
    if (locked === undefined) expect.fail('nothing is claimed');
    let waiting: Promise<unknown> = Promise.resolve();
    await withAccount(core.store, mine.accountId, async (tx) => {
      await tx.query('select from landfall.shipments where account_id = $1 and id = $2 for update', [
        mine.accountId,
        locked.shipmentId,
      ]);
      await tx.query('select from landfall.polling where account_id = $1 and shipment_id = $2 for update', [
        mine.accountId,
        locked.shipmentId,
      ]);
      const recording = [locked, ...free].map((subject) => batchers.record(fetched(subject, refresh)));
      waiting = recording[0] ?? waiting;
      expect((await Promise.all(recording.slice(1))).map(({ stale }) => stale)).toEqual([false, false]);
    });
    expect(await waiting).toMatchObject({ stale: false });
  }
});

it('begins nothing for a claim that is over, even in a batch with live ones', async () => {
  const [one, other] = await claims(2);
  if (one === undefined || other === undefined) expect.fail('nothing is claimed');
  await bySystem(core, `update landfall.polling set lease_until = now() - interval '1 s' where shipment_id = $1`, [
    one.shipmentId,
  ]);
  const begun = await Promise.all([
    batchers.begin(one),
    batchers.begin(other),
    batchers.begin({ ...other, epoch: other.epoch + 1 }),
  ]);
  expect(begun.map((subject) => subject?.shipmentId ?? null)).toEqual([null, other.shipmentId, null]);
});

it('renews a lease with little time left, so that the refresh can be recorded', async () => {
  const [one] = await claims(1);
  if (one === undefined) expect.fail('nothing is claimed');
  await bySystem(core, `update landfall.polling set lease_until = now() + interval '20 s' where shipment_id = $1`, [
    one.shipmentId,
  ]);
  const startedMs = performance.now();
  await begin([one]);
  const [lease] = await bySystem<{ left_s: number }>(
    core,
    'select extract(epoch from lease_until - now())::float8 as left_s from landfall.polling where shipment_id = $1',
    [one.shipmentId],
  );
  const passedS = (performance.now() - startedMs) / 1000;
  expect((lease?.left_s ?? 0) + passedS).toBeGreaterThan(50);
});

async function liveClaims(claimed: readonly RefreshClaim[]): Promise<RefreshClaim[]> {
  return Promise.all(
    claimed.map(async (claim) => ({ ...claim, epoch: (await pollingOf(core, claim.shipmentId)).epoch })),
  );
}

it('records a hurried refresh while others wait for a transaction', async () => {
  const mine = await core.newCaller();
  const subjects = (await begin(await claims(5, mine))).map((subject) => ({ ...subject, hurried: false }));
  const [usual, hurried, ...held] = subjects;
  if (usual === undefined || hurried === undefined) expect.fail('nothing is claimed');
  const waiting: Promise<unknown>[] = [];
  await withAccount(core.store, mine.accountId, async (tx) => {
    const ids = held.map(({ shipmentId }) => shipmentId);
    await tx.query('select from landfall.shipments where account_id = $1 and id = any ($2) for update', [
      mine.accountId,
      ids,
    ]);
    for (const subject of held) {
      waiting.push(batchers.record(fetched(subject, departed)));
      // Each in a transaction of its own.
      await new Promise(setImmediate);
    }
    let isUsualDone = false;
    waiting.push(batchers.record(fetched(usual, departed)).then(() => (isUsualDone = true)));
    expect(await batchers.record(fetched({ ...hurried, hurried: true }, departed))).toEqual({
      outcome: 'changed',
      stale: false,
    });
    expect(isUsualDone).toBe(false);
  });
  await Promise.all(waiting);
  expect(
    (await statusOf(subjects.map(({ shipmentId }) => shipmentId))).every(({ status }) => status === 'in_transit'),
  ).toBe(true);
});

it.each<[string, Partial<ReadEvent>]>([
  [
    'a year that Postgres does not know',
    { time: { ...carrierEvent('arrived', '2026-10-20T20:00').time, at: '+300000-01-01T00:00:00.000Z' } },
  ],
  ['no time at all', { time: { ...carrierEvent('arrived', '2026-10-20T20:00').time, at: null as unknown as string } }],
  ['no code', { code: null as unknown as 'arrived' }],
])('records a reading that has %s as unreadable, and its neighbours as read', async (_what, spoilt) => {
  const mine = await core.newCaller();
  const [poisoned, ...neighbours] = await begin(await claims(3, mine));
  if (poisoned === undefined) expect.fail('nothing is claimed');
  const poison = foundReading([{ ...carrierEvent('arrived', '2026-10-20T20:00'), ...spoilt, raw: { sent: 'poison' } }]);
  const [recorded, ...others] = await Promise.all([
    batchers.record(fetched(poisoned, poison)),
    ...neighbours.map((subject) => batchers.record(fetched(subject, departed))),
  ]);
  expect(recorded).toMatchObject({ outcome: 'error', stale: false });
  expect(others).toEqual(neighbours.map(() => ({ outcome: 'changed', stale: false })));
  const { shipmentId } = poisoned;
  expect(await pollingOf(core, shipmentId)).toMatchObject({
    state: 'degraded',
    reason: 'unrecognized_response',
    leased: false,
    reading_hash: null,
  });
  const kept = await bySystem(core, 'select raw, reason from landfall.unreadable_events where shipment_id = $1', [
    shipmentId,
  ]);
  const reason = "The carrier's response contains values that can't be recorded.";
  expect(kept).toEqual([{ raw: JSON.stringify([{ sent: 'poison' }]), reason }]);
  const [again] = await begin(await claimAgain([poisoned]));
  if (again === undefined) expect.fail('nothing is claimed');
  expect(await batchers.record(fetched(again, departed))).toEqual({ outcome: 'changed', stale: false });
  expect(await pollingOf(core, shipmentId)).toMatchObject({ state: 'active', reason: null });
});
