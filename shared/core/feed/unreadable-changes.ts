import type { FeedPage } from '#shared/store/feed/feed.ts';
import type { CoreContext } from '../core-context.ts';

/** Tells the operator of changes that readers don't get. They are told that changes are missing. */
export function logUnreadable(ctx: CoreContext, accountId: string, { unreadable }: Pick<FeedPage, 'unreadable'>): void {
  for (const { id, position, error } of unreadable)
    ctx.log.error(
      { err: error, account_id: accountId, change_id: id, position },
      'change cannot be decoded; readers of the feed skip it',
    );
}
