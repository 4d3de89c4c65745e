import type { StandingAlert, TimedRule } from '#shared/domain/alerts/alert.ts';
import { timedRules } from '#shared/domain/alerts/alert.ts';
import type { NewEntry } from '#shared/domain/alerts/entry.ts';
import { freeTimeLine } from '#shared/domain/alerts/evaluate-change.ts';
import { shipmentFacts } from '#shared/domain/alerts/shipment-words.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { lockUnswept, moveSwept } from '#shared/store/alerts/alert-cursors.ts';
import { readPeople } from '#shared/store/alerts/alert-preferences.ts';
import { readStandingAlerts } from '#shared/store/alerts/alerts.ts';
import { insertEntries } from '#shared/store/alerts/entries.ts';
import { findEndingFreeTime, findFailing, findSilent, type Span } from '#shared/store/alerts/timed-rules.ts';
import { withinSavepoint } from '#shared/store/in-transaction.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { type AlertMatch, entriesOf, settling } from '../notices/outbox.ts';
import { type ReadFilter, viewKey, viewMatcher } from './view-matcher.ts';

const sweepEveryMs = 60_000;
/** Feeds per transaction. */
export const sweptBatchSize = 20;
const shipmentsPerRead = 200;

/** A shipment that time alone brought to a rule. `key` is the same for everybody who asked for this number. */
type Met = { rule: TimedRule; amount: number; shipmentId: string; key: string; line: string };

/**
 * Evaluates what happens by time alone, once a minute for each feed with alerts: of each rule only the shipments that came
 * to its time since the last sweep, by an index. Entries and the reached time are written together. Returns how
 * many feeds were swept, at most `sweptBatchSize`. One that fails keeps no other waiting.
 */
export function sweepTimedRules(ctx: CoreContext, readFilter: ReadFilter): Promise<number> {
  const now = ctx.now();
  return withSystem(ctx.store, async (tx) => {
    const before = new Date(now.getTime() - sweepEveryMs).toISOString();
    const feeds = await lockUnswept(tx, { before, limit: sweptBatchSize });
    let swept = 0;
    for (const { accountId, test, sweptAt } of feeds) {
      const sweep = () => sweepOne(tx, { accountId, test, span: { from: sweptAt, to: now.toISOString() }, readFilter });
      try {
        await withinSavepoint(tx, true, sweep);
        swept += 1;
      } catch (error) {
        ctx.log.warn(
          { err: error, account_id: accountId, test },
          'timed rules of an account not evaluated; trying again',
        );
      }
    }
    return swept;
  });
}

async function sweepOne(tx: Tx, { accountId, test, span, readFilter }: Omit<Feed, 'alerts'>): Promise<void> {
  const alerts = (await readStandingAlerts(tx, accountId, test)).filter(({ rules }) =>
    timedRules.some((rule) => rules[rule] !== undefined),
  );
  if (alerts.length > 0) await sweepFeed(tx, { accountId, test, alerts, span, readFilter });
  await moveSwept(tx, { accountId, test, to: span.to });
}

type Feed = {
  accountId: string;
  test: boolean;
  alerts: readonly StandingAlert[];
  span: Span;
  readFilter: ReadFilter;
};

async function sweepFeed(tx: Tx, feed: Feed): Promise<void> {
  const { accountId, test, alerts, span } = feed;
  const met = await findMet(tx, feed);
  if (met.length === 0) return;
  const people = await readPeople(tx, accountId, [...new Set(alerts.map(({ userId }) => userId))]);
  const nowMs = Date.parse(span.to);
  const metOf = Map.groupBy(met, ({ shipmentId }) => shipmentId);
  const ids = [...metOf.keys()];
  const matchers = new Map(
    alerts.flatMap(({ userId, subject }) =>
      subject.kind === 'view'
        ? [[viewKey({ userId, subject }), viewMatcher(subject.filter, userId, feed.readFilter)] as const]
        : [],
    ),
  );
  for (let start = 0; start < ids.length; start += shipmentsPerRead) {
    const part = ids.slice(start, start + shipmentsPerRead);
    const shipments = await readShipments(tx, accountId, { ids: part, withEvents: false });
    const entries: NewEntry[] = [];
    for (const { rule, amount, shipmentId, key, line } of part.flatMap((id) => metOf.get(id) ?? [])) {
      const shipment = shipments.get(shipmentId);
      if (shipment === undefined) continue;
      const matches: AlertMatch[] = alerts
        .filter(({ rules }) => rules[rule] === amount)
        .filter(({ userId, subject }) =>
          subject.kind === 'shipment'
            ? subject.shipmentId === shipmentId
            : matchers.get(viewKey({ userId, subject }))?.containsRecord(shipment) === true,
        )
        .map((alert) => ({ alert, lines: [line] }));
      const publicId = encodeTypeId('shp', shipmentId);
      const factsOf = (lines: readonly string[]) => shipmentFacts(shipment, { publicId, lines, at: span.to });
      entries.push(...entriesOf({ key, shipmentId, factsOf }, matches, { people, nowMs }));
    }
    await insertEntries(tx, accountId, entries, { test, nowMs, settling });
  }
}

async function findMet(tx: Tx, { accountId, test, alerts, span }: Feed): Promise<Met[]> {
  const amountsOf = (rule: TimedRule) => [...new Set(alerts.flatMap(({ rules }) => rules[rule] ?? []))];
  const met: Met[] = [];
  for (const days of amountsOf('silentDays')) {
    for (const { shipmentId, since } of await findSilent(tx, accountId, { test, days, span }))
      met.push({
        rule: 'silentDays',
        amount: days,
        shipmentId,
        key: `silent ${days} ${shipmentId} ${since}`,
        line: `No new event for ${days === 1 ? '1 day' : `${days} days`}`,
      });
  }
  for (const hours of amountsOf('failingHours')) {
    for (const { shipmentId, since } of await findFailing(tx, accountId, { test, hours, span }))
      met.push({
        rule: 'failingHours',
        amount: hours,
        shipmentId,
        key: `failing ${hours} ${shipmentId} ${since}`,
        line: `Tracking has failed for ${hours === 1 ? '1 hour' : `${hours} hours`}`,
      });
  }
  for (const days of amountsOf('freeTimeDays')) {
    for (const { shipmentId, day } of await findEndingFreeTime(tx, accountId, { test, days, span }))
      met.push({
        rule: 'freeTimeDays',
        amount: days,
        shipmentId,
        key: `free_time ${days} ${shipmentId} ${day}`,
        line: freeTimeLine(day),
      });
  }
  return met;
}
