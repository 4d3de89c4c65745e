import type { AlertMessage, EntryFacts } from '#shared/domain/alerts/entry.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type AlertState, readAlertState } from '#shared/store/alerts/measure.ts';
import { listMessages, readMessage, readMessageEntries } from '#shared/store/alerts/messages.ts';
import { limitReadTime } from '#shared/store/system/operations.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { personOf } from './saved-views.ts';

/** The member's messages, newest first. */
export async function listAlertMessages(
  ctx: CoreContext,
  caller: Caller,
  { before, limit }: { before: string | null; limit: number },
): Promise<{ messages: AlertMessage[]; hasMore: boolean }> {
  const { accountId, test } = caller;
  const page = { userId: personOf(caller), test, before, limit: limit + 1 };
  const found = await withAccount(ctx.store, accountId, (tx) => listMessages(tx, accountId, page));
  return { messages: found.slice(0, limit), hasMore: found.length > limit };
}

/** A message of the member with a page of its updates. Throws LandfallError `alert_message_not_found`. */
export function getAlertMessage(
  ctx: CoreContext,
  caller: Caller,
  { id, offset, limit }: { id: string; offset: number; limit: number },
): Promise<{ message: AlertMessage; entries: EntryFacts[] }> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const message = await readMessage(tx, accountId, { id, userId: personOf(caller), test });
    if (message === null) throw new LandfallError('alert_message_not_found', 'Message not found.');
    const entries = await readMessageEntries(tx, accountId, { messageIds: [id], limit, offset });
    return { message, entries: (entries.get(id) ?? []).map(({ facts }) => facts) };
  });
}

/** The alerts of all accounts, and what waits to be sent. */
export function measureAlerts(ctx: Pick<CoreContext, 'store'>): Promise<AlertState> {
  return withSystem(ctx.store, async (tx) => {
    await limitReadTime(tx);
    return readAlertState(tx);
  });
}
