import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import {
  type PlaceSuggestion,
  type ResolvedFilter,
  type ShipmentFilter,
  type ShipmentSort,
  withoutFreeTime,
} from '#shared/domain/lists/filter.ts';
import type { GroupCounts, GroupDimension } from '#shared/domain/lists/group-dimensions.ts';
import { decodeListCursor, encodeListCursor, markOf, maxShownFirst } from '#shared/domain/lists/list-cursor.ts';
import { matchesFilter } from '#shared/domain/lists/matches-filter.ts';
import { isNamedList, namedLists } from '#shared/domain/lists/named-lists.ts';
import type { Shipment, Status } from '#shared/domain/record/shipment.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { countGroups } from '#shared/store/lists/group-counts.ts';
import { narrowByWords } from '#shared/store/lists/narrow-by-words.ts';
import {
  countLimit,
  countShipments,
  countUnknownTerms,
  type ShipmentCounts,
} from '#shared/store/lists/shipment-counts.ts';
import type { FilterScope } from '#shared/store/lists/shipment-filter.ts';
import {
  type ListPosition,
  type PageRequest,
  readMatchingIds,
  readShipmentPage,
} from '#shared/store/lists/shipment-list.ts';
import { isStatementTimeout } from '#shared/store/store-errors.ts';
import { type Tx, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { type FoundListed, findListed } from './find-listed.ts';
import { resolveMemberFilter } from './resolve-member-filter.ts';
import { suggestPlaces } from './suggest-places.ts';

export type ListInput = {
  filter: ShipmentFilter;
  /** Only shipments with one of these numbers: any identifier, the reference or the shipment id. Default: any. */
  numbers?: readonly string[];
  sort: ShipmentSort;
  /** 0: counts alone. */
  limit: number;
  cursor: string | null;
  withCounts: boolean;
  /** If false, `journey.events` and `journey.etaHistory` are empty. Default: false. */
  withEvents?: boolean;
  /** On the first page, shipments with `filter.q` as a complete number come first. Default: false. */
  exactFirst?: boolean;
  /** Counts all matches in groups. Default: does not. */
  groupBy?: GroupDimension | null;
};

export type ShipmentList = {
  shipments: Shipment[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
  /** Null unless requested. */
  total: number | null;
  totalIsLowerBound: boolean;
  countsByStatus: Partial<Record<Status, number>> | null;
  staleCount: number | null;
  /**
   * Of a list by free time: how many shipments match the rest of the filter and have a clock without known terms, so
   * for which membership is unknown, up to 10,000. Null: the list is not by free time.
   */
  unknownTerms: number | null;
  groups: GroupCounts | null;
  /** Of a list by `numbers`. Null: it is another. */
  listed: ListedNumbers | null;
  /** For each place of the filter, if nothing matches: the account's own nearest places. */
  suggestions: PlaceSuggestion[];
  /** When the first page was read, ISO UTC. Later changes are in the feed. */
  asOf: string;
};

/** `matched`: the numbers of each shipment, by uuid. `leftOut`: numbers of shipments that the rest of the filter excludes. */
export type ListedNumbers = Pick<FoundListed, 'matched' | 'notFound'> & { leftOut: string[] };

/**
 * One page of the account's shipments. Throws LandfallError `list_too_slow`, or `invalid_cursor` for a cursor of
 * another filter, sort or account.
 */
export async function listShipments(ctx: CoreContext, caller: Caller, asked: ListInput): Promise<ShipmentList> {
  const input = { ...asked, filter: resolveMemberFilter(caller, asked.filter) };
  const { accountId, test } = caller;
  const boundTo = JSON.stringify([
    accountId,
    test,
    input.sort,
    canonical(input.filter),
    canonical(input.numbers ?? null),
  ]);
  const from = input.cursor === null ? beginning : readPosition(input.cursor, { sort: input.sort, boundTo });
  const filter = resolveFilter(input.filter);
  const accountScope = { accountId, test, filter };
  const unassessed = withoutFreeTime(filter, input.sort);
  const request = { sort: input.sort, limit: input.limit, withEvents: input.withEvents ?? false };
  return nameFastLists(() =>
    withAccountReads(ctx.store, accountId, readInTime, { timeoutMs: isFastList(input) ? undefined : unnamedTimeoutMs }),
  );

  async function readInTime(tx: Tx): Promise<ShipmentList> {
    const found = input.numbers === undefined ? null : await findListed(tx, caller, input.numbers);
    const wholeScope = found === null ? accountScope : { ...accountScope, candidates: found.candidates };
    const isRead = input.limit > 0;
    const isFirst = input.exactFirst === true && input.cursor === null && isRead;
    const first = isFirst ? await readExact(tx, wholeScope, request) : [];
    const shownFirst = [...from.shown, ...first.map((shipment) => markOf(shipment.id))];
    const room = input.limit - first.length;
    // Resolved once, for the page and the counts.
    const scope = input.withCounts ? await narrowByWords(tx, wholeScope, countLimit) : wholeScope;
    const page = await readShipmentPage(tx, scope, { ...request, limit: Math.max(room, 1), after: from.after });
    const others = page.shipments.filter((shipment) => !shownFirst.includes(markOf(shipment.id)));
    const counts = input.withCounts ? withOthers(await countShipments(tx, scope), first, filter) : null;
    // Without room the page was only peeked at, so the next one starts where this one did.
    const next = room > 0 ? page.next : from.after;
    const hasMore = room > 0 ? page.next !== null : others.length > 0 || page.next !== null;
    const isEmpty = input.cursor === null && first.length === 0 && page.shipments.length === 0;
    const place = placeOf(next, page.asOf);
    return {
      shipments: room > 0 ? [...first, ...others] : first.slice(0, input.limit),
      limit: input.limit,
      hasMore,
      nextCursor:
        hasMore && isRead ? encodeListCursor({ ...place, shown: shownFirst }, { sort: input.sort, boundTo }) : null,
      total: counts?.total ?? null,
      totalIsLowerBound: counts?.totalIsLowerBound ?? false,
      countsByStatus: counts && withoutZeros(counts.byStatus),
      staleCount: counts?.stale ?? null,
      unknownTerms: unassessed === null ? null : await countUnknownTerms(tx, { ...wholeScope, filter: unassessed }),
      groups: input.groupBy ? await countGroups(tx, scope, input.groupBy) : null,
      listed: found && { ...found, leftOut: await findLeftOut(tx, wholeScope, found) },
      suggestions: isEmpty ? await suggestPlaces(tx, caller, input.filter) : [],
      asOf: page.asOf,
    };
  }
}

/** A list that no index serves must not hold a connection for long. */
const unnamedTimeoutMs = 1000;

/** Named lists, and those by a number or a reference: their cost doesn't depend on how many shipments there are. */
function isFastList({ filter, sort, numbers }: ListInput): boolean {
  const isNarrow =
    numbers !== undefined ||
    filter.identifier !== undefined ||
    filter.identifiers !== undefined ||
    filter.reference !== undefined;
  return isNarrow || isNamedList(filter, sort);
}

const fastLists = namedLists.map(({ example }) => example).join(' ; ');

/**
 * Runs a list query. A query that times out throws LandfallError `list_too_slow`, which names the lists that are always
 * fast.
 */
export async function nameFastLists<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LandfallError) || !isStatementTimeout(error.cause)) throw error;
    const detail = `The query timed out. Filter by a number or a reference, or use one of these lists: ${fastLists}`;
    throw new LandfallError('list_too_slow', detail, { cause: error.cause, retryAfterS: 30 });
  }
}

