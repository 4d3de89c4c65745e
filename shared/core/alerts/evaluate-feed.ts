import { createYield } from '#shared/async/yield-event-loop.ts';
import type { StandingAlert } from '#shared/domain/alerts/alert.ts';
import type { NewEntry } from '#shared/domain/alerts/entry.ts';
import { evaluateChange, mayMatter, undone } from '#shared/domain/alerts/evaluate-change.ts';
import { shipmentFacts } from '#shared/domain/alerts/shipment-words.ts';
import type { Change, ShipmentChange } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { type AlertClaim, moveAlertCursor, readAlertSequence } from '#shared/store/alerts/alert-cursors.ts';
import { type MemberPreferences, readPeople } from '#shared/store/alerts/alert-preferences.ts';
import { readStandingAlerts } from '#shared/store/alerts/alerts.ts';
import { insertEntries } from '#shared/store/alerts/entries.ts';
import { noteFailing } from '#shared/store/alerts/timed-rules.ts';
import { readFeed } from '#shared/store/feed/feed.ts';
import { readChangesBefore } from '#shared/store/feed/feed-before.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { type AlertMatch, entriesOf, settling } from '../notices/outbox.ts';
import { readRecordOfChange } from '../webhooks/record-of-change.ts';
import {
  type FollowedView,
  type ReadFilter,
  type ReadRecord,
  type ViewMatcher,
  viewKey,
  viewMatcher,
} from './view-matcher.ts';

/** Seconds that a cursor belongs to a worker that gives no more sign of life. */
export const alertLeaseS = 30;
const pageSize = 100;
/** A page that takes longer ends at the change that it has come to, well within its lease. */
const pageMs = 5000;

/** Changes of a page with the one before each, and whom to notify. */
type Page = {
  accountId: string;
  test: boolean;
  alerts: readonly StandingAlert[];
  people: ReadonlyMap<string, MemberPreferences>;
  changes: readonly Change[];
  before: (change: ShipmentChange) => ShipmentChange | null;
};

/**
 * Evaluates the next page of a claimed feed: writes the members' entries and moves the cursor in one transaction, so
 * that a change is evaluated once whatever happens. Returns whether there may be more; false also when another worker has
 * the cursor.
 */
export function evaluateNextPage(ctx: CoreContext, claim: AlertClaim, readFilter: ReadFilter): Promise<boolean> {
  const { accountId, test } = claim;
  return withAccount(ctx.store, accountId, async (tx) => {
    const from = await readAlertSequence(tx, claim);
    if (from === null) return false;
    const alerts = await readStandingAlerts(tx, accountId, test);
    const query = { test, after: from, types: null, shipmentId: null, eventKeys: null };
    // Without alerts, the cursor only follows.
    const feed = await readFeed(tx, accountId, { ...query, limit: alerts.length === 0 ? 0 : pageSize });
    const isRead = alerts.length > 0;
    const hasMore = isRead && feed.hasMore;
    // One that can't be decoded is skipped: its content is unknown.
    const to = Math.max(from, isRead ? feed.end : feed.given);
    if (to === from) return false;
    const unevaluated = isRead ? await notify(ctx, tx, { claim, alerts, changes: feed.changes, readFilter }) : null;
    const reached = unevaluated === null ? to : unevaluated.sequence - 1;
    const isMoved = await moveAlertCursor(tx, claim, { from, to: reached, leaseS: alertLeaseS });
    return isMoved ? hasMore || unevaluated !== null : abandon();
  }).catch((error: unknown) => {
    if (error instanceof CursorLost) return false;
    throw error;
  });
}

/** Rolls the transaction back: another worker has evaluated these changes. */
class CursorLost extends Error {}

function abandon(): never {
  throw new CursorLost();
}

/** Returns the first change that there was no time for. Null: all are evaluated. */
async function notify(
  ctx: CoreContext,
  tx: Tx,
  given: {
    claim: AlertClaim;
    alerts: readonly StandingAlert[];
    changes: readonly Change[];
    readFilter: ReadFilter;
  },
): Promise<Change | null> {
  const { accountId, test } = given.claim;
  const { alerts, changes } = given;
  const people = await readPeople(tx, accountId, [...new Set(alerts.map(({ userId }) => userId))]);
  const page: Page = { accountId, test, alerts, people, changes, before: await beforeEach(tx, given) };
  const { entries, evaluated } = await evaluatePage(ctx, tx, page, given.readFilter);
  await insertEntries(tx, accountId, entries, { test, nowMs: ctx.now().getTime(), settling });
  await noteTracking(tx, { ...page, changes: changes.slice(0, evaluated) });
  return changes[evaluated] ?? null;
}

