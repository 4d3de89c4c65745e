import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** A span of time that is evaluated once: after `from`, up to `to`, ISO UTC. */
export type Span = { from: string; to: string };
/** A shipment that came to a time: of its last event, its failure, or its last free day. */
export type Reached = { shipmentId: string; since: string };

const maxReached = 10_000;

/**
 * Moving shipments whose last event, or registration if there is none, turned `days` old in the span. `limit` of each.
 */
export async function findSilent(
  tx: Tx,
  accountId: string,
  { test, days, span }: { test: boolean; days: number; span: Span },
): Promise<Reached[]> {
  return readRows<Reached>(tx, {
    name: 'find-silent-shipments',
    text: `
      (
        select id as shipment_id, last_event_at as since
        from landfall.shipments
        where account_id = $1 and test = $2 and last_event_at > $4::timestamptz - make_interval(days => $3)
          and last_event_at <= $5::timestamptz - make_interval(days => $3) and closed_at is null and archived_at is null
        order by last_event_at
        limit ${maxReached}
      )
      union all
      (
        select id, created_at
        from landfall.shipments
        where account_id = $1 and test = $2 and created_at > $4::timestamptz - make_interval(days => $3)
          and created_at <= $5::timestamptz - make_interval(days => $3) and last_event_at is null and closed_at is null
          and archived_at is null
        order by created_at
        limit ${maxReached}
      )`,
    values: [accountId, test, days, span.from, span.to],
  });
}

/** Shipments whose tracking had failed for `hours` at a time in the span. */
export async function findFailing(
  tx: Tx,
  accountId: string,
  { test, hours, span }: { test: boolean; hours: number; span: Span },
): Promise<Reached[]> {
  return readRows<Reached>(tx, {
    name: 'find-failing-shipments',
    text: `
      select f.shipment_id, f.since
      from landfall.alert_failing as f
      join landfall.shipments as s on s.account_id = f.account_id and s.id = f.shipment_id and s.archived_at is null
      where f.account_id = $1 and f.test = $2 and f.since > $4::timestamptz - make_interval(hours => $3)
        and f.since <= $5::timestamptz - make_interval(hours => $3)
      order by f.since
      limit ${maxReached}`,
    values: [accountId, test, hours, span.from, span.to],
  });
}

/** Shipments whose earliest open free time came to end within `days` in the span, by the calendar of UTC. */
export async function findEndingFreeTime(
  tx: Tx,
  accountId: string,
  { test, days, span }: { test: boolean; days: number; span: Span },
): Promise<{ shipmentId: string; day: string }[]> {
  const rows = await readRows<{ id: string; day: string }>(tx, {
    name: 'find-ending-free-time',
    text: `
      select id, last_free_day::text as day
      from landfall.shipments
      where account_id = $1 and test = $2 and last_free_day > ($4::timestamptz at time zone 'UTC')::date + $3::integer
        and last_free_day <= ($5::timestamptz at time zone 'UTC')::date + $3::integer and archived_at is null
      order by last_free_day
      limit ${maxReached}`,
    values: [accountId, test, days, span.from, span.to],
  });
  return rows.map(({ id, day }) => ({ shipmentId: id, day }));
}

/**
 * Forgets the failures of shipments that were tracked again in between, then remembers since when tracking of others
 * fails.
 */
export async function noteFailing(
  tx: Tx,
  accountId: string,
  { test, failing, working }: { test: boolean; failing: readonly Reached[]; working: readonly string[] },
): Promise<void> {
  if (working.length > 0)
    await tx.query({
      name: 'forget-failing-shipments',
      text: 'delete from landfall.alert_failing where account_id = $1 and shipment_id = any ($2::uuid[])',
      values: [accountId, working],
    });
  if (failing.length > 0)
    await tx.query({
      name: 'note-failing-shipments',
      text: `
        insert into landfall.alert_failing (account_id, shipment_id, test, since)
        select $1, s.id, $2, f.since
        from json_to_recordset($3::json) as f ("shipmentId" uuid, since timestamptz)
        -- It may have been removed since.
        join landfall.shipments as s on s.account_id = $1 and s.id = f."shipmentId"
        order by s.id
        on conflict (account_id, shipment_id) do nothing`,
      values: [accountId, test, JSON.stringify(failing)],
    });
}

/** Shipments that fail when the first alert asks for it: they count from now on. */
export async function noteFailingNow(
  tx: Tx,
  accountId: string,
  { test, now }: { test: boolean; now: string },
): Promise<void> {
  await tx.query({
    name: 'note-failing-shipments-now',
    text: `
      insert into landfall.alert_failing (account_id, shipment_id, test, since)
      select $1, s.id, $2, $3
      from landfall.polling as p
      join landfall.shipments as s on s.account_id = $1 and s.id = p.shipment_id and s.test = $2 and s.archived_at is null
      where p.account_id = $1 and p.state = 'failed'
      order by s.id
      limit ${maxReached}
      on conflict (account_id, shipment_id) do nothing`,
    values: [accountId, test, now],
  });
}
