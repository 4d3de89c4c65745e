import type { Caller } from '#shared/domain/caller.ts';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/shipments/filter.ts';
import { matchesFilter } from '#shared/domain/shipments/matches-filter.ts';
import { namedLists } from '#shared/domain/shipments/named-lists.ts';
import type { Shipment, Status } from '#shared/domain/shipments/shipment.ts';
import { narrowByWords } from '#shared/store/shipments/narrow-by-words.ts';
import { countLimit, countShipments, type ShipmentCounts } from '#shared/store/shipments/shipment-counts.ts';
import type { FilterScope } from '#shared/store/shipments/shipment-filter.ts';
import { type ListPosition, type PageRequest, readShipmentPage } from '#shared/store/shipments/shipment-list.ts';
import { isStatementTimeout } from '#shared/store/store-errors.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type ListInput = {
  filter: ShipmentFilter;
  sort: ShipmentSort;
  limit: number;
  cursor: string | null;
  withCounts: boolean;
  /** Without them `journey.events` and `journey.etaHistory` are empty. Default false. */
  withEvents?: boolean;
  /** Shipments of which `filter.q` is a whole number come before all others, on the first page. Default false. */
  exactFirst?: boolean;
};

export type ShipmentList = {
  shipments: Shipment[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
  /** Null unless asked for. */
  total: number | null;
  totalIsLowerBound: boolean;
  countsByStatus: Partial<Record<Status, number>> | null;
  staleCount: number | null;
  /** When the first page was read, ISO UTC: changes since then are in the feed. */
  asOf: string;
};

/**
 * One page of the account's shipments. Throws LandfallError `invalid_cursor` for a cursor of another filter, sort or account, and
 * `list_too_slow`.
 */
export async function listShipments(ctx: CoreContext, caller: Caller, input: ListInput): Promise<ShipmentList> {
  const { accountId, test } = caller;
  const boundTo = JSON.stringify([accountId, test, input.sort, canonical(input.filter)]);
  const from = input.cursor === null ? beginning : readPosition(input.cursor, boundTo);
  const wholeScope = { accountId, test, filter: input.filter };
  const request = { sort: input.sort, limit: input.limit, withEvents: input.withEvents ?? false };
  return nameFastLists(() =>
    withAccount(ctx.store, accountId, async (tx) => {
      const first = input.exactFirst === true && input.cursor === null ? await readExact(tx, wholeScope, request) : [];
      const shownFirst = [...from.shownFirst, ...first.map((shipment) => shipment.id)];
      const room = input.limit - first.length;
      // Once for the page and the counts.
      const scope = input.withCounts ? await narrowByWords(tx, wholeScope, countLimit) : wholeScope;
      const page = await readShipmentPage(tx, scope, { ...request, limit: Math.max(room, 1), after: from.after });
      const others = page.shipments.filter((shipment) => !shownFirst.includes(shipment.id));
      const counts = input.withCounts ? withOthers(await countShipments(tx, scope), first, input.filter) : null;
      // Without room the page was only looked at: the next one begins where this one did.
      const next = room > 0 ? page.next : from.after;
      const hasMore = room > 0 ? page.next !== null : others.length > 0 || page.next !== null;
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
        asOf: page.asOf,
      };
    }),
  );
}

const fastLists = namedLists.map(({ example }) => example).join(' ; ');

/** Runs a read of a list. One that took too long throws LandfallError `list_too_slow`, which says what is always fast. */
export async function nameFastLists<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof LandfallError) || !isStatementTimeout(error.cause)) throw error;
    const detail = `Finding these shipments took too long; narrow them by a number or a reference, or ask one of the lists that are always fast: ${fastLists}`;
    throw new LandfallError('list_too_slow', detail, { cause: error.cause, retryAfterS: 30 });
  }
}

type Start = { after: ListPosition | null /** Not to be shown again. */; shownFirst: string[] };

const beginning: Start = { after: null, shownFirst: [] };
const mostExact = 3;

function placeOf(next: ListPosition | null, asOf: string): unknown[] {
  return next === null ? [null, null, asOf] : [next.value, next.id, next.asOf];
}

/** Shipments that the rest of the filter gives and that carry `q` as a whole number. */
async function readExact(tx: Tx, scope: FilterScope, request: Omit<PageRequest, 'after'>): Promise<Shipment[]> {
  const { q, ...rest } = scope.filter;
  if (q === undefined || matchValue(q) === '' || rest.identifier !== undefined) return [];
  const filter = { ...rest, identifier: [q] };
  const page = { ...request, limit: Math.min(request.limit, mostExact), after: null };
  return (await readShipmentPage(tx, { ...scope, filter }, page)).shipments;
}

/** A number written with its carrier's prefix finds its shipment without being a part of its texts: those are counted too. */
function withOthers(counts: ShipmentCounts, exact: readonly Shipment[], filter: ShipmentFilter): ShipmentCounts {
  const byStatus = { ...counts.byStatus };
  const others = exact.filter((shipment) => !matchesFilter({ q: filter.q ?? '' }, shipment));
  for (const { journey } of others) byStatus[journey.status] += 1;
  const stale = counts.stale + others.filter((shipment) => shipment.tracking.freshness === 'stale').length;
  return { ...counts, byStatus, stale, total: counts.total + others.length };
}

/** The same filter gives the same text, in whichever order its parts and values were written. */
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
const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function readPosition(cursor: string, boundTo: string): Start {
  const position = decodeCursor(cursor, boundTo);
  if (Array.isArray(position)) {
    const [value, id, asOf, shownFirst = []]: unknown[] = position;
    if ((value === null || isTime(value)) && isTime(asOf) && Array.isArray(shownFirst) && shownFirst.every(isUuid)) {
      if (isUuid(id)) return { after: { value, id, asOf }, shownFirst };
      if (id === null && shownFirst.length > 0) return { after: null, shownFirst };
    }
  }
  throw new LandfallError('invalid_cursor', 'The cursor is not one of this filter and sort; begin again without it.');
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidShape.test(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && timeShape.test(value) && !Number.isNaN(Date.parse(value));
}
