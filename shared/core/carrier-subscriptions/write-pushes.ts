import { notePushes, type PushOutcome } from '#shared/store/carrier-subscriptions/push-record.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { type SendWrites, sendInOrder, type Write } from '#shared/store/send-in-order.ts';
import { insertEventsOf, supersedeEvents } from '#shared/store/tracking/events.ts';
import { insertUnreadableEventsOf } from '#shared/store/tracking/insert-unreadable-events.ts';
import { insertRefreshes, type Refresh } from '#shared/store/tracking/refreshes.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { MergedReading } from '../tracking/compose-refresh.ts';
import { addCarrierNumbers, journeyWrites, type Publication, readChangesOf } from '../tracking/publish-journeys.ts';

/** The pushes about one locked shipment, and their outcomes. */
export type PushWrite = {
  shipmentId: string;
  reading: Pick<MergedReading, 'inserts' | 'superseded'>;
  unreadableEvents: readonly { raw: unknown; reason: string }[];
  /** One for each source. */
  refreshes: readonly Refresh[];
  /** Null: polling goes on as it is. */
  outcome: Omit<PushOutcome, 'shipmentId'> | null;
  /** Null: nothing visible changes. */
  publication: Publication | null;
};

type Transaction = { tx: Tx; commitWith: SendWrites };

/**
 * Writes what carriers and clients pushed about locked shipments of one account, and commits: events, journeys, status
 * and feed changes, polling and the refresh history. `alsoWrite` goes into the same transaction.
 */
export async function writePushes(
  { tx, commitWith }: Transaction,
  {
    accountId,
    writes,
    alsoWrite = [],
  }: { accountId: string; writes: readonly PushWrite[]; alsoWrite?: readonly Write[] },
): Promise<void> {
  const publications = writes.flatMap(({ publication }) => publication ?? []);
  await sendInOrder(tx, [
    (sender) => notePushes(sender, accountId, outcomesOf(writes)),
    (sender) =>
      insertEventsOf(
        sender,
        accountId,
        ofShipments(writes, ({ reading }) => reading.inserts),
      ),
    (sender) =>
      supersedeEvents(
        sender,
        accountId,
        ofShipments(writes, ({ reading }) => reading.superseded),
      ),
    (sender) =>
      insertUnreadableEventsOf(
        sender,
        accountId,
        ofShipments(writes, ({ unreadableEvents }) => unreadableEvents),
      ),
    (sender) =>
      insertRefreshes(
        sender,
        accountId,
        ofShipments(writes, ({ refreshes }) => refreshes),
      ),
    (sender) => addCarrierNumbers(sender, accountId, publications),
    ...journeyWrites(accountId, publications),
  ]);
  const changes = await readChangesOf(tx, accountId, publications);
  await commitWith([(sender) => appendChanges(sender, accountId, changes), ...alsoWrite]);
}

function outcomesOf(writes: readonly PushWrite[]): PushOutcome[] {
  return writes.flatMap(({ shipmentId, outcome }) => (outcome === null ? [] : [{ shipmentId, ...outcome }]));
}

function ofShipments<Part extends object>(
  writes: readonly PushWrite[],
  partsOf: (write: PushWrite) => readonly Part[],
): (Part & { shipmentId: string })[] {
  return writes.flatMap((write) => partsOf(write).map((part) => ({ ...part, shipmentId: write.shipmentId })));
}
