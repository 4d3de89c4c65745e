import { awaitingEvents } from '#shared/domain/events-in/pushed-tracking.ts';
import { cadencePeriods } from '#shared/domain/refresh/end-of-journey.ts';
import type { Tx } from '../open-store.ts';

const dayMs = 86_400_000;

/**
 * Lets a locked shipment whose events are pushed wait for them, with all its periods. `restarts`: tracking had ended.
 * Otherwise it was paused in the archive, and its state stays.
 */
export async function awaitEvents(
  tx: Tx,
  accountId: string,
  { shipmentId, restarts }: { shipmentId: string; restarts: boolean },
): Promise<void> {
  await tx.query({
    name: 'await-events',
    text: `
      update landfall.polling
      set state = case when $3 then '${awaitingEvents.state}' else state end, reason = case when $3 then '${awaitingEvents.reason}' else reason end,
        tracking_since = now(), ends_at = now() + interval '${cadencePeriods.noUpdatesGivesUpMs / dayMs} days',
        stale_at = case when last_succeeded_at is not null then now() + make_interval(hours => stale_after_hours) end, epoch = epoch + 1
      where account_id = $1 and shipment_id = $2`,
    values: [accountId, shipmentId, restarts],
  });
}
