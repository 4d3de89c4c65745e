import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { ReadEvent } from '#shared/domain/tracking/event.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { TestCore } from '../core-context.ts';
import { recordRefresh } from './record-refresh.ts';

/** Claims a shipment and records a refresh that returned these events. */
export async function readReading(
  core: Pick<TestCore, 'ctx' | 'store'>,
  { accountId }: Pick<Caller, 'accountId'>,
  { shipmentId, events }: { shipmentId: string; events: readonly ReadEvent[] },
): Promise<void> {
  const { rows } = await withSystem(core.store, (tx) =>
    tx.query<{ epoch: number }>(
      `update landfall.polling set epoch = epoch + 1, lease_until = now() + interval '60 s'
      where shipment_id = $1 returning epoch`,
      [shipmentId],
    ),
  );
  const [subject] = await beginRefreshes(core.ctx, [{ accountId, shipmentId, epoch: rows[0]?.epoch ?? -1 }]);
  if (subject === undefined) throw new Error('the claim is not live');
  const reading = { events: [...events], rejected: [], source: 'simulator:dcsa:maersk' };
  const { stale } = await recordRefresh(
    core.ctx,
    subject,
    { outcome: 'found', reading, httpStatus: 200, durationMs: 5 },
    null,
  );
  if (stale) throw new Error('the refresh was not recorded');
}
