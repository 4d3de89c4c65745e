import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import type { Journey, Shipment } from '#shared/domain/shipments/shipment.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { insertIdentifiers } from '#shared/store/registration/identifiers.ts';
import { readShipments } from '#shared/store/tracking/journeys.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { VisibleChange } from './journey-changes.ts';
import { type JourneyWrite, writeJourneys } from './write-journey.ts';

/** `shipment` is locked and holds the journey before; `traceparent` is that of the work that found the changes. */
export type Publication = JourneyWrite & { visible: VisibleChange[]; traceparent: string | null };

/** Writes composed journeys of one account and tells of every visible change; the last write of the transaction. */
export async function publishJourneys(tx: Tx, accountId: string, publications: readonly Publication[]): Promise<void> {
  if (publications.length === 0) return;
  await writeJourneys(tx, accountId, publications);
  const written = await readShipments(
    tx,
    accountId,
    publications.map(({ shipment }) => shipment.id),
  );
  const changes = publications.flatMap(({ shipment: { id, test }, traceparent, ...publication }) => {
    const now = written.get(id);
    if (now === undefined) throw new Error('the shipment just written cannot be read');
    const snapshot = shipmentSnapshot(now);
    // A new version that no kind of change is about is told all the same: readers of the feed keep copies.
    const visible: VisibleChange[] =
      publication.visible.length > 0 ? publication.visible : [{ type: 'shipment.updated', changes: {} }];
    return visible.map((change) => ({
      type: change.type,
      shipmentId: id,
      test,
      data: { shipment: snapshot, changes: change.changes },
      traceparent,
    }));
  });
  await appendChanges(tx, accountId, changes);
}

/** The same for one shipment. */
export async function publishJourney(tx: Tx, publication: Publication): Promise<void> {
  await publishJourneys(tx, publication.shipment.accountId, [publication]);
}

/** Containers that the carrier named can be searched like the client's own numbers. */
export async function addCarrierContainers(
  tx: Tx,
  accountId: string,
  composed: readonly { shipment: Shipment; journey: Journey }[],
): Promise<void> {
  const added = composed.map(({ shipment, journey }) => {
    const known = new Set(shipment.journey.containers.map((container) => container.number));
    return {
      shipmentId: shipment.id,
      source: 'carrier' as const,
      test: shipment.test,
      transportMode: shipment.transportMode,
      carrier: shipment.carrier,
      entries: journey.containers
        .filter((container) => !known.has(container.number))
        .map(({ number }) => ({ key: 'container' as const, value: number, matchValue: matchValue(number) })),
    };
  });
  await insertIdentifiers(tx, accountId, ...added);
}
