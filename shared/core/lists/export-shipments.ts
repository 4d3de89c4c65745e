import type { Caller } from '#shared/domain/caller.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/lists/filter.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import {
  type ListPage,
  type ListPosition,
  type PageRequest,
  readShipmentPage,
} from '#shared/store/lists/shipment-list.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { nameFastLists } from './list-shipments.ts';
import { resolveMemberFilter } from './resolve-member-filter.ts';

export type ExportInput = { filter: ShipmentFilter; sort: ShipmentSort };

const rowsPerPage = 500;

/**
 * Every shipment that matches the filter, page by page. Each page is a short transaction that runs when the page is
 * requested, so that a slow reader holds no connection and no snapshot. As with the list's pages, a shipment that
 * changes at the same time under a sort whose key moves is left to the change feed. Yields at least one page, which may be
 * empty.
 */
export async function* exportShipments(
  ctx: CoreContext,
  caller: Caller,
  input: ExportInput,
): AsyncGenerator<Shipment[], void, undefined> {
  const { accountId, test } = caller;
  const scope = { accountId, test, filter: resolveFilter(resolveMemberFilter(caller, input.filter)) };
  let after: ListPosition | null = null;
  do {
    const request: PageRequest = { sort: input.sort, limit: rowsPerPage, after, withEvents: false };
    const page: ListPage = await nameFastLists(() =>
      withAccountReads(ctx.store, accountId, (tx) => readShipmentPage(tx, scope, request)),
    );
    yield page.shipments;
    after = page.next;
  } while (after !== null);
}
