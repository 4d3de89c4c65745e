import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { appendChanges, type NewChange } from '#shared/store/feed/changes.ts';
import {
  type DelayedRefresh,
  findDelayedRefreshes,
  markDelayed,
} from '#shared/store/system/tracking/waiting-for-budget.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** A shorter wait needs no explanation. */
export const minDelayMs = 60_000;
/** Shipments per transaction, which locks their rows. */
const batchSize = 100;

/** Accounts whose budget is used up, and how often it grows by one refresh. */
export type ExhaustedAccount = { accountId: string; everyMs: number };

/**
 * Says of first refreshes that a call budget delays by a minute or more why they wait and until when:
 * `awaiting_carrier` with `carrier_rate_limited`. Without it they would be `queued` for hours. Returns how many.
 */
export async function reportDelayed(ctx: CoreContext, delayed: readonly DelayedRefresh[]): Promise<number> {
  const long = delayed.filter(({ waitMs }) => waitMs >= minDelayMs);
  if (long.length === 0) return 0;
  const traceparent = ctx.traceparent();
  return withSystem(ctx.store, async (tx) => {
    const shipments = await markDelayed(tx, long);
    for (const [accountId, own] of Map.groupBy(shipments, (shipment) => shipment.accountId)) {
      await appendChanges(
        tx,
        accountId,
        own.map((shipment) => delayedChange(shipment, traceparent)),
      );
    }
    return shipments.length;
  });
}

/**
 * The same for due shipments that no sweep claims because their budget is used up: each account's oldest is next, and
 * each further one waits for one more call. Handles up to 100 shipments and returns how many there were.
 */
export async function reportExhausted(
  ctx: CoreContext,
  connector: string,
  accounts: readonly ExhaustedAccount[],
): Promise<number> {
  if (accounts.length === 0) return 0;
  const everyMs = new Map(accounts.map((account) => [account.accountId, account.everyMs]));
  const found = await withSystem(ctx.store, (tx) =>
    findDelayedRefreshes(tx, connector, { accountIds: [...everyMs.keys()], limit: batchSize }),
  );
  const delayed = [...Map.groupBy(found, ({ accountId }) => accountId)].flatMap(([accountId, own]) =>
    own.map((key, place) => ({ ...key, waitMs: (place + 1) * (everyMs.get(accountId) ?? 0) })),
  );
  return reportDelayed(ctx, delayed);
}

function delayedChange(shipment: Shipment, traceparent: string | null): NewChange {
  const { state, reason } = shipment.tracking;
  return {
    type: 'shipment.tracking_state_changed',
    shipmentId: shipment.id,
    test: shipment.test,
    data: {
      shipment: shipmentSnapshot(shipment),
      changes: { trackingState: ['queued', state], trackingReason: [null, reason] },
    },
    traceparent,
  };
}
