import { expect, it } from 'vitest';
import { connectors } from '#services/worker/carriers/registry.ts';
import { carrierCodes } from '#shared/config/carrier-variables.ts';
import { carriers, connectorCodes, findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type CredentialReport, noCredentials } from '#shared/domain/carriers/carrier-credential.ts';
import {
  addressVariables,
  connectionOf,
  publishesAddress,
  reasonsWithoutConnector,
} from '#shared/domain/carriers/connection.ts';
import { credentialFormOf, fieldsOf } from '#shared/domain/carriers/credential-fields.ts';
import { onboardingOf } from '#shared/domain/carriers/onboarding.ts';
import { onboardingFacts, onboardingOfConnector } from '#shared/domain/carriers/onboarding-facts.ts';

const own: CredentialReport = {
  ...noCredentials,
  source: 'account',
  state: 'active',
  fields: ['client_id', 'client_secret'],
};

function connection(code: string, credentials: CredentialReport, { hasAddress = false, test = false } = {}) {
  const carrier = findCarrier(code);
  if (carrier === null) throw new Error(`no carrier ${code}`);
  return connectionOf(carrier, { credentials, hasAddress, test });
}

it('is ready with accepted credentials, and names the missing step otherwise', () => {
  expect(connection('MAEU', own)).toEqual({ state: 'ready', reason: null });
  expect(connection('MAEU', noCredentials)).toEqual({
    state: 'needs_credentials',
    reason: 'Set credentials for Maersk: client_id and client_secret, and optionally api_key.',
  });
  expect(connection('MAEU', { ...own, state: 'suspended' })).toMatchObject({
    state: 'needs_credentials',
    reason: expect.stringContaining('rejected'),
  });
  expect(connection('MAEU', { ...own, source: 'instance', fields: [] })).toMatchObject({ state: 'needs_credentials' });
  expect(connection('BNSF', noCredentials)).toMatchObject({
    state: 'pushed_only',
    reason: expect.stringContaining('No railway'),
  });
  expect(connection('MAEU', { ...noCredentials, source: 'simulator', state: 'active' }).state).toBe('ready');
  expect(connection('BNSF', noCredentials, { test: true }).state).toBe('ready');
});

it('explains why there is no connector, as far as it is known', () => {
  const reason = (code: string) => connection(code, noCredentials).reason;
  expect(reason('OOLU')).toBe(
    'This release has no connector for OOCL. OOCL publishes no specification of its tracking API. If you have one, open a carrier issue. Push its events yourself: register with tracking.mode pushed.',
  );
  expect(reason('dpd')).toContain('national companies');
  expect(reason('canada-post')).toContain('XML');
  expect(reason('correos')).toBe(
    'This release has no connector for Correos. Push its events yourself: register with tracking.mode pushed.',
  );
  for (const code of Object.keys(reasonsWithoutConnector)) expect(connection(code, own).state).toBe('pushed_only');
});

it('needs an address where the carrier publishes none, whatever the credentials', () => {
  for (const credentials of [own, noCredentials]) {
    expect(connection('EGLV', credentials)).toEqual({
      state: 'needs_address',
      reason: 'The address of Evergreen is not published. The operator sets it with CARRIER_EVERGREEN_BASE_URL.',
    });
  }
  expect(connection('EGLV', own, { hasAddress: true }).state).toBe('ready');
  expect(connection('EGLV', noCredentials, { hasAddress: true }).state).toBe('needs_credentials');
  // A server of a standard may take no credentials.
  const address: CredentialReport = { ...noCredentials, source: 'instance', state: 'active' };
  expect(connection('PCIU', address, { hasAddress: true })).toEqual({ state: 'ready', reason: null });
});

it('agrees with the connectors on which addresses are published, and with the configuration on their variables', () => {
  for (const code of connectorCodes) {
    expect([code, publishesAddress(code)]).toEqual([code, connectors[code].published.baseUrl !== null]);
    expect(addressVariables(code).base).toBe(`CARRIER_${carrierCodes[code]}_BASE_URL`);
  }
});

it('states every fact of onboarding with a source, a date only with sources, and every field that the connector takes', () => {
  for (const carrier of carriers) {
    const { fields, sources, checkedOn, portalUrl, product, whoMayApply, typicalDays, docsUrl } = onboardingOf(carrier);
    const facts = [portalUrl, product, whoMayApply, typicalDays, docsUrl, ...fields.map(({ name }) => name)];
    const isKnown = facts.some((fact) => fact !== null);
    expect([carrier.code, sources.length > 0]).toEqual([carrier.code, isKnown]);
    if (!isKnown) expect(checkedOn).toBeNull();
    for (const url of [...sources, portalUrl, docsUrl]) if (url !== null) expect(new URL(url).protocol).toBe('https:');
    if (checkedOn !== null) expect(checkedOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    if (carrier.connector !== null) {
      expect(fields.map(({ field }) => field)).toEqual(fieldsOf(credentialFormOf(carrier.connector)));
    }
  }
});

it('names no field that a connector does not take, and no unknown carrier', () => {
  for (const code of connectorCodes) {
    const taken: readonly string[] = fieldsOf(credentialFormOf(code));
    const named = Object.keys(onboardingOfConnector[code]?.names ?? {});
    expect([code, named.filter((field) => !taken.includes(field))]).toEqual([code, []]);
  }
  expect(Object.keys(onboardingFacts).filter((code) => findCarrier(code)?.code !== code)).toEqual([]);
});
