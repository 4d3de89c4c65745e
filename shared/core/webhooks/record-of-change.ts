import { eventsAsOf } from '#shared/domain/events-in/events-as-of.ts';
import type { ShipmentChange } from '#shared/domain/feed/change.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { readAllEvents } from '#shared/store/settling/settled-shipments.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';

/**
 * The whole record as of a change: composed from the events received by then, with the fields that the change itself
 * contains. Metadata and the destination's postal code are the present ones, and what only refreshes report is unknown.
 * Null: the shipment was removed.
 */
export async function readRecordOfChange(
  ctx: CoreContext,
  tx: Tx,
  { accountId, change, test }: { accountId: string; change: ShipmentChange; test: boolean },
): Promise<Shipment | null> {
  const { journey: shown, tracking, ...snapshot } = change.data.shipment;
  const found = await readShipment(tx, accountId, { id: snapshot.id, test });
  if (found === null) return null;
  // Postgres dates the change by the start of its transaction, Landfall what it wrote by its own clock.
  const atMs = Math.max(Date.parse(change.createdAt), Date.parse(snapshot.updatedAt));
  const events = eventsAsOf(await readAllEvents(tx, accountId, snapshot.id), new Date(atMs).toISOString());
  const rules = await readFreeTimeRules(ctx, tx, accountId);
  const { journey } = composeFrom(events, { ...found, ...snapshot }, { nowMs: atMs, rules: rules({ test }) });
  return {
    ...found,
    ...snapshot,
    journey: { ...journey, ...shown, latestEvent: journey.latestEvent },
    tracking: {
      ...tracking,
      mode: found.tracking.mode,
      staleAfterHours: found.tracking.staleAfterHours,
      source: found.tracking.source,
      lastRefreshedAt: tracking.lastSucceededAt,
      lastChangedAt: snapshot.updatedAt,
      consecutiveFailures: 0,
      traceId: null,
      traceKept: false,
    },
    warnings: [],
  };
}
