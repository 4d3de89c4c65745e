import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { Change } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import { type FeedQuery, readFeed } from '#shared/store/feed/feed.ts';
import { positionWaitingChanges } from '#shared/store/system/position-changes.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type ChangesInput = {
  /** The position the reader has reached; null: from the oldest change that is kept; `latest`: no change, only where the feed ends. */
  after: number | 'latest' | null;
  types: readonly ChangeType[] | null;
  /** A uuid. */
  shipmentId: string | null;
  limit: number;
};

export type ChangeList = {
  changes: Change[];
  limit: number;
  hasMore: boolean;
  /** Where to read on: nothing that matches lies between the last change here and this position. */
  nextAfter: number;
  oldestPosition: number;
  latestPosition: number;
  /** Changes after `after` are no longer kept, so the reader missed some. */
  gap: boolean;
  /** ISO UTC. */
  asOf: string;
};

/** Changes of the account in the order of the feed. Throws LandfallError `validation_failed` when `after` was never given. */
export async function listChanges(ctx: CoreContext, caller: Caller, input: ChangesInput): Promise<ChangeList> {
  const { after, types, shipmentId, limit } = input;
  const query: FeedQuery = {
    test: caller.test,
    after: after === 'latest' ? Number.MAX_SAFE_INTEGER : (after ?? 0),
    types: types === null ? null : [...new Set(types)],
    shipmentId,
    limit,
  };
  const page = await withAccount(ctx.store, caller.accountId, (tx) => readFeed(tx, caller.accountId, query));
  if (typeof after === 'number' && after > page.given) throw beyondTheEnd(after, page.given);
  return {
    changes: page.changes,
    limit,
    hasMore: page.hasMore,
    nextAfter: page.hasMore ? (page.changes.at(-1)?.position ?? page.given) : page.given,
    oldestPosition: page.removed + 1,
    latestPosition: page.given,
    gap: typeof after === 'number' && after < page.removed,
    asOf: page.readAt,
  };
}

/** The database is another one or an older state of it: going on silently would skip all that happens until this position. */
function beyondTheEnd(after: number, latest: number): LandfallError {
  const detail = `after may be at most the latest position, ${latest}; ${after} was not given by this feed. Read it anew, from the start or from latest`;
  return new LandfallError('validation_failed', detail, { mistakes: [{ pointer: '?after', code: 'too_big', detail }] });
}

/** Rows that one transaction gives a position; more would hold its locks for too long. */
export const positionBatchSize = 5000;

/**
 * Gives committed changes their place in the feed, at most `positionBatchSize`; any process may call it at any time. Gives how many there
 * were, or null when another process is just doing it.
 */
export function positionChanges(ctx: CoreContext): Promise<number | null> {
  return positionWaitingChanges(ctx.store, positionBatchSize);
}