/** Finds the change before each one of a page: in the page, or the last one that the feed has of the shipment. */
async function beforeEach(
  tx: Tx,
  { claim: { accountId, test }, changes }: { claim: AlertClaim; changes: readonly Change[] },
): Promise<Page['before']> {
  const found = new Map<string, ShipmentChange | null>();
  const last = new Map<string, ShipmentChange>();
  const first: { shipmentId: string; sequence: number; change: ShipmentChange }[] = [];
  for (const change of changes) {
    if (change.type === 'webhook.disabled') continue;
    const shipmentId = change.data.shipment.id;
    const former = last.get(shipmentId);
    if (former !== undefined) found.set(change.id, former);
    else first.push({ shipmentId, sequence: change.sequence, change });
    last.set(shipmentId, change);
  }
  const earlier = await readChangesBefore(tx, accountId, {
    test,
    places: first.map(({ shipmentId, sequence }) => ({ shipmentId, sequence })),
  });
  for (const { shipmentId, change } of first) {
    const former = earlier.get(shipmentId);
    if (former !== undefined) found.set(change.id, former);
    // The feed keeps changes for 30 days.
    else if (change.type !== 'shipment.created')
      found.set(change.id, { ...change, data: { shipment: undone(change.data), changes: {} } });
  }
  return (change) => found.get(change.id) ?? null;
}

async function evaluatePage(
  ctx: CoreContext,
  tx: Tx,
  page: Page,
  readFilter: ReadFilter,
): Promise<{ entries: NewEntry[]; evaluated: number }> {
  const endsAtMs = performance.now() + pageMs;
  const yieldIfDue = createYield();
  const nowMs = ctx.now().getTime();
  const matcherOf = openMatchers(readFilter);
  const recordOf = openRecords(ctx, tx, page);
  const entries: NewEntry[] = [];
  for (const [index, change] of page.changes.entries()) {
    if (change.type === 'webhook.disabled') continue;
    if (index > 0 && performance.now() > endsAtMs) return { entries, evaluated: index };
    // A change can take tens of milliseconds for thousands of views, and other work waits for this thread.
    await yieldIfDue();
    const before = page.before(change);
    const evaluated = { change, before: before?.data.shipment ?? null };
    const memberships = openMemberships(matcherOf, { change, before, recordOf });
    const matches: AlertMatch[] = [];
    for (const alert of page.alerts) {
      if (alert.fromSequence >= change.sequence || !mayMatter(alert, evaluated)) continue;
      if (alert.subject.kind === 'shipment' && alert.subject.shipmentId !== change.data.shipment.id) continue;
      const lines = evaluateChange(alert, evaluated, await memberships(alert));
      if (lines.length > 0) matches.push({ alert, lines });
    }
    if (matches.length === 0) continue;
    const { id } = change.data.shipment;
    const key = encodeTypeId('chg', change.id);
    const publicId = encodeTypeId('shp', id);
    const factsOf = (lines: readonly string[]) =>
      shipmentFacts(change.data.shipment, { publicId, lines, at: change.createdAt, anchor: `#${key}` });
    entries.push(...entriesOf({ key, shipmentId: id, factsOf }, matches, { people: page.people, nowMs }));
  }
  return { entries, evaluated: page.changes.length };
}

/** One matcher for each view, however many alerts follow it. */
function openMatchers(readFilter: ReadFilter): (key: string, view: FollowedView, userId: string) => ViewMatcher {
  const matchers = new Map<string, ViewMatcher>();
  return (key, { filter }, userId) => {
    const matcher = matchers.get(key) ?? viewMatcher(filter, userId, readFilter);
    matchers.set(key, matcher);
    return matcher;
  };
}

/** The records of a page as of its changes, each composed once. */
function openRecords(ctx: CoreContext, tx: Tx, { accountId, test }: Page): ReadRecord {
  const records = new Map<string, Promise<Shipment | null>>();
  return (change) => {
    const record = records.get(change.id) ?? readRecordOfChange(ctx, tx, { accountId, change, test });
    records.set(change.id, record);
    return record;
  };
}

type Membership = { before: boolean; after: boolean };

/** Evaluates once for each view if it contained the shipment before and after a change. */
function openMemberships(
  matcherOf: ReturnType<typeof openMatchers>,
  { change, before, recordOf }: { change: ShipmentChange; before: ShipmentChange | null; recordOf: ReadRecord },
): (alert: StandingAlert) => Membership | Promise<Membership> {
  const asked = new Map<string, Membership>();
  return async ({ userId, subject }) => {
    if (subject.kind === 'shipment') return { before: before !== null, after: true };
    const key = viewKey({ userId, subject });
    const found = asked.get(key);
    if (found !== undefined) return found;
    const matcher = matcherOf(key, subject, userId);
    const membership = {
      before: await matcher.contains(before, recordOf),
      after: await matcher.contains(change, recordOf),
    };
    asked.set(key, membership);
    return membership;
  };
}

/** Remembers since when tracking fails, by the last change of each shipment. */
async function noteTracking(tx: Tx, { accountId, test, changes }: Page): Promise<void> {
  const failing = new Map<string, string>();
  const working = new Set<string>();
  for (const change of changes) {
    if (change.type !== 'shipment.tracking_state_changed') continue;
    const { id, tracking, archivedAt } = change.data.shipment;
    if (tracking.state === 'failed' && archivedAt === null) {
      if (!failing.has(id)) failing.set(id, change.createdAt);
    } else {
      failing.delete(id);
      working.add(id);
    }
  }
  await noteFailing(tx, accountId, {
    test,
    failing: [...failing].map(([shipmentId, since]) => ({ shipmentId, since })),
    working: [...working],
  });
}
