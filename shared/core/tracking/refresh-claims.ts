import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { renewLeases } from '#shared/store/system/tracking/batched-refreshes.ts';
import {
  type ConnectorWork,
  claimDue,
  type DueClaim,
  postponeClaims,
  readConnectorWork,
  releaseClaims,
} from '#shared/store/system/tracking/claim-due.ts';
import { withSystem, withSystemByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { reportDelayed } from './report-delayed.ts';

/** A claim that the budget does not cover now. */
export type Postponed = { claim: RefreshClaim; waitMs: number };

/**
 * Distribution of claims over jobs: batches that share a credential, `perJob` claims in a job, and claims that have to
 * wait.
 */
export type SweepPlan = {
  batches: { items: RefreshClaim[]; perJob: number; hurried?: boolean }[];
  postponed: Postponed[];
};

export type SweepInput = {
  connector: string;
  limit: number;
  /** Accounts whose shipments stay due. */
  exceptAccounts: readonly string[];
  plan: (claims: DueClaim[]) => Promise<SweepPlan>;
};

/** For each connector: whether any refresh is scheduled, and whether one is due. */
export function findConnectorWork(ctx: CoreContext, connectors: readonly string[]): Promise<ConnectorWork[]> {
  return withSystem(ctx.store, (tx) => readConnectorWork(tx, connectors));
}

/**
 * Claims due shipments of a connector, puts them on its queue and returns the number of claims. If the queue rejects
 * them, releases the claims and rethrows.
 */
export async function sweepDue(ctx: CoreContext, input: SweepInput): Promise<number> {
  const { producer } = ctx;
  if (producer === null) return 0;
  const { connector, limit, exceptAccounts, plan } = input;
  const claims = await withSystem(ctx.store, (tx) =>
    claimDue(tx, connector, { limit, leaseS: ctx.settings.leaseS, exceptAccounts }),
  );
  if (claims.length === 0) return 0;
  try {
    const { batches, postponed } = await plan(claims);
    await postponeRefreshes(ctx, postponed);
    for (const { items, ...options } of batches)
      await producer.enqueue(connector, items, { linkOnly: true, ...options });
  } catch (error) {
    // Includes claims that were queued already: their jobs find the lease gone, or refresh once more than needed.
    await withSystem(ctx.store, (tx) => releaseClaims(tx, claims));
    throw error;
  }
  return claims.length;
}

/** Renews the leases of claims. A claim whose epoch has moved on or whose lease has expired is left out. */
export async function beginRefreshes(ctx: CoreContext, claims: readonly RefreshClaim[]): Promise<RefreshSubject[]> {
  const renewed = await withSystemByKey(ctx.store, (tx) => renewLeases(tx, claims, ctx.settings.leaseS));
  const nowMs = ctx.now().getTime();
  const requested = new Set(claims.filter((claim) => claim.requested === true).map((claim) => claim.shipmentId));
  return renewed.map(({ claimedAt, ...claim }) => ({
    ...claim,
    requested: requested.has(claim.shipmentId),
    clockOffsetMs: Date.parse(claimedAt) - nowMs,
  }));
}

/**
 * Releases claims and sets when they are due again, which a delayed first refresh states. Records no refresh, because no
 * carrier was called.
 */
export async function postponeRefreshes(ctx: CoreContext, postponed: readonly Postponed[]): Promise<void> {
  if (postponed.length === 0) return;
  const claims = postponed.map(({ claim: { accountId, shipmentId, epoch }, waitMs }) => ({
    accountId,
    shipmentId,
    epoch,
    waitMs,
  }));
  await withSystem(ctx.store, (tx) => postponeClaims(tx, claims));
  await reportDelayed(ctx, claims);
}
