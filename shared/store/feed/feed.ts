import type { Change, ChangeData } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { Tx } from '../with-account.ts';

/** A query for changes: those after `after`, in order, at most `limit`. Null: no such condition. */
export type FeedQuery = {
  test: boolean;
  after: number;
  types: readonly ChangeType[] | null;
  shipmentId: string | null;
  limit: number;
};

/**
 * A page of the feed, all as of one moment. It contains every matching change up to `given`, except those up to
 * `removed`.
 */
export type FeedPage = {
  changes: Change[];
  hasMore: boolean;
  /** The last assigned position, over all accounts. */
  given: number;
  /** Changes up to this position have been deleted. */
  removed: number;
  /** ISO UTC. */
  readAt: string;
};

type FeedRow = { given: number; removed: number; read_at: Date } & (
  | { id: null }
  | { id: string; position: number; type: ChangeType; created_at: Date; data: ChangeData; traceparent: string | null }
);

const columns = 'c.id, c.position, c.type, c.created_at, c.data, c.traceparent';

/**
 * Each kind of query has an index that returns exactly its rows in order. `$1` account, `$2` test, `$3` after, `$4`
 * limit.
 */
const sources = {
  all: {
    name: 'read-feed',
    text: `
      select ${columns} from landfall.changes as c
      where c.account_id = $1 and c.test = $2 and c.position > $3
      order by c.position
      limit $4`,
  },
  byType: {
    name: 'read-feed-by-type',
    text: `
      select ${columns}
      from unnest($5::text[]) as t (type)
      cross join lateral (
        select ${columns} from landfall.changes as c
        where c.account_id = $1 and c.test = $2 and c.type = t.type and c.position > $3
        order by c.position
        limit $4
      ) as c
      order by c.position
      limit $4`,
  },
  byShipment: {
    name: 'read-feed-by-shipment',
    text: `
      select ${columns} from landfall.changes as c
      where c.account_id = $1 and c.shipment_id = $6 and c.test = $2 and c.position > $3 and ($5::text[] is null or c.type = any($5::text[]))
      order by c.position
      limit $4`,
  },
};

/** One statement, so that positions and rows are of the same moment. */
export async function readFeed(tx: Tx, accountId: string, query: FeedQuery): Promise<FeedPage> {
  const { name, text, values } = sourceOf(query);
  const { rows } = await tx.query<FeedRow>({
    name,
    text: `
      select f.given, f.removed, now() as read_at, ${columns}
      from (
        select max(position) filter (where name = 'given') as given, max(position) filter (where name = 'removed') as removed
        from landfall.feed_positions
      ) as f
      left join (${text}) as c on true
      order by c.position`,
    values: [accountId, query.test, query.after, query.limit + 1, ...values],
  });
  const [first] = rows;
  if (first === undefined) throw new Error('the feed has no positions');
  const found = rows.flatMap((row) => (row.id === null ? [] : [row])).slice(0, query.limit);
  return {
    changes: found.map((row) => ({
      id: row.id,
      position: row.position,
      type: row.type,
      createdAt: row.created_at.toISOString(),
      data: row.data,
      traceparent: row.traceparent,
    })),
    hasMore: rows.length > query.limit,
    given: first.given,
    removed: first.removed,
    readAt: first.read_at.toISOString(),
  };
}

function sourceOf({ types, shipmentId }: FeedQuery): { name: string; text: string; values: unknown[] } {
  if (shipmentId !== null) return { ...sources.byShipment, values: [types, shipmentId] };
  return types === null ? { ...sources.all, values: [] } : { ...sources.byType, values: [types] };
}
