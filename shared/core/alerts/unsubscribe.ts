import { encodeTypeId } from '#shared/domain/type-id.ts';
import { readPeople, updatePerson } from '#shared/store/alerts/alert-preferences.ts';
import { takeMailFrom } from '#shared/store/alerts/alerts.ts';
import { readMessageAlerts } from '#shared/store/alerts/messages.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { readAccountNames } from '#shared/store/system/accounts.ts';
import { type Tx, withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { isSameSecret, readUnsubscribeToken, type UnsubscribeToken } from '../notices/mail-token.ts';

/** Rights of a mail's link: it ends mail from the alerts of that message, or all mail of alerts and notices. */
export type Unsubscribing = { accountName: string; alerts: number; isOff: boolean };

/** Reads the mail that a link would end. Null: the link is not valid. */
export async function readUnsubscribing(ctx: CoreContext, text: string): Promise<Unsubscribing | null> {
  const token = readUnsubscribeToken(text);
  if (token === null) return null;
  return withSystem(ctx.store, async (tx) => {
    const person = await findPerson(tx, token);
    if (person === null) return null;
    const names = await readAccountNames(tx, [token.accountId]);
    const alerts = await readMessageAlerts(tx, token.accountId, { id: token.messageId, userId: token.userId });
    return {
      accountName: names.get(token.accountId) ?? '',
      alerts: alerts?.length ?? 0,
      isOff: person.mailOffAt !== null,
    };
  });
}

/**
 * Ends e-mail without a sign-in, by the link of a mail. `all` false: from the alerts of that message; alerts without
 * another channel pause. All mail ends as well if the message came from no alert, or is no longer kept. False: the link
 * is not valid. Idempotent.
 */
export async function unsubscribe(ctx: CoreContext, text: string, { all }: { all: boolean }): Promise<boolean> {
  const token = readUnsubscribeToken(text);
  if (token === null) return false;
  const { accountId, userId, messageId } = token;
  return withAccount(ctx.store, accountId, async (tx) => {
    const person = await findPerson(tx, token);
    if (person === null) return false;
    const alertIds = all ? [] : ((await readMessageAlerts(tx, accountId, { id: messageId, userId })) ?? []);
    if (alertIds.length > 0) await takeMailFrom(tx, accountId, { userId, alertIds });
    else await updatePerson(tx, accountId, { ...person, mailOff: true });
    await appendAudit(tx, accountId, {
      actor: encodeTypeId('user', userId),
      action: 'alert.unsubscribed',
      subjectType: 'user',
      subjectId: userId,
      requestId: null,
      detail: { alerts: alertIds.length === 0 ? 'all' : alertIds.length },
    });
    return true;
  });
}

async function findPerson(tx: Tx, { accountId, userId, secret }: UnsubscribeToken) {
  const person = (await readPeople(tx, accountId, [userId])).get(userId);
  return person !== undefined && isSameSecret(person.mailToken, secret) ? person : null;
}
