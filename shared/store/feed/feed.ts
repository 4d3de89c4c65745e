import type { Change, ChangeData, EndpointChangeData, ShipmentChange } from '#shared/domain/feed/change.ts';
import type { ChangeType } from '#shared/domain/feed/change-types.ts';
import type { Store } from '../open-store.ts';
import type { Tx } from '../with-account.ts';
import { eventMarks } from './event-marks.ts';
import { unpackChanges } from './packed-changes.ts';

/** A query for changes: those after `after`, in order, at most `limit`. Null: no such condition. */
export type FeedQuery = {
  test: boolean;
  after: number;
  types: readonly ChangeType[] | null;
  shipmentId: string | null;
  /** Only changes that added an event with one of these keys. */
  eventKeys: readonly string[] | null;
  /** Only changes at these positions. Absent: any. */
  positions?: readonly number[];
  limit: number;
  /** Whether the page has `eventMarks`. */
  withMarks?: boolean;
};

/** A change whose stored data can't be decoded. */
export type UnreadableChange = Pick<Change, 'id' | 'position' | 'type' | 'createdAt' | 'traceparent'> & {
  error: unknown;
};

/** A change with the marks of its added events, if the query asked for them. */
export type FoundChange = Change & { eventMarks?: readonly number[] };

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
  /** How far a narrowed page was searched; null: to the end, or it is full. */
  searchedTo: number | null;
  /** The last assigned position of the account. */
  given: number;
  /** Changes up to this position have been deleted. */
  removed: number;
  /**
   * `after` was given before a restore, to a change that no longer exists: the position from which the feed continues.
   * Null: it was not.
   */
  skippedTo: number | null;
  /** ISO UTC. */
  readAt: string;
};

type FeedRow = {
  given: number;
  removed: number;
  skipped_to: number | null;
  read_at: Date;
  searched_to: number | null;
} & (
  | { id: null }
  | {
      id: string;
      position: number;
      type: ChangeType;
      created_at: Date;
      /** Null: it is packed. */
      data: ChangeData | EndpointChangeData | null;
      /** Null: the row has its data. */
      holder: number | null;
      packed_place: number | null;
      /** Null also when the row before has the same holder. */
      packed: Buffer | null;
      traceparent: string | null;
      /** Absent unless asked for. */
      event_marks?: number[] | null;
      /** In place of the marks in rows of an earlier release. */
      event_keys?: string[] | null;
    }
);

/** Changes per page of a narrowed feed that are scanned. Beyond, the next page goes on. */
const maxSearched = 10_000;

const columns =
  'c.id, c.seq, c.position, c.shipment_id, c.type, c.created_at, c.data, c.packed, c.packed_place, c.traceparent, c.event_marks, c.event_keys';

/** The columns of the page. A value that several rows share is fetched once where they follow one another. */
const shownColumns = `
        c.id, c.position, c.type, c.created_at, c.data, h.seq as holder, c.packed_place,
        case when h.seq is distinct from lag(h.seq) over (order by c.position) then h.packed end as packed,
        coalesce(c.traceparent, h.traceparent) as traceparent`;

/**
 * The row that holds the packed data of `c`: itself, or the shipment's next with a packed value. That one still waits for
 * its position if the sequencer stopped between them. The parts are tried in turn until one has a row.
 */
