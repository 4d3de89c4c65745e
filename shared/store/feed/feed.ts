import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { Store } from '../open-store.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';
import { eventHashes } from './event-hashes.ts';
import {
  changesFrom,
  type FeedRow,
  type FoundChange,
  holder,
  shownColumns,
  storedColumns,
  type UnreadableChange,
} from './feed-rows.ts';

/** A query for changes: those after `after`, in order, at most `limit`. Null: no such condition. */
export type FeedQuery = {
  test: boolean;
  after: number;
  types: readonly ChangeType[] | null;
  shipmentId: string | null;
  /** Only changes that added an event with one of these keys. */
  eventKeys: readonly string[] | null;
  /** Only changes at these sequences. Absent: any. */
  sequences?: readonly number[];
  limit: number;
  /** True when the page includes `eventHashes`. */
  withMarks?: boolean;
};

/**
 * A page of the feed, all as of one moment. It contains every matching change up to `given`, except those up to
 * `removed`.
 */
export type FeedPage = {
  changes: FoundChange[];
  /** Matching changes that are missing from `changes`. One of them must not keep a reader from all later ones. */
  unreadable: UnreadableChange[];
  hasMore: boolean;
  /** The page has every matching change up to here. */
  end: number;
  /** Sequence up to which a narrowed page was searched; null: to the end, or it is full. */
  searchedTo: number | null;
  /** The last assigned sequence of the account. */
  given: number;
  /** Changes up to this sequence have been deleted. */
  removed: number;
  /**
   * `after` was given before a restore, to a change that no longer exists: the sequence from which the feed continues.
   * Null: it was not.
   */
  skippedTo: number | null;
  /** ISO UTC. */
  readAt: string;
};

type PageRow = {
  given: number;
  removed: number;
  skippedTo: number | null;
  readAt: string;
  searchedTo: number | null;
} & ({ id: null } | FeedRow);

/** Changes per page of a narrowed feed that are scanned. Beyond, the next page goes on. */
const maxSearched = 10_000;

/**
 * Each kind of query has an index that returns exactly its rows in order. `$1` account, `$2` test, `$3` after, `$4`
 * limit.
 */
const sources = {
  all: {
    name: 'read-feed',
    text: `
      select ${storedColumns} from landfall.changes as c
      where c.account_id = $1 and c.test = $2 and c.sequence > $3
      order by c.sequence
      limit $4`,
  },
  byType: {
    name: 'read-feed-by-type',
    text: `
      select ${storedColumns}
      from unnest($5::text[]) as t (type)
      cross join lateral (
        select ${storedColumns} from landfall.changes as c
        where c.account_id = $1 and c.test = $2 and c.type = t.type and c.sequence > $3
        order by c.sequence
        limit $4
      ) as c
      order by c.sequence
      limit $4`,
  },
  bySequence: {
    name: 'read-feed-by-sequence',
    text: `
      select ${storedColumns} from landfall.changes as c
      where c.account_id = $1 and c.test = $2 and c.sequence > $3 and c.sequence = any ($5::bigint[])
      order by c.sequence
      limit $4`,
  },
  narrowed: {
    name: 'read-narrowed-feed',
    text: `
      select ${storedColumns}
      from (select s.sequence from searched as s where s.matches order by s.sequence limit $4) as matching
      join landfall.changes as c on c.account_id = $1 and c.test = $2 and c.sequence = matching.sequence
      order by c.sequence`,
  },
  byShipment: {
    name: 'read-feed-by-shipment',
    text: `
      select ${storedColumns} from landfall.changes as c
      where c.account_id = $1 and c.shipment_id = $6 and c.test = $2 and c.sequence > $3 and ($5::text[] is null or c.type = any($5::text[]))
      order by c.sequence
      limit $4`,
  },
};

/**
 * The added events of a narrowed page, each row found by its index and checked without its data. `$5` marks, `$6`
 * shipment.
 */
const searched = `
      with searched as materialized (
        select c.sequence, c.event_marks && $5::integer[] as matches
        from landfall.changes as c
        where c.account_id = $1 and c.test = $2 and c.type = 'shipment.event_added' and c.sequence > $3
          and ($6::uuid is null or c.shipment_id = $6)
        order by c.sequence
        limit ${maxSearched}
      )`;
const searchedToOf = `(select case when count(*) = ${maxSearched} then max(sequence) end from searched)`;

/** One statement, so that sequences and rows are of the same moment. */
export async function readFeed(tx: Tx, accountId: string, query: FeedQuery): Promise<FeedPage> {
  const { eventKeys, withMarks = false } = query;
  const { name, text, values } = sourceOf(query);
  const rows = await readRows<PageRow>(tx, {
    name: withMarks ? `${name}-with-marks` : name,
    text: `${eventKeys === null ? '' : searched}
      select f.given, f.removed, f.skipped_to, now() as read_at, ${eventKeys === null ? 'null::bigint' : searchedToOf} as searched_to, ${shownColumns}${withMarks ? ', c.event_marks' : ''}
      from (
        select coalesce(max(given), 0) as given, coalesce(max(removed), 0) as removed,
          max((select upper(one) from unnest(skipped) as one where $3::bigint <@ one)) as skipped_to
        from landfall.account_feeds
        where account_id = $1
      ) as f
      left join (${text}) as c on true
      left join lateral (${holder}
      ) as h on true
      order by c.sequence`,
    values: [accountId, query.test, query.after, query.limit + 1, ...values],
  });
  const [first] = rows;
  if (first === undefined) throw new Error('the database returned no feed');
  const found = rows.flatMap((row) => (row.id === null ? [] : [row])).slice(0, query.limit);
  const hasMore = rows.length > query.limit;
  const searchedTo = hasMore ? null : first.searchedTo;
  const { changes, unreadable } = changesFrom(found, withMarks);
  return {
    changes,
    unreadable,
    hasMore,
    end: hasMore ? (found.at(-1)?.sequence ?? first.given) : (searchedTo ?? first.given),
    searchedTo,
    given: first.given,
    removed: first.removed,
    skippedTo: first.skippedTo,
    readAt: first.readAt,
  };
}

function sourceOf({ types, shipmentId, eventKeys, sequences }: FeedQuery): {
  name: string;
  text: string;
  values: unknown[];
} {
  if (eventKeys !== null) return { ...sources.narrowed, values: [eventHashes(eventKeys), shipmentId] };
  if (sequences !== undefined) return { ...sources.bySequence, values: [sequences] };
  if (shipmentId !== null) return { ...sources.byShipment, values: [types, shipmentId] };
  return types === null ? { ...sources.all, values: [] } : { ...sources.byType, values: [types] };
}

/** The last assigned sequence of each of these accounts. Those without changes are missing. */
export async function readFeedEnds(store: Store, accountIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await readRows<{ accountId: string; given: number }>(store.system, {
    name: 'read-feed-ends',
    text: 'select account_id, given from landfall.account_feeds where account_id = any($1::uuid[])',
    values: [accountIds],
  });
  return new Map(rows.map(({ accountId, given }) => [accountId, given]));
}
