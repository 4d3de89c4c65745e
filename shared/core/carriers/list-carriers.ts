import type { Caller } from '#shared/domain/caller.ts';
import {
  type Carrier,
  carrierHint,
  findCarrierByName,
  searchCarriers,
} from '#shared/domain/carriers/carrier-catalogue.ts';
import {
  type CarrierCredential,
  type CredentialReport,
  noCredentials,
} from '#shared/domain/carriers/carrier-credential.ts';
import type { CarrierRefreshes } from '#shared/domain/carriers/carrier-health.ts';
import type { CarrierServiceState } from '#shared/domain/carriers/carrier-service.ts';
import { type Connection, type ConnectionState, connectionOf } from '#shared/domain/carriers/connection.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { readConfiguredAddresses } from '#shared/store/carriers/carrier-addresses.ts';
import { readCarrierCredentials, readServingInstances } from '#shared/store/carriers/carrier-credentials.ts';
import { readCarrierRefreshes } from '#shared/store/carriers/carrier-refreshes.ts';
import { readCarrierServices } from '#shared/store/carriers/carrier-services.ts';
import { type Tx, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/**
 * A carrier of the catalogue, with the account's recent refreshes (null: none), the credentials that serve the account
 * and the state of the carrier with these.
 */
export type CarrierReport = {
  carrier: Carrier;
  connection: Connection;
  refreshes: CarrierRefreshes | null;
  credentials: CredentialReport;
  service: CarrierServiceState | null;
};

/** The carriers that match a search, in the order of the catalogue. */
export async function listCarriers(
  ctx: CoreContext,
  caller: Caller,
  search: { transportMode: TransportMode | null; q: string | null; connection: ConnectionState | null },
): Promise<CarrierReport[]> {
  const found = searchCarriers(search);
  if (found.length === 0) return [];
  const reportOn = await readReports(ctx, caller);
  const reports = found.map(reportOn);
  return search.connection === null
    ? reports
    : reports.filter(({ connection }) => connection.state === search.connection);
}

/**
 * One carrier, by its code or any other name. Throws LandfallError `carrier_not_found`, which names the nearest one.
 */
export async function getCarrier(ctx: CoreContext, caller: Caller, code: string): Promise<CarrierReport> {
  const carrier = carrierNamed(code);
  return (await readReports(ctx, caller))(carrier);
}

/** The carrier with this code or name. Throws LandfallError `carrier_not_found`, which names the nearest one. */
export function carrierNamed(code: string): Carrier {
  const carrier = findCarrierByName(code);
  if (carrier === null) {
    const hint = carrierHint(code) ?? 'See GET /v1/carriers.';
    throw new LandfallError('carrier_not_found', `Unknown carrier: ${code.trim().slice(0, 64)}. ${hint}`);
  }
  return carrier;
}

function readReports(ctx: CoreContext, caller: Caller): Promise<(carrier: Carrier) => CarrierReport> {
  const { accountId, test } = caller;
  return withAccount(ctx.store, accountId, async (tx) => {
    const refreshes = await readCarrierRefreshes(tx, accountId, { test });
    const services = test ? new Map<string, CarrierServiceState>() : await readCarrierServices(tx, accountId);
    const accessTo = await readAccess(tx, caller);
    return (carrier) => ({
      carrier,
      ...accessTo(carrier),
      refreshes: refreshes.get(carrier.code) ?? null,
      service: services.get(carrier.code) ?? null,
    });
  });
}

/** Reads the states of the account's connections to carriers. */
export function readConnections(ctx: CoreContext, caller: Caller): Promise<(carrier: Carrier) => Connection> {
  return withAccount(ctx.store, caller.accountId, async (tx) => {
    const accessTo = await readAccess(tx, caller);
    return (carrier) => accessTo(carrier).connection;
  });
}

async function readAccess(
  tx: Tx,
  caller: Caller,
): Promise<(carrier: Carrier) => Pick<CarrierReport, 'connection' | 'credentials'>> {
  const credentialsAt = await credentialReports(tx, caller);
  const addresses = await readConfiguredAddresses(tx);
  return (carrier) => {
    const credentials = credentialsAt(carrier);
    const hasAddress = carrier.connector !== null && addresses.has(carrier.connector);
    return { credentials, connection: connectionOf(carrier, { credentials, hasAddress, test: caller.test }) };
  };
}

/** Returns the credentials that serve the account at each carrier: its own before the instance's. */
async function credentialReports(tx: Tx, { accountId, test }: Caller): Promise<(carrier: Carrier) => CredentialReport> {
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