const holder = `
        select c.seq, c.packed, c.traceparent where c.packed is not null
        union all
        (
          select h.seq, h.packed, h.traceparent from landfall.changes as h
          where c.data is null and h.account_id = $1 and h.shipment_id = c.shipment_id and h.position > c.position and h.packed is not null
          order by h.position
          limit 1
        )
        union all
        (
          select h.seq, h.packed, h.traceparent from landfall.changes as h
          where c.data is null and h.account_id = $1 and h.shipment_id = c.shipment_id and h.position is null and h.seq > c.seq
            and h.packed is not null
          order by h.seq
          limit 1
        )
        limit 1`;

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
  byPosition: {
    name: 'read-feed-by-position',
    text: `
      select ${columns} from landfall.changes as c
      where c.account_id = $1 and c.test = $2 and c.position > $3 and c.position = any ($5::bigint[])
      order by c.position
      limit $4`,
  },
  narrowed: {
    name: 'read-narrowed-feed',
    text: `
      select ${columns}
      from (select s.position from searched as s where s.matches order by s.position limit $4) as matching
      join landfall.changes as c on c.account_id = $1 and c.test = $2 and c.position = matching.position
      order by c.position`,
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

/**
 * The added events of a narrowed page, each row found by its index and checked without its data. `$5` marks, `$6`
 * shipment, `$7` the keys that rows of an earlier release have.
 */
const searched = `
      with searched as materialized (
        select c.position, coalesce(c.event_marks && $5::integer[], c.event_keys && $7::text[]) as matches
        from landfall.changes as c
        where c.account_id = $1 and c.test = $2 and c.type = 'shipment.event_added' and c.position > $3
          and ($6::uuid is null or c.shipment_id = $6)
        order by c.position
        limit ${maxSearched}
      )`;
const searchedToOf = `(select case when count(*) = ${maxSearched} then max(position) end from searched)`;

/** One statement, so that positions and rows are of the same moment. */
export async function readFeed(tx: Tx, accountId: string, query: FeedQuery): Promise<FeedPage> {
  const { eventKeys, withMarks = false } = query;
  const { name, text, values } = sourceOf(query);
  const { rows } = await tx.query<FeedRow>({
    name: withMarks ? `${name}-with-marks` : name,
    text: `${eventKeys === null ? '' : searched}
      select f.given, f.removed, f.skipped_to, now() as read_at, ${eventKeys === null ? 'null::bigint' : searchedToOf} as searched_to, ${shownColumns}${withMarks ? ', c.event_marks, c.event_keys' : ''}
      from (
        select coalesce(max(given), 0) as given, coalesce(max(removed), 0) as removed,
          max((select upper(one) from unnest(skipped) as one where $3::bigint <@ one)) as skipped_to
        from landfall.account_feeds
        where account_id = $1
      ) as f
      left join (${text}) as c on true
      left join lateral (${holder}
      ) as h on true
      order by c.position`,
    values: [accountId, query.test, query.after, query.limit + 1, ...values],
  });
  const [first] = rows;
  if (first === undefined) throw new Error('the database returned no feed');
  const found = rows.flatMap((row) => (row.id === null ? [] : [row])).slice(0, query.limit);
  const hasMore = rows.length > query.limit;
  const searchedTo = hasMore ? null : first.searched_to;
  const dataOf = openDataReader();
  const changes: FoundChange[] = [];
  const unreadable: UnreadableChange[] = [];
  for (const row of found) {
    const { id, position, type, traceparent } = row;
    const head = { id, position, createdAt: row.created_at.toISOString(), traceparent };
    try {
      changes.push({
        ...head,
        ...(withMarks && { eventMarks: row.event_marks ?? eventMarks(row.event_keys ?? []) }),
        // Each type has its own data.
        ...({ type, data: row.data ?? dataOf(row) } as Pick<ShipmentChange, 'type' | 'data'>),
      });
    } catch (error) {
      unreadable.push({ ...head, type, error });
    }
  }
  return {
    changes,
    unreadable,
    hasMore,
    end: hasMore ? (found.at(-1)?.position ?? first.given) : (searchedTo ?? first.given),
    searchedTo,
    given: first.given,
    removed: first.removed,
    skippedTo: first.skipped_to,
    readAt: first.read_at.toISOString(),
  };
}

type PackedRow = { id: string; holder: number | null; packed: Buffer | null; packed_place: number | null };

/** Unpacks each value of a page once. */
function openDataReader(): (row: PackedRow) => ChangeData {
  const unpacked = new Map<number | null, ReturnType<typeof unpackChanges>>();
  return ({ id, holder, packed, packed_place }) => {
    const known = unpacked.get(holder) ?? (packed && unpackChanges(packed));
    if (!known || packed_place === null) throw new Error(`the data of change ${id} is missing`);
    unpacked.set(holder, known);
    return known.dataAt(packed_place);
  };
}

function sourceOf({ types, shipmentId, eventKeys, positions }: FeedQuery): {
  name: string;
  text: string;
  values: unknown[];
} {
  if (eventKeys !== null) return { ...sources.narrowed, values: [eventMarks(eventKeys), shipmentId, eventKeys] };
  if (positions !== undefined) return { ...sources.byPosition, values: [positions] };
  if (shipmentId !== null) return { ...sources.byShipment, values: [types, shipmentId] };
  return types === null ? { ...sources.all, values: [] } : { ...sources.byType, values: [types] };
}

/** The last assigned position of each of these accounts. Those without changes are missing. */
export async function readFeedEnds(store: Store, accountIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await store.system.query<{ account_id: string; given: number }>({
    name: 'read-feed-ends',
    text: 'select account_id, given from landfall.account_feeds where account_id = any($1::uuid[])',
    values: [accountIds],
  });
  return new Map(rows.map(({ account_id, given }) => [account_id, given]));
}
