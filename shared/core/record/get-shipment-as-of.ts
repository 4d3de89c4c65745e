import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { eventsAsOf } from '#shared/domain/events-in/events-as-of.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import { isLate, overdueHoursAt } from '#shared/domain/record/lateness.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { isTrackingEnded } from '#shared/domain/refresh/cadence.ts';
import { readAllEvents } from '#shared/store/settling/settled-shipments.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { readTime, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';

/** A moment in the past, ISO UTC. A date alone is a span; its last moment that has passed counts. */
export type PastMoment = { earliest: string; latest: string };

/** Allowed difference, in milliseconds, between the clock that named the moment and Postgres's clock. */
const clockToleranceMs = 5000;

/**
 * The record at a moment: composed from the events received by then, ignoring later voids and revisions. The client's
 * own fields are the current ones, as are free-time terms and last free days set by hand, and `tracking` is meaningless. Before the registration it is an empty journey.
 * Throws LandfallError `shipment_not_found`, or `validation_failed` for a moment in the future.
 */
export async function getShipmentAsOf(
  ctx: CoreContext,
  caller: Caller,
  subject: { shipmentId: string; moment: PastMoment },
): Promise<{ shipment: Shipment; asOf: string }> {
  const { shipmentId, moment } = subject;
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    const shipment = await readShipment(tx, caller.accountId, { id: shipmentId, test: caller.test });
    if (shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
    const asOf = pastOf(moment, (await readTime(tx)).getTime());
    const events = eventsAsOf(await readAllEvents(tx, caller.accountId, shipmentId), asOf);
    const rules = await readFreeTimeRules(ctx, tx, caller.accountId);
    const composed = composeFrom(events, shipment, {
      nowMs: Date.parse(asOf),
      rules: rules(shipment),
      isTrackingEnded: isTrackingEnded(shipment.tracking.state),
    });
    const overdueHours = overdueHoursAt(composed.journey, Date.parse(asOf));
    const late = isLate(composed.journey, shipment.transportMode, overdueHours);
    return { shipment: { ...shipment, ...composed, overdueHours, late }, asOf };
  });
}

function pastOf(moment: PastMoment, nowMs: number): string {
  if (Date.parse(moment.latest) <= nowMs + clockToleranceMs) return moment.latest;
  if (Date.parse(moment.earliest) <= nowMs) return new Date(nowMs).toISOString();
  const detail = 'as_of must not be in the future.';
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '?as_of', code: 'in_future', detail }],
  });
}
