import type { Caller } from '#shared/domain/caller.ts';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/filter.ts';
import type { Shipment, Status } from '#shared/domain/shipment.ts';
import { countShipments } from '#shared/store/shipment-counts.ts';
import { type ListPosition, readShipmentPage } from '#shared/store/shipment-list.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';

export type ListInput = {
  filter: ShipmentFilter;
  sort: ShipmentSort;
  limit: number;
  cursor: string | null;
  withCounts: boolean;
  /** Without them `journey.events` and `journey.etaHistory` are empty. Default false. */
  withEvents?: boolean;
};

export type ShipmentList = {
  shipments: Shipment[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
  /** Null unless asked for; counted to 10,000. */
  total: number | null;
  totalIsLowerBound: boolean;
  countsByStatus: Partial<Record<Status, number>> | null;
  staleCount: number | null;
  /** When the first page was read, ISO UTC: changes since then are in the feed. */
  asOf: string;
};

/** One page of the account's shipments. Throws LandfallError `invalid_cursor` for a cursor of another filter, sort or account. */
export async function listShipments(ctx: CoreContext, caller: Caller, input: ListInput): Promise<ShipmentList> {
  const { accountId, test } = caller;
  const boundTo = JSON.stringify([accountId, test, input.sort, canonical(input.filter)]);
  const after = input.cursor === null ? null : readPosition(input.cursor, boundTo);
  const scope = { accountId, test, filter: input.filter };
  const { page, counts } = await withAccount(ctx.store, accountId, async (tx) => ({
    page: await readShipmentPage(tx, scope, { sort: input.sort, limit: input.limit, after, withEvents: input.withEvents ?? false }),
    counts: input.withCounts ? await countShipments(tx, scope) : null,
  }));
  return {
    shipments: page.shipments,
    limit: input.limit,
    hasMore: page.next !== null,
    nextCursor: page.next === null ? null : encodeCursor([page.next.value, page.next.id, page.next.asOf], boundTo),
    total: counts?.total ?? null,
    totalIsLowerBound: counts?.totalIsLowerBound ?? false,
    countsByStatus: counts && withoutZeros(counts.byStatus),
    staleCount: counts?.stale ?? null,
    asOf: page.asOf,
  };
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

function readPosition(cursor: string, boundTo: string): ListPosition {
  const position = decodeCursor(cursor, boundTo);
  if (Array.isArray(position)) {
    const [value, id, asOf]: unknown[] = position;
    if ((value === null || isTime(value)) && typeof id === 'string' && uuidShape.test(id) && isTime(asOf)) return { value, id, asOf };
  }
  throw new LandfallError('invalid_cursor', 'The cursor is not one of this filter and sort; begin again without it.');
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && timeShape.test(value) && !Number.isNaN(Date.parse(value));
}
