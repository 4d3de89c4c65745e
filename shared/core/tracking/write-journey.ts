import type { Journey, Shipment } from '#shared/domain/shipments/shipment.ts';
import { statusRanks } from '#shared/domain/shipments/status-transitions.ts';
import type { JourneyText } from '#shared/domain/shipments/stored-record.ts';
import { type TransitionContext, transitionReason } from '#shared/domain/shipments/transition-reason.ts';
import { appendStatusChanges } from '#shared/store/shipments/status-changes.ts';
import { updateJourneys } from '#shared/store/tracking/journeys.ts';
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

/** Stores newly composed journeys, a visible change of each, and logs the transitions. Their events must have been written before. */
export async function writeJourneys(tx: Tx, accountId: string, writes: readonly JourneyWrite[]): Promise<void> {
  await updateJourneys(
    tx,
    accountId,
    writes.map(({ shipment, journey, statusChangedAt, journeyText }) => {
      return {
        shipment,
        journey,
        statusChangedAt,
        journeyText,
        closed: statusRanks[journey.status] >= statusRanks.delivered,
      };
    }),
  );
  const transitions = writes.filter(({ shipment, journey }) => journey.status !== shipment.journey.status);
  await appendStatusChanges(
    tx,
    accountId,
    transitions.map(({ shipment, journey, statusChangedAt, context, traceId }) => ({
      shipmentId: shipment.id,
      from: shipment.journey.status,
      to: journey.status,
      reason: transitionReason(shipment.journey, journey, context),
      evidence: journey.statusEvidence,
      reachedAt: statusChangedAt,
      traceId,
    })),
  );
}

/** The same for one shipment. */
export async function writeJourney(tx: Tx, accountId: string, write: JourneyWrite): Promise<void> {
  await writeJourneys(tx, accountId, [write]);
}
