import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { SentEventRow } from '#shared/domain/events-in/event-row.ts';
import type { CoreContext } from '../core-context.ts';
import { type RecordedEvents, recordEvents } from './record-events.ts';

/**
 * Records rows that sources pushed about one shipment. Throws LandfallError `shipment_not_found`, `invalid_state` if
 * the shipment takes no events, and what `recordEvents` throws.
 */
export async function recordShipmentEvents(
  ctx: CoreContext,
  caller: Caller,
  { shipmentId, rows }: { shipmentId: string; rows: readonly SentEventRow[] },
): Promise<RecordedEvents> {
  const recorded = await recordEvents(ctx, caller, {
    rows: rows.map((row) => ({ ...row, targets: [{ shipmentId }] })),
  });
  for (const result of recorded.results) {
    if (result.outcome !== 'failed') break;
    const { code, detail } = result.error;
    // The shipment accepts no events, so no row that could be read was recorded.
    if (code === 'shipment_not_found' || code === 'invalid_state') throw new LandfallError(code, detail);
  }
  return recorded;
}
