import { credentialsRefused } from '#shared/domain/alerts/notice.ts';
import { findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import {
  type CredentialOwner,
  type CredentialVersion,
  liftStoredSuspension,
  suspendStoredCredential,
  takeStoredProbe,
} from '#shared/store/system/credentials/carrier-credentials.ts';
import {
  type InstanceVersion,
  liftInstanceSuspension,
  suspendInstanceCredential,
  takeInstanceProbe,
} from '#shared/store/system/credentials/instance-credentials.ts';
import { insertWake } from '#shared/store/tracking/credential-wakes.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { appendNotice } from '../notices/notify-owners.ts';

/** One version of credentials that a refresh used: an account's own, or the instance's for a connector. */
export type UsedCredential = ({ kind: 'account' } & CredentialVersion) | ({ kind: 'instance' } & InstanceVersion);

/**
 * Stops refreshes with these credentials until they are replaced or a probe succeeds. False: they had been changed or
 * suspended before.
 */
export async function suspendCredential(
  ctx: CoreContext,
  used: UsedCredential,
  reason: TrackingReason,
): Promise<boolean> {
  const suspension = { reason, probeS: ctx.settings.credentialProbeS };
  return withSystem(ctx.store, async (tx) => {
    if (used.kind === 'instance') return suspendInstanceCredential(tx, used, suspension);
    const owner = await suspendStoredCredential(tx, used, suspension);
    if (owner !== null) {
      await audit(tx, owner, { action: 'carrier_credentials.suspended', id: used.id, detail: { reason } });
      const carrierName = findCarrierByName(owner.carrier)?.name ?? owner.carrier;
      const at = ctx.now().toISOString();
      await appendNotice(tx, owner.accountId, credentialsRefused({ id: used.id, carrierName }, at));
    }
    return owner !== null;
  });
}

/**
 * Claims the one refresh that may probe suspended credentials now. If it is lost, the next probe is due after the same
 * time.
 */
export async function takeCredentialProbe(ctx: CoreContext, used: UsedCredential): Promise<boolean> {
  const { credentialProbeS } = ctx.settings;
  return withSystem(ctx.store, (tx) =>
    used.kind === 'instance'
      ? takeInstanceProbe(tx, used, credentialProbeS)
      : takeStoredProbe(tx, used, credentialProbeS),
  );
}

/**
 * Ends the suspension after the carrier accepted the credentials, and makes due what waited for them. False: they had
 * been changed or resumed before.
 */
export async function liftSuspension(ctx: CoreContext, used: UsedCredential): Promise<boolean> {
  return withSystem(ctx.store, async (tx) => {
    if (used.kind === 'instance') {
      const lifted = await liftInstanceSuspension(tx, used);
      if (lifted) await insertWake(tx, { accountId: null, carrier: null, connector: used.connector });
      return lifted;
    }
    const owner = await liftStoredSuspension(tx, used);
    if (owner === null) return false;
    await audit(tx, owner, { action: 'carrier_credentials.resumed', id: used.id, detail: {} });
    await insertWake(tx, { ...owner, connector: null });
    return true;
  });
}

function audit(
  tx: Tx,
  { accountId, carrier }: CredentialOwner,
  entry: { action: string; id: string; detail: Record<string, unknown> },
): Promise<void> {
  return appendAudit(tx, accountId, {
    actor: 'system',
    action: entry.action,
    subjectType: 'carrier_credentials',
    subjectId: entry.id,
    requestId: null,
    detail: { carrier, ...entry.detail },
  });
}
