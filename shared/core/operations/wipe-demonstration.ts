import type { Caller } from '#shared/domain/caller.ts';
import type { CoreContext } from '../core-context.ts';
import { listShipments } from '../shipments/list-shipments.ts';
import { archiveShipment } from '../shipments/update-shipment.ts';

/** Marks demonstration shipments: they have both the tag and the prefix. */
const demonstration = { tag: 'demo', referencePrefix: 'demo-' };

/** Archives the account's demonstration shipments one by one, as a client would. Returns how many there were. */
export async function wipeDemonstration(ctx: CoreContext, caller: Caller): Promise<number> {
  let archived = 0;
  for (;;) {
    const filter = { tag: [demonstration.tag] };
    const page = await listShipments(ctx, caller, {
      filter,
      sort: '-created_at',
      limit: 100,
      cursor: null,
      withCounts: false,
    });
    const found = page.shipments.filter(({ reference }) => reference?.startsWith(demonstration.referencePrefix));
    for (const { id } of found) await archiveShipment(ctx, caller, id);
    archived += found.length;
    if (found.length === 0) return archived;
  }
}
