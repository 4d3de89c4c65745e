import type { Carrier } from './carrier-catalogue.ts';
import type { CredentialReport } from './carrier-credential.ts';
import { credentialFormOf, credentialMistakes, describeForm } from './credential-fields.ts';
import { type ConnectorCode, connectorStandards, connectorsWithoutAddress } from './known-connectors.ts';

/**
 * States of an account's connection to a carrier. `pushed_only`: nobody can poll the carrier, and the account pushes
 * its events.
 */
export const connectionStates = ['ready', 'needs_credentials', 'needs_address', 'pushed_only'] as const;
export type ConnectionState = (typeof connectionStates)[number];

/** `reason`: what to do, or what to know, as a sentence. Null: nothing. */
export type Connection = { state: ConnectionState; reason: string | null };

/** Reasons why a carrier has no connector, by its code, if more is known than that it has none. */
export const reasonsWithoutConnector: Readonly<Record<string, string>> = {
  OOLU: 'OOCL publishes no specification of its tracking API. If you have one, open a carrier issue.',
  dpd: 'DPD is a group of national companies, each with its own interface, and none publishes the values that it returns.',
  'canada-post': 'Its tracking API is public, but answers in XML, which this release cannot read.',
};

/** The account's own trucks and trains. */
const ownFleet = 'OWN';

export function publishesAddress(connector: ConnectorCode): boolean {
  return !connectorsWithoutAddress.includes(connector);
}

/** The environment variables that hold the addresses of a connector's carrier and of its sign-in. */
export function addressVariables(connector: ConnectorCode): { base: string; auth: string } {
  const prefix = `CARRIER_${connector.toUpperCase().replaceAll('-', '_')}`;
  return { base: `${prefix}_BASE_URL`, auth: `${prefix}_AUTH_URL` };
}

/** `hasAddress`: the operator has configured the carrier's address. `test`: for test shipments. */
export type ConnectionFacts = { credentials: CredentialReport; hasAddress: boolean; test: boolean };

/** The only rule for whether a carrier can be tracked. Every surface shows its result. */
export function connectionOf(
  carrier: Pick<Carrier, 'code' | 'name' | 'modes' | 'connector'>,
  { credentials, hasAddress, test }: ConnectionFacts,
): Connection {
  const { name, connector } = carrier;
  if (test) return { state: 'ready', reason: 'Test shipments call no carrier.' };
  if (connector === null) return { state: 'pushed_only', reason: reasonWithoutConnector(carrier) };
  if (credentials.source === 'simulator') return { state: 'ready', reason: `This installation simulates ${name}.` };
  if (!hasAddress && !publishesAddress(connector)) {
    const reason = `The address of ${name} is not published. The operator sets it with ${addressVariables(connector).base}.`;
    return { state: 'needs_address', reason };
  }
  return reasonToReplace(name, connector, credentials);
}

function reasonWithoutConnector({ code, name, modes }: Pick<Carrier, 'code' | 'name' | 'modes'>): string {
  const ofRailways = modes.includes('rail') ? 'No railway publishes an API that anyone may use.' : null;
  const why = reasonsWithoutConnector[code] ?? ofRailways;
  const push = 'Push its events yourself: register with tracking.mode pushed.';
  if (code === ownFleet) return 'Only you know the events of your own fleet. Register with tracking.mode pushed.';
  return [`This release has no connector for ${name}.`, ...(why === null ? [] : [why]), push].join(' ');
}

function reasonToReplace(name: string, connector: ConnectorCode, credentials: CredentialReport): Connection {
  const form = credentialFormOf(connector);
  if (credentials.source === 'none')
    return { state: 'needs_credentials', reason: `Set credentials for ${name}: ${describeForm(form)}.` };
  const whose = credentials.source === 'account' ? 'Replace them.' : 'The operator must replace them.';
  if (credentials.state === 'suspended')
    return { state: 'needs_credentials', reason: `${name} rejected the credentials. ${whose}` };
  // The standards leave authentication to each server, so an address alone may be enough.
  const isOpen = credentials.fields.length === 0 && connector in connectorStandards;
  if (!isOpen && credentialMistakes(form, credentials.fields).missing.length > 0)
    return {
      state: 'needs_credentials',
      reason: `The credentials are incomplete: ${name} accepts ${describeForm(form)}.`,
    };
  return { state: 'ready', reason: null };
}
