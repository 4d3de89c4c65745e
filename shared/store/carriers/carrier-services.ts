import { type CarrierServiceState, joinReports, type ServiceReport } from '#shared/domain/carriers/carrier-service.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

type ServiceRow = ServiceReport & { carrier: string };

/**
 * The health of each carrier for the credentials that serve this account, by carrier code, as reported by the workers
 * within the last minute.
 */
export async function readCarrierServices(tx: Tx, accountId: string): Promise<Map<string, CarrierServiceState>> {
  const rows = await readRows<ServiceRow>(tx, {
    name: 'read-carrier-services',
    text: `
      select s.carrier, h.circuit, h.requests, h.succeeded, h.latency_p50_ms, h.latency_p95_ms, h.last_success_at, h.last_error_at,
        h.last_error_reason, h.budget_left, h.closed_until, h.lag_s, h.updated_at
      from landfall.carrier_served as s
      join landfall.carrier_health as h on h.connector = s.connector and h.credential_id = s.credential_id
      where s.account_id = $1 and h.updated_at > now() - interval '1 minute'`,
    values: [accountId],
  });
  const reports = Map.groupBy(rows, (row) => row.carrier);
  const services = new Map<string, CarrierServiceState>();
  for (const [carrier, seen] of reports) {
    const joined = joinReports(seen);
    if (joined !== null) services.set(carrier, joined);
  }
  return services;
}
