import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { markVoided } from '#shared/store/events-in/void-events.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { withAccountByKey } from '#shared/store/with-account.ts';
import { writePushes } from '../carrier-subscriptions/write-pushes.ts';
import type { CoreContext } from '../core-context.ts';
import { readFreeTimeRules } from '../free-time/free-time-rules.ts';
import { actorOf } from '../keys/key-permissions.ts';
import { retryLostRaces } from '../retry-lost-races.ts';
import { composeChange, type Merging, mergeSource, refuseArchived } from './compose-statements.ts';
import { lockWithEvents } from './lock-with-events.ts';

/**
 * Voids an event that a source pushed: it stays in the history and no longer counts. Voiding it again changes nothing.
 * Throws LandfallError `shipment_not_found`, `event_not_found`, and `invalid_state` for an event of a carrier and an
 * archived shipment.
 */
export function voidEvent(
  ctx: CoreContext,
  caller: Caller,
  { shipmentId, eventId }: { shipmentId: string; eventId: string },
): Promise<void> {
  const { accountId, test } = caller;
  return retryLostRaces(() =>
    withAccountByKey(ctx.store, accountId, async (tx, commitWith) => {
      const { locked, events } = await lockWithEvents(tx, accountId, { ids: [shipmentId], test });
      const subject = locked.get(shipmentId);
      if (subject === undefined) throw new LandfallError('shipment_not_found', 'Shipment not found.');
      refuseArchived(subject);
      const stored = events.get(shipmentId) ?? [];
      const event = stored.find(({ id }) => id === eventId);
      if (event === undefined) throw new LandfallError('event_not_found', 'The shipment has no event with this id.');
      const sourceName = sourceOf(event);
      if (event.voidedAt !== null) return;
      const nowMs = Date.parse(subject.now);
      const merged: Merging = {
        events: stored.map((one) => (one === event ? { ...one, voidedAt: subject.now } : one)),
        inserts: [],
        superseded: [],
      };
      mergeSource(merged, { sourceName, said: [], nowMs });
      const source = `client:${sourceName}`;
      await markVoided(tx, accountId, { shipmentId, eventId });
      await appendAudit(tx, accountId, {
        actor: actorOf(caller),
        action: 'event.voided',
        subjectType: 'shipment',
        subjectId: shipmentId,
        requestId: caller.requestId,
        detail: { event_id: encodeTypeId('evt', eventId), code: event.code, source },
      });
      const rules = await readFreeTimeRules(ctx, tx, accountId);
      await writePushes(
        { tx, commitWith },
        {
          accountId,
          writes: [
            {
              shipmentId,
              reading: merged,
              unreadableEvents: [],
              refreshes: [],
              ...composeChange(ctx, subject, { merged, stored, nowMs, rules, source, isVoiding: true }),
            },
          ],
        },
      );
    }),
  );
}

function sourceOf({ source, details }: TrackingEvent): string {
  const sourceName = source === 'client' ? details?.sourceName : undefined;
  if (sourceName !== undefined) return sourceName;
  throw new LandfallError(
    'invalid_state',
    source === 'client'
      ? 'This event records your own cancellation. Resume the shipment to revert it.'
      : 'Only events that your sources pushed can be voided. This one comes from the carrier.',
  );
}
