import { newPreferences } from '#shared/domain/alerts/alert.ts';
import { carrierFailing, type Notice } from '#shared/domain/alerts/notice.ts';
import { findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { ensurePeople, readPeople } from '#shared/store/alerts/alert-preferences.ts';
import { insertEntries } from '#shared/store/alerts/entries.ts';
import { appendNotices, findFailingCarriers, lockUnsent, markNotified } from '#shared/store/alerts/notices.ts';
import { readRecipients } from '#shared/store/alerts/recipients.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { newMailToken } from './mail-token.ts';
import { entriesOf, settling } from './outbox.ts';

const batchSize = 50;
const failingHours = 1;

/** Stores a notice to the owners of an account in the transaction that causes it. */
export function appendNotice(tx: Tx, accountId: string, notice: Notice): Promise<void> {
  return appendNotices(tx, [{ ...notice, accountId }]);
}

/** Notices carriers that have answered nothing for an hour, once for each time that they stop answering. */
export async function noteFailingCarriers(ctx: CoreContext): Promise<void> {
  const at = ctx.now().toISOString();
  await withSystem(ctx.store, async (tx) => {
    const failing = await findFailingCarriers(tx, { hours: failingHours });
    await appendNotices(
      tx,
      failing.map(({ accountId, connector, carrier, since }) => ({
        accountId,
        ...carrierFailing({ connector, carrierName: findCarrierByName(carrier)?.name ?? carrier }, { since, at }),
      })),
    );
  });
}

/** Puts stored notices into the outboxes of the owners who want them. Returns how many notices there were. */
export async function notifyOwners(ctx: CoreContext): Promise<number> {
  const nowMs = ctx.now().getTime();
  return withSystem(ctx.store, async (tx) => {
    const unsent = await lockUnsent(tx, batchSize);
    if (unsent.length === 0) return 0;
    const members = await readRecipients(tx, [...new Set(unsent.map(({ accountId }) => accountId))]);
    for (const { accountId, key, test, facts } of unsent) {
      const owners = members.filter((member) => member.accountId === accountId && member.role === 'owner');
      const userIds = owners.map(({ userId }) => userId);
      await ensurePeople(
        tx,
        accountId,
        userIds.map((userId) => ({ userId, mailToken: newMailToken() })),
      );
      const people = await readPeople(tx, accountId, userIds);
      const matches = [...people.values()]
        .filter(({ notices }) => notices)
        .map(({ userId, channels }) => ({
          alert: { id: '', userId, channels, timing: newPreferences.timing },
          lines: facts.lines,
        }));
      const entries = entriesOf({ key, shipmentId: null, factsOf: () => facts }, matches, { people, nowMs });
      await insertEntries(
        tx,
        accountId,
        entries.map((entry) => ({ ...entry, alertIds: [] })),
        { test, nowMs, settling },
      );
    }
    await markNotified(tx, unsent);
    return unsent.length;
  });
}
