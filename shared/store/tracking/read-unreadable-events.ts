import { maxUnreadableEvents, type ShownUnreadableEvent } from '#shared/domain/events/unreadable.ts';
import type { Tx } from '../open-store.ts';
import { readRows } from '../read-rows.ts';
import { rawEventCap } from './raw-events.ts';

/** The newest events of a shipment that could not be read, newest first. */
export async function readUnreadableEventsOf(
  tx: Tx,
  accountId: string,
  shipmentId: string,
): Promise<ShownUnreadableEvent[]> {
  const rows = await readRows<{ reason: string; seenAt: string; value: unknown; truncated: boolean }>(tx, {
    name: 'read-set-aside-events',
    text: `
      select r.reason, r.seen_at,
        case when length(r.raw::text) <= ${rawEventCap} then r.raw else to_jsonb(left(r.raw::text, ${rawEventCap})) end as value,
        length(r.raw::text) > ${rawEventCap} as truncated
      from (
        select id, reason, seen_at, raw from landfall.unreadable_events
        where account_id = $1 and shipment_id = $2
        order by id desc
        limit ${maxUnreadableEvents}
      ) as r
      order by r.id desc`,
    values: [accountId, shipmentId],
  });
  return rows.map(({ reason, seenAt, value, truncated }) => ({
    reason,
    seenAt,
    raw: { value, truncated },
  }));
}
