import type { HealthRow, ServedRow } from '#shared/core/carriers/report-carrier-health.ts';
import type { CarrierAccesses } from './carrier-access.ts';

/** How the carriers answer this worker, by connector and credential; for the health table and for metrics. */
export function carrierHealth(access: Pick<CarrierAccesses, 'services'>, now: () => Date): HealthRow[] {
  return access.services().map(({ connector, credentialId, bucket, circuit, recorder }) => {
    const { tokens, closedMs } = bucket.standing();
    return {
      ...recorder.read(),
      connector,
      credentialId,
      circuit: circuit.state(),
      budgetLeft: closedMs > 0 ? 0 : tokens,
      closedUntil: closedMs > 0 ? new Date(now().getTime() + closedMs).toISOString() : null,
    };
  });
}

/** Which credential served which account's shipments. */
export function credentialsServed(access: Pick<CarrierAccesses, 'served'>): ServedRow[] {
  return access
    .served()
    .map(({ accountId, connector, carrier, credentialId }) => ({ accountId, connector, carrier, credentialId }));
}
