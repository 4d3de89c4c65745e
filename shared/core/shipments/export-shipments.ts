import type { Caller } from '#shared/domain/caller.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/shipments/filter.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import {
  type ListPage,
  type ListPosition,
  type PageRequest,
  readShipmentPage,
} from '#shared/store/shipments/shipment-list.ts';
import { withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { nameFastLists } from './list-shipments.ts';

export type ExportInput = { filter: ShipmentFilter; sort: ShipmentSort };

const rowsPerPage = 500;

/**
 * Every shipment that the filter gives, page by page: each page is a short transaction of its own and is read when it is asked for, so that a
 * slow reader holds no connection and no snapshot. The rules of the list's pages hold: under a sort whose key moves, a shipment that changes
 * meanwhile is left to the change feed. Always gives at least one page, which may be empty.
 */
export async function* exportShipments(
  ctx: CoreContext,
  caller: Caller,
  input: ExportInput,
): AsyncGenerator<Shipment[], void, undefined> {
  const { accountId, test } = caller;
  const scope = { accountId, test, filter: input.filter };
  let after: ListPosition | null = null;
  do {
    const request: PageRequest = { sort: input.sort, limit: rowsPerPage, after, withEvents: false };
    const page: ListPage = await nameFastLists(() =>
      withAccount(ctx.store, accountId, (tx) => readShipmentPage(tx, scope, request)),
    );
    yield page.shipments;
    after = page.next;
  } while (after !== null);
}
