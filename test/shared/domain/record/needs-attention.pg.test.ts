import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countShipments } from '#shared/core/lists/count-shipments.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { readOverview } from '#shared/core/lists/read-overview.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { archiveShipment } from '#shared/core/shipments/update-shipment.ts';
import { markAttention } from '#shared/core/tracking/mark-attention.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { type AttentionSubject, needsAttentionAt } from '#shared/domain/record/needs-attention.ts';
import { type FetchResult, trackingReasons, trackingStates } from '#shared/domain/record/shipment.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { carrierDown, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import {
  getShipment,
  oceanRegistration,
  openTestCore,
  type TestCore,
  uniqueNumber,
} from '#test/support/core-context.ts';
import { runs, scaled } from '#test/support/run-scale.ts';
import { storedChanges } from '#test/support/stored-changes.ts';

let core: TestCore;
let owner: pg.Client;

beforeAll(async () => {
  core = await openTestCore();
  owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
});

afterAll(async () => {
  await owner.end();
  await core.close();
});

/** Shipments of one run. */
const size = 25;

type Made = {
  hasException: boolean;
  state: (typeof trackingStates)[number];
  reason: (typeof trackingReasons)[number] | null;
  succeededHoursAgo: number | null;
  sinceHoursAgo: number;
  /** True when the tracking row is written first. */
  trackingFirst: boolean;
};

// Half hours: no time between writing and comparing moves a shipment over a bound.
const hoursAgo = fc.constantFrom(0.5, 23.5, 24.5, 47.5, 48.5, 200.5);
const made: fc.Arbitrary<Made> = fc.record({
  hasException: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  state: fc.constantFrom(...trackingStates),
  reason: fc.option(fc.constantFrom(...trackingReasons), { nil: null }),
  succeededHoursAgo: fc.option(hoursAgo, { nil: null }),
  sinceHoursAgo: hoursAgo,
  trackingFirst: fc.boolean(),
});

it('is one rule in SQL and in TypeScript, now and when time has passed', async () => {
  const answers = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(made, { minLength: size, maxLength: size }),
      fc.constantFrom(0, 24, 48),
      async (all, hours) => {
        const caller = await core.newCaller();
        const ids: string[] = [];
        for (const _ of all) ids.push(await register(caller));
        for (const [index, one] of all.entries()) await write(ids[index] ?? '', one);
        // The clock goes on: what is due later is due now.
        await later(caller, hours);
        while ((await markAttention(core.ctx)) > 0);
        const nowMs = core.ctx.now().getTime() + hours * 3_600_000;
        const expected = all.map((one) => needsAttentionAt(subjectOf(one), nowMs));
        const rows = await listed(caller);
        expect(ids.map((id) => rows.has(id))).toEqual(expected);
        for (const [index, answer] of expected.entries()) answers.add(`${all[index]?.state} ${answer}`);

        const wanted = expected.filter((answer) => answer).length;
        const counts = await countShipments(core.ctx, caller, { filter: {} });
        const overview = await readOverview(core.ctx, caller);
        expect(counts.needsAttention).toBe(wanted);
        expect((await countShipments(core.ctx, caller, { filter: { needsAttention: true } })).total).toBe(wanted);
        expect(
          (await countShipments(core.ctx, caller, { filter: { needsAttention: true, carrier: ['MAEU'] } })).total,
        ).toBe(wanted);
        expect(overview.needsAttention).toBe(wanted);
        const failing = all.filter(({ state }) => ['failed', 'degraded', 'awaiting_carrier'].includes(state));
        expect(overview.failures.reduce((sum, { count }) => sum + count, 0)).toBe(failing.length);
        expect(overview.failures.reduce((sum, { needsAttention }) => sum + needsAttention, 0)).toBe(
          failing.filter((one) => needsAttentionAt(subjectOf(one), nowMs)).length,
        );
      },
    ),
    { numRuns: runs(20) },
  );
  // Otherwise the samples would prove nothing. A tenth of them may lack one of the four.
  for (const state of scaled({ short: [], full: ['awaiting_carrier', 'degraded'] })) {
    expect(answers).toContain(`${state} true`);
    expect(answers).toContain(`${state} false`);
  }
});

it('is published once when time alone has made a shipment need attention', async () => {
  const caller = await core.newCaller();
  const id = await register(caller);
  for (let n = 0; n < 3; n += 1) await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, carrierDown);
  await markAttention(core.ctx);
  expect(await published(id)).toEqual([]);
  await later(caller, 24);
  await Promise.all([markAttention(core.ctx), markAttention(core.ctx)]);
  await markAttention(core.ctx);
  expect(await published(id)).toEqual([{ needed: true, change: [false, true] }]);
});

