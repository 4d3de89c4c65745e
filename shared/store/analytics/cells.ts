import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import type { AnalyticsKey } from './cursors.ts';
import type { CountedDays } from './measures.ts';

/** Keeps days that are to be counted again. */
export async function addStaleDays(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  days: readonly CountedDays[],
): Promise<void> {
  if (days.length === 0) return;
  await tx.query({
    name: 'add-stale-cells',
    text: `
      insert into landfall.stale_cells (account_id, test, carrier, arrived_day, registered_day)
      select $1, $2, g.carrier, g."arrivedDay", g."registeredDay"
      from json_to_recordset($3::json) as g (carrier text, "arrivedDay" date, "registeredDay" date)`,
    values: [accountId, test, JSON.stringify(days)],
  });
}

/**
 * Takes up to `limit` stale days, if one of them has waited for `countAfterMs`. They are to be counted again in the same
 * transaction.
 */
export async function takeStaleDays(
  tx: Tx,
  { accountId, test }: AnalyticsKey,
  { countAfterMs, limit }: { countAfterMs: number; limit: number },
): Promise<CountedDays[]> {
  return readRows<{ carrier: string; arrivedDay: string | null; registeredDay: string }>(tx, {
    name: 'take-stale-cells',
    text: `
      with taken as (
        select id from landfall.stale_cells
        where account_id = $1 and test = $2 and exists (
          select from landfall.stale_cells as s where s.account_id = $1 and s.test = $2 and ${hasWaited('s', '$4')}
        )
        order by id
        limit $3
      )
      delete from landfall.stale_cells as s
      using taken
      where s.account_id = $1 and s.id = taken.id
      returning s.carrier, s.arrived_day::text, s.registered_day::text`,
    values: [accountId, test, limit, countAfterMs],
  });
}

/** The condition that a stale day has waited for this many milliseconds. */
export function hasWaited(table: string, ms: string): string {
  return `uuid_extract_timestamp(${table}.id) <= clock_timestamp() - ${ms} * interval '1 millisecond'`;
}

/** One statement for all days of a large account takes longer than a statement may. */
const daysPerStatement = 100;

/**
 * Counts the cells of these days and carriers again from the measures, so that a repeated or a lost count is not possible.
 * In a transaction that has locked the cursor.
 */
export async function recountCells(tx: Tx, key: AnalyticsKey, days: readonly CountedDays[]): Promise<void> {
  const arrivals = distinct(days.flatMap(({ carrier, arrivedDay: day }) => (day === null ? [] : [{ carrier, day }])));
  const registrations = distinct(days.map(({ carrier, registeredDay: day }) => ({ carrier, day })));
  for (const some of inParts(arrivals)) await recountArrivals(tx, key, some);
  for (const some of inParts(registrations)) await recountRegistrations(tx, key, some);
}

type CarrierDay = { carrier: string; day: string };

function inParts(days: readonly CarrierDay[]): string[] {
  const starts = Array.from(
    { length: Math.ceil(days.length / daysPerStatement) },
    (_, part) => part * daysPerStatement,
  );
  return starts.map((start) => JSON.stringify(days.slice(start, start + daysPerStatement)));
}

function distinct(days: readonly CarrierDay[]): CarrierDay[] {
  return [...new Map(days.map((day) => [`${day.day} ${day.carrier}`, day])).values()];
}

const given = 'json_to_recordset($3::json) as g (carrier text, day date)';

async function recountArrivals(tx: Tx, { accountId, test }: AnalyticsKey, days: string): Promise<void> {
  await tx.query({
    name: 'clear-arrival-cells',
    text: `
      delete from landfall.arrival_cells as c
      using ${given}
      where c.account_id = $1 and c.test = $2 and c.day = g.day and c.carrier = g.carrier`,
    values: [accountId, test, days],
  });
  await tx.query({
    name: 'count-arrival-cells',
    text: `
      with counted as (
        select f.arrived_day, f.carrier, f.transport_mode, f.origin, f.destination, f.origin_country, f.destination_country,
          count(*) as arrivals,
          count(*) filter (where f.on_time = 'early') as early,
          count(*) filter (where f.on_time = 'on_time') as on_time,
          count(*) filter (where f.on_time = 'late') as late,
          array_agg(f.transit_hours order by f.transit_hours) filter (where f.transit_hours is not null) as transit_hours,
          string_agg(array_to_string(f.delay_causes, ' '), ' ') filter (where f.delay_causes <> '{}') as causes,
          string_agg(f.free_time_outcome, ' ') as outcomes
        from ${given}
        join landfall.shipment_measures as f
          on f.account_id = $1 and f.test = $2 and f.arrived_day = g.day and f.carrier = g.carrier
        group by 1, 2, 3, 4, 5, 6, 7
      )
      insert into landfall.arrival_cells (account_id, test, day, carrier, transport_mode, origin, destination,
        origin_country, destination_country, arrivals, early, on_time, late, transit_hours, delay_causes, free_time)
      select $1, $2, c.arrived_day, c.carrier, c.transport_mode, c.origin, c.destination, c.origin_country,
        c.destination_country, c.arrivals, c.early, c.on_time, c.late, coalesce(c.transit_hours, '{}'),
        ${tallied('c.causes')}, ${tallied('c.outcomes')}
      from counted as c`,
    values: [accountId, test, days],
  });
}

/** Counts each word of a text, as an object. */
function tallied(text: string): string {
  return `coalesce((
          select jsonb_object_agg(t.word, t.counted)
          from (select word, count(*) as counted from string_to_table(${text}, ' ') as word group by word) as t
        ), '{}')`;
}

async function recountRegistrations(tx: Tx, { accountId, test }: AnalyticsKey, days: string): Promise<void> {
  await tx.query({
    name: 'clear-registration-cells',
    text: `
      delete from landfall.registration_cells as c
      using ${given}
      where c.account_id = $1 and c.test = $2 and c.day = g.day and c.carrier = g.carrier`,
    values: [accountId, test, days],
  });
  await tx.query({
    name: 'count-registration-cells',
    text: `
      insert into landfall.registration_cells (account_id, test, day, carrier, transport_mode, registered, first_event_minutes)
      select $1, $2, f.registered_day, f.carrier, f.transport_mode, count(*),
        coalesce(array_agg(f.first_event_minutes order by f.first_event_minutes)
          filter (where f.first_event_minutes is not null), '{}')
      from ${given}
      join landfall.shipment_measures as f
        on f.account_id = $1 and f.test = $2 and f.registered_day = g.day and f.carrier = g.carrier
      group by f.registered_day, f.carrier, f.transport_mode`,
    values: [accountId, test, days],
  });
}
