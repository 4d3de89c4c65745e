import type { Caller } from '#shared/domain/caller.ts';
import { findCarrier, nearestCarriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type CarrierCount, countCarriers } from '#shared/store/lists/carrier-counts.ts';
import { withAccountReads } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type OwnCarrier = CarrierCount & { name: string };

/** At most `max` carriers of the account's shipments: those that `sent` may mean first, then the most frequent. */
export async function ownCarriers(
  ctx: CoreContext,
  caller: Caller,
  { sent, max }: { sent: string; max: number },
): Promise<OwnCarrier[]> {
  const counts = await withAccountReads(ctx.store, caller.accountId, (tx) => countCarriers(tx, caller));
  const known = counts.map(({ code }) => findCarrier(code)).filter((carrier) => carrier !== null);
  const near = nearestCarriers(sent, known).map(({ code }) => code);
  const ordered = [
    ...counts.filter(({ code }) => near.includes(code)),
    ...counts.filter(({ code }) => !near.includes(code)),
  ];
  return ordered.slice(0, max).map((count) => ({ ...count, name: findCarrier(count.code)?.name ?? count.code }));
}
