import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { type Change, eventKeysOf, type NarrowedEvents } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import { type FeedPage, type FeedQuery, readFeed } from '#shared/store/feed/feed.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type ChangesInput = {
  /**
   * The last sequence that the reader has. Null: start at the oldest change. `latest`: return no change, only the end
   * of the feed.
   */
  after: number | 'latest' | null;
  types: readonly ChangeType[] | null;
  /** A uuid. */
  shipmentId: string | null;
  /** Only changes that added such an event. */
  narrowedBy: NarrowedEvents;
  limit: number;
};

export type ChangeList = {
  changes: Change[];
  limit: number;
  hasMore: boolean;
  /** The sequence to continue from. No matching change lies between the last one here and this sequence. */
  nextAfter: number;
  oldestSequence: number;
  latestSequence: number;
  /**
   * True when the reader missed changes: those after `after` have been deleted, `after` was given before a restore of an
   * older backup, or one of the page can't be decoded.
   */
  gap: boolean;
  /** ISO UTC. */
  asOf: string;
};

/** Changes of the account in feed order. Throws LandfallError `validation_failed` when `after` is beyond the end. */
export async function listChanges(ctx: CoreContext, caller: Caller, input: ChangesInput): Promise<ChangeList> {
  const { after, types, shipmentId, narrowedBy, limit } = input;
  const query: FeedQuery = {
    test: caller.test,
    after: after === 'latest' ? Number.MAX_SAFE_INTEGER : (after ?? 0),
    types: types === null ? null : [...new Set(types)],
    shipmentId,
    eventKeys: eventKeysOf(narrowedBy),
    limit,
  };
  const page = await withAccount(ctx.store, caller.accountId, (tx) => readFeed(tx, caller.accountId, query));
  if (typeof after === 'number' && after > page.given) throw beyondTheEnd(page.given);
  logUnreadable(ctx, caller.accountId, page);
  return {
    changes: page.changes,
    limit,
    hasMore: page.hasMore || page.searchedTo !== null,
    nextAfter: page.end,
    oldestSequence: page.removed + 1,
    latestSequence: page.given,
    gap: page.unreadable.length > 0 || (typeof after === 'number' && (after < page.removed || page.skippedTo !== null)),
    asOf: page.readAt,
  };
}

/** The database is another one. Continuing would silently skip everything up to this sequence. */
export function beyondTheEnd(latest: number): LandfallError {
  const detail = `after is beyond the latest position, ${latest}. Read the feed again, from the start or from latest.`;
  return new LandfallError('validation_failed', detail, { mistakes: [{ pointer: '?after', code: 'too_big', detail }] });
}

/** Reports changes that readers don't get to the operator. Readers learn that changes are missing. */
export function logUnreadable(ctx: CoreContext, accountId: string, { unreadable }: Pick<FeedPage, 'unreadable'>): void {
  for (const { id, sequence, error } of unreadable)
    ctx.log.error(
      { err: error, account_id: accountId, change_id: id, sequence },
      'change cannot be decoded; readers of the feed skip it',
    );
}
