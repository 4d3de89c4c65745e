import { matchValue } from '#shared/domain/identifiers.ts';
import type { Journey, Shipment } from '#shared/domain/shipment.ts';
import type { TransitionContext } from '#shared/domain/transition-reason.ts';
import { appendChanges } from '#shared/store/changes.ts';
import { insertIdentifiers } from '#shared/store/identifiers.ts';
import { readShipment } from '#shared/store/shipments.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import type { VisibleChange } from './journey-changes.ts';
import { shipmentSnapshot } from './shipment-snapshot.ts';
import { writeJourney } from './write-journey.ts';

/** `shipment` is locked and holds the journey before. */
export type Publication = {
  shipment: Shipment;
  journey: Journey;
  statusChangedAt: string | null;
  visible: VisibleChange[];
  context: TransitionContext;
  traceId: string | null;
};

/** Writes the composed journey and tells of every visible change; the last write of the transaction. */
export async function publishJourney(
  tx: Tx,
  ctx: Pick<CoreContext, 'traceparent' | 'journeyText'>,
  publication: Publication,
): Promise<void> {
  const { shipment, journey, statusChangedAt, context, traceId } = publication;
  const { accountId, id: shipmentId, test } = shipment;
  // A new version that no kind of change is about is told all the same: readers of the feed keep copies.
  const visible: VisibleChange[] = publication.visible.length > 0 ? publication.visible : [{ type: 'shipment.updated', changes: {} }];
  await writeJourney(tx, accountId, {
    shipment,
    journey,
    statusChangedAt,
    context,
    traceId,
    journeyText: ctx.journeyText?.(journey) ?? null,
  });
  const now = await readShipment(tx, accountId, { id: shipmentId, test });
  if (now === null) throw new Error('the shipment just written cannot be read');
  const snapshot = shipmentSnapshot(now);
  const traceparent = ctx.traceparent();
  await appendChanges(
    tx,
    accountId,
    visible.map(({ type, changes }) => ({ type, shipmentId, test, data: { shipment: snapshot, changes }, traceparent })),
  );
}

/** Containers that the carrier named can be searched like the client's own numbers. */
export async function addCarrierContainers(tx: Tx, shipment: Shipment, journey: Journey): Promise<void> {
  const known = new Set(shipment.journey.containers.map((container) => container.number));
  const added = journey.containers.filter((container) => !known.has(container.number));
  await insertIdentifiers(tx, shipment.accountId, {
    shipmentId: shipment.id,
    source: 'carrier',
    test: shipment.test,
    transportMode: shipment.transportMode,
    carrier: shipment.carrier,
    entries: added.map(({ number }) => ({ key: 'container' as const, value: number, matchValue: matchValue(number) })),
  });
}
