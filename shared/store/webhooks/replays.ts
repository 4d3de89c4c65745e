import type { WebhookReplay } from '#shared/domain/webhooks/replay.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type ReplayRow = Omit<WebhookReplay, 'from' | 'to'> & { fromSequence: number; toSequence: number };

const columns =
  'id, endpoint_id, from_sequence, to_sequence, failed_only, sequence, queued, state, created_at, completed_at';

/** Starts a replay, or returns null if the endpoint has a running one. A range without a sequence is done at once. */
export async function insertReplay(
  tx: Tx,
  accountId: string,
  wanted: { endpointId: string; from: number; to: number; failedOnly: boolean; isEmpty: boolean },
): Promise<WebhookReplay | null> {
  const [row] = await readRows<ReplayRow>(tx, {
    name: 'insert-webhook-replay',
    text: `
      with added as (
        insert into landfall.webhook_replays (
          account_id, endpoint_id, from_sequence, to_sequence, failed_only, sequence, state, completed_at
        )
        values ($1, $2, $3::bigint, $4, $5, $3::bigint - 1, case when $6 then 'done' else 'running' end, case when $6 then now() end)
        on conflict do nothing
        returning account_id, ${columns}
      ),
      woken as (
        update landfall.webhook_cursors as c set retry_at = least(c.retry_at, now())
        from added as a
        where c.account_id = a.account_id and c.endpoint_id = a.endpoint_id
      )
      select ${columns} from added`,
    values: [accountId, wanted.endpointId, wanted.from, wanted.to, wanted.failedOnly, wanted.isEmpty],
  });
  return row === undefined ? null : toReplay(row);
}

type ReplayKey = { endpointId: string; id: string };

export async function readReplay(tx: Tx, accountId: string, key: ReplayKey): Promise<WebhookReplay | null> {
  const [row] = await readRows<ReplayRow>(tx, {
    name: 'read-webhook-replay',
    text: `select ${columns} from landfall.webhook_replays where account_id = $1 and endpoint_id = $2 and id = $3`,
    values: [accountId, key.endpointId, key.id],
  });
  return row === undefined ? null : toReplay(row);
}

/** Newest first, before `after`. */
export async function listReplays(
  tx: Tx,
  accountId: string,
  page: { endpointId: string; after: string | null; limit: number },
): Promise<WebhookReplay[]> {
  const rows = await readRows<ReplayRow>(tx, {
    name: 'list-webhook-replays',
    text: `
      select ${columns} from landfall.webhook_replays
      where account_id = $1 and endpoint_id = $2 and ($3::uuid is null or id < $3)
      order by id desc
      limit $4`,
    values: [accountId, page.endpointId, page.after, page.limit],
  });
  return rows.map(toReplay);
}

/** Ends a running replay. What it has queued stays. */
export async function cancelReplay(tx: Tx, accountId: string, key: ReplayKey): Promise<void> {
  await tx.query({
    name: 'cancel-webhook-replay',
    text: `
      update landfall.webhook_replays set state = 'cancelled', completed_at = now()
      where account_id = $1 and endpoint_id = $2 and id = $3 and state = 'running'`,
    values: [accountId, key.endpointId, key.id],
  });
}

/** The first and the last sequence that the feed has, and those that it still keeps. */
export async function readFeedRange(tx: Tx, accountId: string): Promise<{ oldest: number; latest: number }> {
  const rows = await readRows<{ oldest: number; latest: number }>(tx, {
    name: 'read-feed-range',
    text: 'select removed + 1 as oldest, given as latest from landfall.account_feeds where account_id = $1',
    values: [accountId],
  });
  return rows[0] ?? { oldest: 1, latest: 0 };
}

/** The first change at or after a sequence. Null: none. */
export async function readChangeAt(
  tx: Tx,
  accountId: string,
  { test, sequence }: { test: boolean; sequence: number },
): Promise<{ sequence: number; createdAt: string } | null> {
  const rows = await readRows<{ sequence: number; createdAt: string }>(tx, {
    name: 'read-change-at',
    text: `
      select sequence, created_at from landfall.changes
      where account_id = $1 and test = $2 and sequence >= $3
      order by sequence
      limit 1`,
    values: [accountId, test, sequence],
  });
  return rows[0] ?? null;
}

function toReplay({ fromSequence: from, toSequence: to, ...replay }: ReplayRow): WebhookReplay {
  return { ...replay, from, to };
}
