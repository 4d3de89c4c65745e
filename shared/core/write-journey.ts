import type { Journey, Shipment } from '#shared/domain/shipment.ts';
import { statusRanks } from '#shared/domain/status-transitions.ts';
import type { JourneyText } from '#shared/domain/stored-record.ts';
import { type TransitionContext, transitionReason } from '#shared/domain/transition-reason.ts';
import { updateJourney } from '#shared/store/shipments.ts';
import { appendStatusChange } from '#shared/store/status-changes.ts';
import type { Tx } from '#shared/store/with-account.ts';

/** `shipment` is locked and holds the journey before; `statusChangedAt` is the time of the deciding event (ISO UTC). */
export type JourneyWrite = {
  shipment: Shipment;
  journey: Journey;
  statusChangedAt: string | null;
  context: TransitionContext;
  traceId: string | null;
  journeyText: JourneyText | null;
};

/** Stores a newly composed journey, a visible change, and logs the transition if there is one. Its events must have been written before. */
export async function writeJourney(tx: Tx, accountId: string, write: JourneyWrite): Promise<void> {
  const { shipment, journey, statusChangedAt } = write;
  const closed = statusRanks[journey.status] >= statusRanks.delivered;
  await updateJourney(tx, accountId, { shipment, journey, statusChangedAt, closed, journeyText: write.journeyText });
  if (journey.status === shipment.journey.status) return;
  await appendStatusChange(tx, accountId, {
    shipmentId: shipment.id,
    from: shipment.journey.status,
    to: journey.status,
    reason: transitionReason(shipment.journey, journey, write.context),
    evidence: journey.statusEvidence,
    reachedAt: statusChangedAt,
    traceId: write.traceId,
  });
}
