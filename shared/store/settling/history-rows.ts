import type { History } from '../packing/packed-history.ts';
import { readRows } from '../read-rows.ts';
import { insertEventsOf, readEvents } from '../tracking/events.ts';
import { readWholeRaws } from '../tracking/raw-events.ts';
import type { Tx } from '../with-account.ts';

export type HistoryRows = Pick<History, 'events' | 'statusChanges' | 'refreshes'>;

const statusColumns =
  'id, from_status, to_status, reason, event_id, event_code, reached_at, received_at, trace_id, changed_at';
const refreshColumns =
  'id, first_at, last_at, count, outcome, reason, source, http_status, duration_ms, events_added, trace_id, detail, unreadable, trace_kept';

/** The rows of a shipment. Lock it first. */
export async function readHistory(tx: Tx, accountId: string, shipmentId: string): Promise<HistoryRows> {
  const events = await readEvents(tx, accountId, shipmentId);
  const raws = await readWholeRaws(tx, accountId, shipmentId);
  const rows = await readRows<Pick<History, 'statusChanges' | 'refreshes'>>(tx, {
    name: 'read-history',
    text: `
      select
        (select coalesce(json_agg(row_to_json(r) order by r.changed_at, r.id), '[]')
          from (select ${statusColumns} from landfall.status_changes where account_id = $1 and shipment_id = $2) as r) as "statusChanges",
        (select coalesce(json_agg(row_to_json(r) order by r.id), '[]')
          from (select ${refreshColumns} from landfall.refreshes where account_id = $1 and shipment_id = $2) as r) as refreshes`,
    values: [accountId, shipmentId],
  });
  const { statusChanges = [], refreshes = [] } = rows[0] ?? {};
  return { events: events.map((event) => ({ event, raw: raws.get(event.id) ?? null })), statusChanges, refreshes };
}

/** Deletes the rows of a locked shipment. Returns how many of each there were. */
export async function deleteHistory(
  tx: Tx,
  accountId: string,
  shipmentId: string,
): Promise<{ events: number; statusChanges: number; refreshes: number }> {
  const values = [accountId, shipmentId];
  const removeFrom = async (table: 'events' | 'readings' | 'status_changes' | 'refreshes') => {
    const text = `delete from landfall.${table} where account_id = $1 and shipment_id = $2`;
    return (await tx.query({ name: `delete-history-${table}`, text, values })).rowCount ?? 0;
  };
  await removeFrom('readings');
  return {
    events: await removeFrom('events'),
    statusChanges: await removeFrom('status_changes'),
    refreshes: await removeFrom('refreshes'),
  };
}

/** Inserts the rows of a locked shipment again, with their ids and times. Throws when a row is there already. */
export async function insertHistory(
  tx: Tx,
  accountId: string,
  { shipmentId, history }: { shipmentId: string; history: HistoryRows },
): Promise<void> {
  const { events, statusChanges, refreshes } = history;
  const added = await insertEventsOf(
    tx,
    accountId,
    events.map(({ event, raw }) => ({ shipmentId, event, raw })),
  );
  if (added !== events.length)
    throw new Error(`${events.length - added} events of a settled shipment are there already`);
  await tx.query({
    name: 'restore-status-changes',
    text: `
      insert into landfall.status_changes (account_id, shipment_id, ${statusColumns})
      select $1, $2, ${statusColumns}
      from jsonb_to_recordset($3::jsonb) as r (id uuid, from_status text, to_status text, reason text, event_id uuid, event_code text,
        reached_at timestamptz, received_at timestamptz, trace_id text, changed_at timestamptz)`,
    values: [accountId, shipmentId, JSON.stringify(statusChanges)],
  });
  await tx.query({
    name: 'restore-refreshes',
    text: `
      insert into landfall.refreshes (account_id, shipment_id, ${refreshColumns})
      select $1, $2, ${refreshColumns}
      from jsonb_to_recordset($3::jsonb) as r (id uuid, first_at timestamptz, last_at timestamptz, count integer, outcome text, reason text,
        source text, http_status integer, duration_ms float8, events_added integer, trace_id text, detail text, unreadable jsonb, trace_kept boolean)`,
    values: [accountId, shipmentId, JSON.stringify(refreshes)],
  });
}
