import { type Lane, maxListed } from '#shared/domain/alerts/entry.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import { formMessages, lockDueMailboxes } from '#shared/store/alerts/form-messages.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** Mailboxes per transaction. */
export const formedBatchSize = 200;
/** Too many entries for a message, or too many messages in a row: the next one collects what follows. */
const flood = { maxEntries: maxListed, maxMessages: 10, holdMs: 10 * 60_000 };

/**
 * Makes messages of what waits in mailboxes of a lane that are due. Any number of processes may call it at the same time. Returns
 * how many mailboxes were due, at most `formedBatchSize`.
 */
export function formDueMessages(ctx: CoreContext, lane: Lane): Promise<number> {
  const now = ctx.now();
  return withSystem(ctx.store, async (tx) => {
    const boxes = await lockDueMailboxes(tx, { lane, now: now.toISOString(), limit: formedBatchSize });
    if (boxes.length === 0) return 0;
    const ids = boxes.map(() => uuidv7(now.getTime(), globalThis.crypto.getRandomValues(new Uint8Array(10))));
    await formMessages(tx, boxes, { ids, now: now.toISOString(), flood });
    return boxes.length;
  });
}
