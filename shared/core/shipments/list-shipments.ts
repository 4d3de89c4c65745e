import type { Caller } from '#shared/domain/caller.ts';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import {
  type PlaceSuggestion,
  type ResolvedFilter,
  type ShipmentFilter,
  type ShipmentSort,
  withoutFreeTime,
} from '#shared/domain/shipments/filter.ts';
import { matchesFilter } from '#shared/domain/shipments/matches-filter.ts';
import { isNamedList, namedLists } from '#shared/domain/shipments/named-lists.ts';
import type { Shipment, Status } from '#shared/domain/shipments/shipment.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { narrowByWords } from '#shared/store/shipments/narrow-by-words.ts';
import {
  countLimit,
  countShipments,
  countUnknownTerms,
  type ShipmentCounts,
} from '#shared/store/shipments/shipment-counts.ts';
import type { FilterScope } from '#shared/store/shipments/shipment-filter.ts';
import { type ListPosition, type PageRequest, readShipmentPage } from '#shared/store/shipments/shipment-list.ts';
import { isStatementTimeout } from '#shared/store/store-errors.ts';
import { type Tx, withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { suggestPlaces } from './suggest-places.ts';

export type ListInput = {
  filter: ShipmentFilter;
  sort: ShipmentSort;
  limit: number;
  cursor: string | null;
  withCounts: boolean;
  /** If false, `journey.events` and `journey.etaHistory` are empty. Default: false. */
  withEvents?: boolean;
  /** On the first page, shipments with `filter.q` as a complete number come first. Default: false. */
  exactFirst?: boolean;
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
   * that nobody can tell whether they belong to it, up to 10,000. Null: the list is not by free time.
   */
  unknownTerms: number | null;
  /** For each place of the filter, if nothing matches: the account's own nearest places. */
  suggestions: PlaceSuggestion[];
  /** When the first page was read, ISO UTC. Later changes are in the feed. */
  asOf: string;
};

/**
 * One page of the account's shipments. Throws LandfallError `list_too_slow`, or `invalid_cursor` for a cursor of
 * another filter, sort or account.
 */
export async function listShipments(ctx: CoreContext, caller: Caller, input: ListInput): Promise<ShipmentList> {
  const { accountId, test } = caller;
  const boundTo = JSON.stringify([accountId, test, input.sort, canonical(input.filter)]);
  const from = input.cursor === null ? beginning : readPosition(input.cursor, { sort: input.sort, boundTo });
  const filter = resolveFilter(input.filter);
  const wholeScope = { accountId, test, filter };
  const unassessed = withoutFreeTime(filter, input.sort);
  const request = { sort: input.sort, limit: input.limit, withEvents: input.withEvents ?? false };
  return nameFastLists(() =>
    withAccountReads(ctx.store, accountId, readInTime, { timeoutMs: isFastList(input) ? undefined : unnamedTimeoutMs }),
  );

  async function readInTime(tx: Tx): Promise<ShipmentList> {
    const first = input.exactFirst === true && input.cursor === null ? await readExact(tx, wholeScope, request) : [];
    const shownFirst = [...from.shownFirst, ...first.map((shipment) => shipment.id)];
    const room = input.limit - first.length;
    // Resolved once, for the page and the counts.
    const scope = input.withCounts ? await narrowByWords(tx, wholeScope, countLimit) : wholeScope;
    const page = await readShipmentPage(tx, scope, { ...request, limit: Math.max(room, 1), after: from.after });
    const others = page.shipments.filter((shipment) => !shownFirst.includes(shipment.id));
    const counts = input.withCounts ? withOthers(await countShipments(tx, scope), first, filter) : null;
    // Without room the page was only peeked at, so the next one starts where this one did.
    const next = room > 0 ? page.next : from.after;
    const hasMore = room > 0 ? page.next !== null : others.length > 0 || page.next !== null;
    const isEmpty = input.cursor === null && first.length === 0 && page.shipments.length === 0;
    return {
      shipments: room > 0 ? [...first, ...others] : first,
      limit: input.limit,
      hasMore,
      nextCursor: hasMore
        ? encodeCursor([...placeOf(next, page.asOf), ...(shownFirst.length > 0 ? [shownFirst] : [])], boundTo)
        : null,
      total: counts?.total ?? null,
      totalIsLowerBound: counts?.totalIsLowerBound ?? false,
      countsByStatus: counts && withoutZeros(counts.byStatus),
      staleCount: counts?.stale ?? null,
      unknownTerms: unassessed === null ? null : await countUnknownTerms(tx, { ...wholeScope, filter: unassessed }),
      suggestions: isEmpty ? await suggestPlaces(tx, caller, input.filter) : [],
      asOf: page.asOf,
    };
  }
}

/** A list that no index serves must not hold a connection for long. */
const unnamedTimeoutMs = 1000;

/** Named lists, and those by a number or a reference: their cost doesn't depend on how many shipments there are. */
function isFastList({ filter, sort }: ListInput): boolean {
  const isNarrow =
    filter.identifier !== undefined || filter.identifiers !== undefined || filter.reference !== undefined;
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

type Start = { after: ListPosition | null /** Not returned again. */; shownFirst: string[] };

const beginning: Start = { after: null, shownFirst: [] };
const maxExact = 3;

function placeOf(next: ListPosition | null, asOf: string): unknown[] {
  return next === null ? [null, null, asOf] : [next.value, next.id, next.asOf];
}

/** Shipments that match the rest of the filter and have `q` as a complete number. */
async function readExact(tx: Tx, scope: FilterScope, request: Omit<PageRequest, 'after'>): Promise<Shipment[]> {
  const { q, ...rest } = scope.filter;
  if (q === undefined || matchValue(q) === '' || rest.identifier !== undefined) return [];
  const filter = { ...rest, identifier: [q] };
  const page = { ...request, limit: Math.min(request.limit, maxExact), after: null };
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

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const dayShape = /^\d{4}-\d{2}-\d{2}$/;
const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function readPosition(cursor: string, { sort, boundTo }: { sort: ShipmentSort; boundTo: string }): Start {
  const isValue = sort.endsWith('delay_hours') ? isNumber : sort.endsWith('last_free_day') ? isDayText : isTime;
  const position = decodeCursor(cursor, boundTo);
  if (Array.isArray(position)) {
    const [value, id, asOf, shownFirst = []]: unknown[] = position;
    if ((value === null || isValue(value)) && isTime(asOf) && Array.isArray(shownFirst) && shownFirst.every(isUuid)) {
      if (isUuid(id)) return { after: { value, id, asOf }, shownFirst };
      if (id === null && shownFirst.length > 0) return { after: null, shownFirst };
    }
  }
  throw new LandfallError(
    'invalid_cursor',
    'The cursor does not belong to this filter and sort. Start again without it.',
  );
}

function isNumber(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,9}$/.test(value);
}

function isDayText(value: unknown): value is string {
  return typeof value === 'string' && dayShape.test(value) && !Number.isNaN(Date.parse(value));
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidShape.test(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && timeShape.test(value) && !Number.isNaN(Date.parse(value));
}