it('needs no attention while a carrier keeps returning a part of its list, and does a day after the last one', async () => {
  const caller = await core.newCaller();
  const id = await register(caller);
  const reading = { events: [], unreadable: [], source: 'simulator:dcsa:maersk', partial: 'page 2 is missing' };
  const part: FetchResult = { outcome: 'found', reading, httpStatus: 200, durationMs: 5 };
  for (let n = 0; n < 2; n += 1) {
    await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, part);
    await later(caller, 23);
    await markAttention(core.ctx);
  }
  expect(await getShipment(core.ctx, caller, id)).toMatchObject({
    needsAttention: false,
    tracking: { state: 'degraded', reason: 'partial_response' },
  });
  await later(caller, 2);
  await markAttention(core.ctx);
  expect(await published(id)).toEqual([{ needed: true, change: [false, true] }]);
});

it('needs attention for a delay without an exception only once it is overdue', async () => {
  const caller = await core.newCaller();
  const id = await register(caller);
  const needs = async (hours: number) => {
    await system(
      `update landfall.shipments set late_from = '-infinity', overdue_from = now() + $2 * interval '1 hour' where id = $1`,
      [id, hours],
    );
    return (await getShipment(core.ctx, caller, id)).needsAttention;
  };
  expect(await needs(1)).toBe(false);
  expect(await needs(-1)).toBe(true);
});

it('publishes nothing for an archived shipment', async () => {
  const caller = await core.newCaller();
  const id = await register(caller);
  for (let n = 0; n < 3; n += 1) await refresh(core.ctx, { accountId: caller.accountId, shipmentId: id }, carrierDown);
  await archiveShipment(core.ctx, caller, id);
  const { version } = await getShipment(core.ctx, caller, id);
  await later(caller, 25);
  await markAttention(core.ctx);
  expect(await published(id)).toEqual([]);
  expect((await getShipment(core.ctx, caller, id)).version).toBe(version);
});

/** As if so many hours had passed. Without the triggers: time alone decides nothing. */
async function later({ accountId }: Caller, hours: number): Promise<void> {
  await owner.query('set session_replication_role = replica');
  await owner.query(
    `update landfall.polling
    set tracking_since = tracking_since - $2 * interval '1 hour', last_succeeded_at = last_succeeded_at - $2 * interval '1 hour'
    where account_id = $1`,
    [accountId, hours],
  );
  await owner.query(
    `update landfall.shipments
    set attention_at = attention_at - $2 * interval '1 hour', created_at = created_at - $2 * interval '1 hour'
    where account_id = $1`,
    [accountId, hours],
  );
}

async function register(caller: Caller): Promise<string> {
  return (await registerShipment(core.ctx, caller, oceanRegistration({ identifiers: { mbl: uniqueNumber() } })))
    .shipment.id;
}

async function published(id: string): Promise<unknown[]> {
  const changes = await storedChanges(system, [id]);
  return changes.flatMap(
    ({
      data: {
        shipment,
        changes: { needsAttention: change },
      },
    }) => (change === undefined ? [] : [{ needed: shipment.needsAttention, change }]),
  );
}

async function listed(caller: Caller): Promise<Set<string>> {
  const list = (needsAttention: boolean) =>
    listShipments(core.ctx, caller, {
      filter: { needsAttention },
      ...{ sort: '-created_at' as const, limit: 100, cursor: null, withCounts: true },
    });
  const [needing, others] = [await list(true), await list(false)];
  expect(needing.total).toBe(needing.shipments.length);
  expect([...needing.shipments, ...others.shipments]).toHaveLength(size);
  for (const shipment of needing.shipments) expect(shipment.needsAttention).toBe(true);
  return new Set(needing.shipments.map(({ id }) => id));
}

function subjectOf({ succeededHoursAgo, sinceHoursAgo, ...one }: Made): AttentionSubject {
  const at = (hours: number) => new Date(core.ctx.now().getTime() - hours * 3_600_000).toISOString();
  return {
    ...one,
    lastSucceededAt: succeededHoursAgo === null ? null : at(succeededHoursAgo),
    trackingSince: at(sinceHoursAgo),
  };
}

async function write(id: string, { hasException, state, reason, trackingFirst, ...hours }: Made): Promise<void> {
  const tracking = () =>
    system(
      `update landfall.polling
      set state = $2, reason = $3, last_succeeded_at = now() - $4 * interval '1 hour', tracking_since = now() - $5 * interval '1 hour'
      where shipment_id = $1`,
      [id, state, reason, hours.succeededHoursAgo, hours.sinceHoursAgo],
    );
  if (trackingFirst) await tracking();
  await system('update landfall.shipments set has_exception = $2 where id = $1', [id, hasException]);
  if (!trackingFirst) await tracking();
}

function system<Row extends object = Record<string, unknown>>(text: string, values: unknown[]): Promise<Row[]> {
  return withSystem(core.store, async (tx) => (await tx.query<Row>(text, values)).rows);
}
