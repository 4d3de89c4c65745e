import { callsPerHour } from '#shared/limits/published-limit.ts';
import type { CarrierAccesses } from '../credentials/carrier-access.ts';

export type BudgetPressure = {
  update: (demand: readonly { accountId: string; connector: string; refreshes: number }[]) => void;
  /** Demand over budget of the credential that serves the shipment; 1 while it is not known. */
  of: (connector: string, subject: { accountId: string; carrier: string }) => number;
};

/** Beyond this the intervals say nothing more: whoever is that far over the budget needs another one. */
const mostPressure = 24;

/** Compares the refreshes planned for the next hour with the calls that each credential carries in an hour. */
export function createBudgetPressure(
  access: Pick<CarrierAccesses, 'services' | 'served'>,
  batchSizeOf: (connector: string) => number,
): BudgetPressure {
  let pressures = new Map<string, number>();
  let credentials = new Map<string, string>();

  return {
    update: (demand) => {
      const served = access.served();
      credentials = new Map(
        served.map((one) => [[one.connector, one.accountId, one.carrier].join(' '), one.credentialId]),
      );
      const shares = sharesOf(served);
      const refreshes = new Map<string, number>();
      for (const { accountId, connector, refreshes: planned } of demand) {
        const ids = shares.get(`${connector} ${accountId}`) ?? [];
        // The count does not tell an account's carriers apart: each credential is taken to serve its part.
        for (const id of ids) refreshes.set(id, (refreshes.get(id) ?? 0) + planned / ids.length);
      }
      pressures = new Map(
        access.services().map(({ credentialId, connector, bucket }) => {
          const calls = (refreshes.get(credentialId) ?? 0) / batchSizeOf(connector);
          return [credentialId, Math.min(mostPressure, Math.max(1, calls / callsPerHour(bucket.limit)))];
        }),
      );
    },
    of: (connector, { accountId, carrier }) =>
      pressures.get(credentials.get([connector, accountId, carrier].join(' ')) ?? '') ?? 1,
  };
}

/** The credentials that serve an account at a connector. */
function sharesOf(
  served: readonly { accountId: string; connector: string; credentialId: string }[],
): Map<string, string[]> {
  const shares = new Map<string, string[]>();
  for (const { accountId, connector, credentialId } of served) {
    const key = `${connector} ${accountId}`;
    const ids = shares.get(key) ?? [];
    if (!ids.includes(credentialId)) shares.set(key, [...ids, credentialId]);
  }
  return shares;
}
