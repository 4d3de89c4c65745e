import { callsPerHour } from '#shared/limits/published-limit.ts';
import type { CarrierServices } from './carrier-service.ts';
import { pacing } from './pacing.ts';

export type CadencePressure = {
  update: (demand: readonly { accountId: string; connector: string; refreshes: number }[]) => void;
  /** Demand over budget of the credential that serves the shipment; 1 until it is known. */
  of: (connector: string, subject: { accountId: string; carrier: string }) => number;
};

/** Compares the refreshes scheduled for the next hour with the calls that each credential may make in an hour. */
export function createCadencePressure(
  access: Pick<CarrierServices, 'services' | 'served'>,
  batchSizeOf: (connector: string) => number,
): CadencePressure {
  let pressures = new Map<string, number>();
  let credentials = new Map<string, string>();

  return {
    update: (demand) => {
      const served = access.served();
      credentials = new Map(
        served.map((one) => [[one.connector, one.accountId, one.carrier].join(' '), one.credentialId]),
      );
      const serving = credentialsOf(served);
      const refreshes = new Map<string, number>();
      for (const { accountId, connector, refreshes: scheduled } of demand) {
        const ids = serving.get(`${connector} ${accountId}`) ?? [];
        // The count doesn't separate an account's carriers: each credential is taken to serve an equal share.
        for (const id of ids) refreshes.set(id, (refreshes.get(id) ?? 0) + scheduled / ids.length);
      }
      pressures = new Map(
        access.services().map(({ credentialId, connector, bucket }) => {
          const calls = (refreshes.get(credentialId) ?? 0) / batchSizeOf(connector);
          const pressure = Math.max(1, calls / callsPerHour(bucket.limit));
          return [credentialId, Math.min(pacing.cadencePressure.maxPressure, pressure)];
        }),
      );
    },
    of: (connector, { accountId, carrier }) =>
      pressures.get(credentials.get([connector, accountId, carrier].join(' ')) ?? '') ?? 1,
  };
}

/** The credentials that serve an account at a connector. */
function credentialsOf(
  served: readonly { accountId: string; connector: string; credentialId: string }[],
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { accountId, connector, credentialId } of served) {
    const key = `${connector} ${accountId}`;
    const ids = found.get(key) ?? [];
    if (!ids.includes(credentialId)) found.set(key, [...ids, credentialId]);
  }
  return found;
}