/** `shown`: marks of shipments that are not returned again. */
type Start = { after: ListPosition | null; shown: readonly number[] };

const beginning: Start = { after: null, shown: [] };

function placeOf(next: ListPosition | null, asOf: string): { value: string | null; id: string | null; asOf: string } {
  return next ?? { value: null, id: null, asOf };
}

/** The numbers of shipments that the rest of the filter excludes. */
async function findLeftOut(tx: Tx, scope: FilterScope, { matched }: FoundListed): Promise<string[]> {
  if (matched.size === 0) return [];
  const kept = new Set(await readMatchingIds(tx, scope));
  const shown = new Set([...matched].flatMap(([id, numbers]) => (kept.has(id) ? numbers : [])));
  return [...new Set([...matched.values()].flat())].filter((number) => !shown.has(number));
}

/** Shipments that match the rest of the filter and have `q` as a complete number. */
async function readExact(tx: Tx, scope: FilterScope, request: Omit<PageRequest, 'after'>): Promise<Shipment[]> {
  const { q, ...rest } = scope.filter;
  if (q === undefined || matchValue(q) === '' || rest.identifier !== undefined) return [];
  const filter = { ...rest, identifier: [q] };
  const page = { ...request, limit: Math.min(request.limit, maxShownFirst), after: null };
  return (await readShipmentPage(tx, { ...scope, filter }, page)).shipments;
}

/**
 * A number with its carrier's prefix finds its shipment without being part of its search text: those are counted too.
 */
function withOthers(counts: ShipmentCounts, exact: readonly Shipment[], filter: ResolvedFilter): ShipmentCounts {
  const { q = '', otherTexts = {} } = filter;
  const byStatus = { ...counts.byStatus };
  const others = exact.filter((shipment) => !matchesFilter({ q, otherTexts }, shipment));
  for (const { journey } of others) byStatus[journey.status] += 1;
  const stale = counts.stale + others.filter((shipment) => shipment.tracking.freshness === 'stale').length;
  return { ...counts, byStatus, stale, total: counts.total + others.length };
}

/** Equal filters give equal text, in whatever order their parts and values were sent. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([name, part]) => [name, canonical(part)] as const)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

function withoutZeros(counts: Record<Status, number>): Partial<Record<Status, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, counted]) => counted > 0));
}

function readPosition(cursor: string, place: { sort: ShipmentSort; boundTo: string }): Start {
  const read = decodeListCursor(cursor, place);
  if (read !== null) {
    const { id, value, asOf, shown } = read;
    if (id !== null) return { after: { value, id, asOf }, shown };
    if (shown.length > 0) return { after: null, shown };
  }
  throw new LandfallError(
    'invalid_cursor',
    'The cursor does not belong to this filter and sort. Start again without it.',
  );
}
