import type { Caller } from '#shared/domain/caller.ts';
import type { Carrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import {
  type CarrierCredential,
  type CredentialReport,
  noCredentials,
} from '#shared/domain/carriers/carrier-credential.ts';
import { readCarrierCredentials, readServingInstances } from '#shared/store/carriers/carrier-credentials.ts';
import type { Tx } from '#shared/store/with-account.ts';

/** With whose credentials each carrier is asked for the caller's account: its own before the instance's. */
export async function credentialReports(
  tx: Tx,
  { accountId, test }: Caller,
): Promise<(carrier: Carrier) => CredentialReport> {
  if (test) return () => noCredentials;
  const own = new Map(
    (await readCarrierCredentials(tx, accountId)).map((credential) => [credential.carrier, credential]),
  );
  const instances = new Map((await readServingInstances(tx)).map((instance) => [instance.connector, instance]));
  return ({ code, connector }) => {
    const credential = own.get(code);
    if (credential !== undefined) return report('account', credential);
    const instance = connector === null ? undefined : instances.get(connector);
    return instance === undefined ? noCredentials : report(instance.simulated ? 'simulator' : 'instance', instance);
  };
}

function report(
  source: CredentialReport['source'],
  { fields, updatedAt, suspension }: Pick<CarrierCredential, 'fields' | 'updatedAt' | 'suspension'>,
): CredentialReport {
  return { source, state: suspension === null ? 'active' : 'suspended', fields, updatedAt, suspension };
}
