import { shipmentFacts } from '#shared/domain/alerts/shipment-words.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { ensurePeople, readPeople } from '#shared/store/alerts/alert-preferences.ts';
import { insertEntries } from '#shared/store/alerts/entries.ts';
import { isForeignKeyViolation } from '#shared/store/store-errors.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { ShipmentMoved } from '../retry-lost-races.ts';
import { newMailToken } from './mail-token.ts';
import { entriesOf, settling } from './outbox.ts';

/** A notification of members about one shipment, caused by a person or a key. `key`: each member gets it once. */
export type Personal = {
  key: string;
  shipment: Shipment;
  lines: readonly string[];
  /** Anchor on the page of the shipment, `#…`, or empty. */
  anchor: string;
};

/**
 * Makes sure that members can be notified, and holds their memberships until the transaction ends. Call it before anything
 * that locks the directory of people. Throws ShipmentMoved if one of them has just left: run the transaction again.
 */
export async function lockRecipients(tx: Tx, accountId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const people = userIds.map((userId) => ({ userId, mailToken: newMailToken() }));
  await ensurePeople(tx, accountId, people).catch((error: unknown) => {
    throw isForeignKeyViolation(error, ['alert_preferences_member']) ? new ShipmentMoved() : error;
  });
}

/**
 * Puts into the outboxes of members what somebody addressed to them, by the channels and at the times that they have
 * chosen. Those who want none of it are left out. Call `lockRecipients` before.
 */
export async function notifyMembers(
  ctx: CoreContext,
  tx: Tx,
  { accountId, userIds, notification }: { accountId: string; userIds: readonly string[]; notification: Personal },
): Promise<void> {
  if (userIds.length === 0) return;
  const now = ctx.now();
  const nowMs = now.getTime();
  const { key, shipment, lines, anchor } = notification;
  const people = await readPeople(tx, accountId, userIds);
  const publicId = encodeTypeId('shp', shipment.id);
  const facts = shipmentFacts(shipment, { publicId, lines, at: now.toISOString(), anchor });
  const recipients = [...people.values()]
    .filter(({ mentions }) => mentions)
    .map(({ userId, channels, timing }) => ({ alert: { id: '', userId, channels, timing }, lines: facts.lines }));
  const entries = entriesOf({ key, shipmentId: shipment.id, factsOf: () => facts }, recipients, { people, nowMs });
  await insertEntries(
    tx,
    accountId,
    entries.map((entry) => ({ ...entry, alertIds: [] })),
    { test: shipment.test, nowMs, settling },
  );
}
