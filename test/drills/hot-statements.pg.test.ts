import { afterAll, beforeAll, expect, it } from 'vitest';
import { listChanges } from '#shared/core/feed/list-changes.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { expireRecords } from '#shared/core/installation/expire-records.ts';
import { authenticateKey } from '#shared/core/keys/authenticate-key.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { listEvents } from '#shared/core/record/list-events.ts';
import { listRefreshes } from '#shared/core/record/list-refreshes.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { RegistrationContext } from '#shared/core/registration/registration-batcher.ts';
import { markStaleShipments } from '#shared/core/tracking/mark-stale.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { openStore } from '#shared/store/open-store.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { found } from '#test/support/carriers/refreshed-shipment.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { type PlanNode, type WatchedPlan, watchPlans } from '#test/support/stores/watch-plans.ts';

/** Tables with at least one row per shipment. */
const large = [
  'shipments',
  'shipment_identifiers',
  'shipment_search',
  'polling',
  'events',
  'unreadable_events',
  'status_changes',
  'refreshes',
  'changes',
  'idempotency',
];

/** Indexes that serve all accounts: by connector, age or position. All others begin with the account. */
const serveAll = [
  'polling_due',
  'polling_due_by_account',
  'polling_hurried',
  'polling_stale_pending',
  'changes_unsequenced',
  'idempotency_by_created_at',
  'unreadable_events_by_seen_at',
  // Joined to the rows that the retention has just selected, which are few.
  'unreadable_events_pkey',
  'shipments_closed_open',
];

let core: TestCore;
let ctx: RegistrationContext;
let watched: Awaited<ReturnType<typeof watchPlans>>;
let caller: Caller;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
  watched = await watchPlans(core.databaseUrl);
  const store = await openStore({
    databaseUrl: core.serviceUrl,
    apiPoolSize: 2,
    systemPoolSize: 2,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  ctx = { ...core.ctx, store };
});

afterAll(async () => {
  watched?.end();
  await ctx?.store.close();
  await core?.close();
});

it('uses an index and the account in every statement of a registration', async () => {
  const plans = await plansOf(async () => {
    await registerShipment(
      ctx,
      { ...caller, idempotency: { route: 'POST /v1/shipments', key: 'once', bodyHash: 'x' } },
      oceanRegistration(),
    );
    await registerShipment(ctx, caller, oceanRegistration({ reference: 'PO-1', tags: ['spring'] }));
    await registerBatch(ctx, caller, [oceanRegistration(), oceanRegistration()]);
  });
  expect(tablesOf(plans)).toEqual(expect.arrayContaining(['shipment_identifiers', 'shipments']));
  expect(faultsOf(plans)).toEqual([]);
});

it('uses an index and the account in every statement that reads shipments, lists or the feed', async () => {
  const { shipment } = await registerShipment(ctx, caller, oceanRegistration());
  const { secret } = await createApiKey(ctx, caller.accountId, { name: 'test', test: false });
  const plans = await plansOf(async () => {
    await authenticateKey(ctx, secret);
    await getShipment(ctx, caller, shipment.id);
    await listRefreshes(ctx, caller, shipment.id);
    await listEvents(ctx, caller, {
      shipmentId: shipment.id,
      filter: { codes: [], classifiers: [], containers: [] },
      sort: 'time',
      limit: 50,
      cursor: null,
      includeRaw: true,
    });
    await listShipments(ctx, caller, { filter: {}, sort: '-created_at', limit: 20, cursor: null, withCounts: false });
    await listShipments(ctx, caller, {
      filter: { status: ['in_transit'] },
      sort: '-updated_at',
      limit: 20,
      cursor: null,
      withCounts: false,
    });
    await listChanges(ctx, caller, {
      after: 0,
      types: null,
      shipmentId: null,
      narrowedBy: { codes: [], legRoles: [], classifiers: [] },
      limit: 100,
    });
  });
  expect(tablesOf(plans)).toEqual(expect.arrayContaining(['changes', 'refreshes', 'shipments']));
  expect(faultsOf(plans)).toEqual([]);
});

it('uses an index in every statement of the refresh and of the periodic jobs', async () => {
  core.enqueued.splice(0);
  await registerBatch(ctx, caller, [oceanRegistration(), oceanRegistration(), oceanRegistration()]);
  const plans = await plansOf(async () => {
    // The refreshes that the registration enqueued, and those that the sweep finds.
    await sweepConnector(ctx, 'maersk', 100);
    const claims = core.enqueued.splice(0).map(({ item }) => item);
    expect(claims.length).toBeGreaterThan(2);
    const subjects = await beginRefreshes(ctx, claims);
    for (const subject of subjects)
      await recordRefresh(ctx, subject, found({ code: 'gate_in_full', local: '2026-05-01T08:00' }), null);
    await markStaleShipments(ctx);
    await sequenceChanges(ctx);
    await expireRecords(ctx);
  });
  expect(tablesOf(plans)).toEqual(expect.arrayContaining(['changes', 'events', 'polling', 'shipments']));
  expect(faultsOf(plans)).toEqual([]);
});

async function plansOf(work: () => Promise<void>): Promise<WatchedPlan[]> {
  const from = watched.plans.length;
  await work();
  const plans = watched.plans.slice(from);
  if (plans.length === 0) throw new Error('no plan was returned');
  return plans;
}

function tablesOf(plans: readonly WatchedPlan[]): string[] {
  return [...new Set(plans.flatMap(({ nodes }) => nodes.flatMap((node) => node['Relation Name'] ?? [])))].toSorted();
}

/** Sequential scans of large tables, and index scans that do not begin with the account. */
function faultsOf(plans: readonly WatchedPlan[]): string[] {
  const faults = plans.flatMap(({ text, nodes }) =>
    nodes.flatMap((node) => {
      const fault = faultOf(node);
      return fault === null ? [] : `${fault}: ${text.replaceAll(/\s+/g, ' ').trim().slice(0, 160)}`;
    }),
  );
  return [...new Set(faults)];
}

function faultOf(node: PlanNode): string | null {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = node;
  if (type === 'Seq Scan' && table !== undefined && large.includes(table)) return `${table} is read whole`;
  if (index === undefined || !large.some((name) => index.startsWith(name))) return null;
  if (condition?.includes('account_id')) return null;
  return serveAll.includes(index) ? null : `${index} is read without the account`;
}
