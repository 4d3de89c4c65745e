import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { WebhookReplay } from '#shared/domain/webhooks/replay.ts';
import { readEndpoint } from '#shared/store/webhooks/endpoints.ts';
import {
  cancelReplay,
  insertReplay,
  listReplays,
  readChangeAt,
  readFeedRange,
  readReplay,
} from '#shared/store/webhooks/replays.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { auditEndpoint } from './create-endpoint.ts';
import { noSuchEndpoint } from './read-endpoints.ts';
import { refuseDisabled } from './resend-delivery.ts';

/** A sequence, or a time in ISO UTC. Null: the oldest or the latest change. */
export type ReplayEdge = number | string | null;
export type ReplayInput = { endpointId: string; from: ReplayEdge; to: ReplayEdge; failedOnly: boolean };

/**
 * Starts to send the changes of a range again. Throws LandfallError `webhook_endpoint_not_found`, `validation_failed`
 * for a range whose end is before its start, or `invalid_state` while a replay is running or the endpoint is disabled.
 */
export async function replayWebhookEndpoint(
  ctx: CoreContext,
  caller: Caller,
  input: ReplayInput,
): Promise<WebhookReplay> {
  const { accountId, test } = caller;
  const { endpointId, failedOnly } = input;
  return withAccount(ctx.store, accountId, async (tx) => {
    const endpoint = await readEndpoint(tx, accountId, { id: endpointId, test });
    if (endpoint === null) throw noSuchEndpoint();
    refuseDisabled(endpoint);
    const feed = { accountId, test, ...(await readFeedRange(tx, accountId)) };
    const from = await firstSequence(tx, feed, input.from);
    const to = await lastSequence(tx, feed, input.to);
    if (isReversed(input, { from, to })) {
      const detail = 'to is before from.';
      throw new LandfallError('validation_failed', detail, {
        mistakes: [{ pointer: '/to', code: 'contradiction', detail }],
      });
    }
    const isEmpty = to < from;
    const range = { from, to: Math.max(from, to) };
    const replay = await insertReplay(tx, accountId, { endpointId, ...range, failedOnly, isEmpty });
    if (replay === null)
      throw new LandfallError(
        'invalid_state',
        'A replay of this endpoint is running. Cancel it or wait until it is done.',
      );
    const detail = { replay: encodeTypeId('rpl', replay.id), ...range, failedOnly };
    await auditEndpoint(tx, caller, { action: 'replayed', id: endpointId, detail });
    return replay;
  });
}

type Feed = { accountId: string; test: boolean; oldest: number; latest: number };

/** Edges of one kind compare as they were sent; a sequence and a time by the sequences that they mean. */
function isReversed({ from, to }: Pick<ReplayInput, 'from' | 'to'>, range: { from: number; to: number }): boolean {
  if (from === null || to === null) return false;
  if (typeof from === typeof to) return from > to;
  return range.from > range.to;
}

async function firstSequence(tx: Tx, feed: Feed, from: ReplayEdge): Promise<number> {
  if (typeof from === 'string') return sequenceAt(tx, feed, from);
  return Math.max(from ?? 0, feed.oldest);
}

/** A change of the very millisecond is part of the range. */
async function lastSequence(tx: Tx, feed: Feed, to: ReplayEdge): Promise<number> {
  if (typeof to !== 'string') return Math.min(to ?? feed.latest, feed.latest);
  return (await sequenceAt(tx, feed, new Date(Date.parse(to) + 1).toISOString())) - 1;
}

/**
 * The sequence of the first change at or after a time; beyond the latest if there is none. A search by halves: sequences
 * follow the times of the changes to within the length of a transaction.
 */
async function sequenceAt(tx: Tx, { accountId, test, oldest, latest }: Feed, at: string): Promise<number> {
  let low = oldest;
  let high = latest + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const change = await readChangeAt(tx, accountId, { test, sequence: middle });
    if (change === null || change.createdAt >= at) high = middle;
    else low = change.sequence + 1;
  }
  return low;
}

/** Throws LandfallError `webhook_endpoint_not_found` or `webhook_replay_not_found`. */
export async function getWebhookReplay(
  ctx: CoreContext,
  caller: Caller,
  key: { endpointId: string; id: string },
): Promise<WebhookReplay> {
  return withAccount(ctx.store, caller.accountId, async (tx) => findReplay(tx, caller, key));
}

/** One page, newest first. Throws LandfallError `webhook_endpoint_not_found`. */
export async function listWebhookReplays(
  ctx: CoreContext,
  { accountId, test }: Caller,
  page: { endpointId: string; after: string | null; limit: number },
): Promise<{ replays: WebhookReplay[]; hasMore: boolean }> {
  return withAccount(ctx.store, accountId, async (tx) => {
    if ((await readEndpoint(tx, accountId, { id: page.endpointId, test })) === null) throw noSuchEndpoint();
    const found = await listReplays(tx, accountId, { ...page, limit: page.limit + 1 });
    return { replays: found.slice(0, page.limit), hasMore: found.length > page.limit };
  });
}

/**
 * Ends a replay; deliveries that it has queued are still sent. Idempotent. Throws LandfallError
 * `webhook_endpoint_not_found` or `webhook_replay_not_found`.
 */
export async function cancelWebhookReplay(
  ctx: CoreContext,
  caller: Caller,
  key: { endpointId: string; id: string },
): Promise<WebhookReplay> {
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    const { state } = await findReplay(tx, caller, key);
    if (state === 'running') {
      await cancelReplay(tx, caller.accountId, key);
      const detail = { replay: encodeTypeId('rpl', key.id) };
      await auditEndpoint(tx, caller, { action: 'replay_cancelled', id: key.endpointId, detail });
    }
    return findReplay(tx, caller, key);
  });
}

async function findReplay(
  tx: Tx,
  { accountId, test }: Caller,
  key: { endpointId: string; id: string },
): Promise<WebhookReplay> {
  if ((await readEndpoint(tx, accountId, { id: key.endpointId, test })) === null) throw noSuchEndpoint();
  const replay = await readReplay(tx, accountId, key);
  if (replay === null) throw new LandfallError('webhook_replay_not_found', 'Replay not found.');
  return replay;
}
