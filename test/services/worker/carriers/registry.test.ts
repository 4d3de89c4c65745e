import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDcsaConnector } from '#services/worker/carriers/dcsa/dcsa-connector.ts';
import { plain } from '#services/worker/carriers/dcsa/dialects/plain.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { settingsFor } from '#services/worker/carriers/settings-for.ts';
import { type ConnectorCode, carriers, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { credentialFormOf } from '#shared/domain/carriers/credential-fields.ts';
import type { CredentialField } from '#shared/domain/carriers/known-connectors.ts';
import { selfSignedCertificate } from '#test/support/api/self-signed-certificate.ts';
import { nothingConfigured } from '#test/support/carriers/simulated-carrier.ts';
import { patienceMs } from '#test/support/until.ts';
import { equipmentEvent, subject } from './dcsa/fake-carrier.ts';
import { carrierOf, readingOf } from './dcsa/fetch-at.ts';
import { freightSubject } from './freight/simulated-carrier.ts';

const root = join(import.meta.dirname, '../../../..');

/**
 * Files that may name a connector: its own, the registry, the two lists of the catalogue, and the facts about carriers'
 * portals, which no code depends on. Tools are excluded: the simulator and the drills play carriers by name.
 */
const places = [
  /^services\/worker\/carriers\//,
  /^shared\/domain\/carriers\/(known-(carriers|connectors)|onboarding-facts)\.ts$/,
  /^infra\/tools\//,
];

test('names a connector only in its own file, the registry and the catalogue', () => {
  // Codes of parcel carriers also appear in the catalogue: a rule about numbers may name its carrier.
  const codes = connectorCodes.filter((code) => carriers.every((carrier) => carrier.code !== code));
  expect(codes).toContain('maersk');
  const named = new RegExp(`['"\`](${codes.join('|')})['"\`]`);
  const found = ['services', 'shared', 'infra'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => file.endsWith('.ts') && !places.some((place) => place.test(file)))
      .flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          // Examples in descriptions may name any carrier.
          .filter((line) => named.test(line) && !/examples:/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      ),
  );
  expect(found).toEqual([]);
});

test('supports a made-up line with a dialect alone', async () => {
  const madeUp = 'made-up' as ConnectorCode;
  const connector = createDcsaConnector({
    ...plain,
    connector: madeUp,
    eventsPath: '/tracking',
    codeAliases: { ONBOARD: 'LOAD' },
    billPrefix: 'asGiven',
  });
  const { context, calls } = carrierOf(() => ({ body: { data: [equipmentEvent('ONBOARD')] } }));
  const reading = readingOf(
    await connector.fetch(context, [subject({ mbl: 'MADE123' })], AbortSignal.timeout(patienceMs)),
  );
  expect(reading).toMatchObject({ source: 'dcsa:made-up', events: [{ code: 'loaded' }], unreadable: [] });
  expect(calls[0]?.url.href).toBe('https://carrier.example/tracking?transportDocumentReference=MADE123&limit=100');
});

test.each(Object.entries(connectors))(
  '%s: has matching code and simulator paths, and a budget below its limit',
  (code, connector) => {
    expect(connector.code).toBe(code);
    expect(connector.simulated.basePath).toBe(`/sim/${code}`);
    expect(connector.budget.calls).toBeGreaterThan(0);
    expect(connector.budget.burst).toBeGreaterThanOrEqual(1);
    for (const url of Object.values(connector.published))
      if (url !== null) expect(url).toMatch(/^https:\/\/[^/]+\S*[^/]$/);
  },
);

const identifiers = {
  mbl: 'MAEU123456780',
  booking: 'BOOK12345',
  tracking_number: '1Z999AA10123456784',
  awb: '02008002050',
  pro: '012345678',
};
const given = {
  client_id: 'the-client',
  client_secret: 'the-secret',
  api_key: 'the-key',
  scope: 'the-scope',
  ...pemOf(selfSignedCertificate()),
};
const forms = connectorCodes.flatMap((code) =>
  credentialFormOf(code).anyOf.map((fields) => [code, fields.join(' and ')] as const),
);

test.each(forms)(
  '%s authenticates with %s, as the catalogue states, where it has a token address',
  async (code, fields) => {
    const values = Object.fromEntries(fields.split(' and ').map((field) => [field, given[field as CredentialField]]));
    const token = { body: { access_token: 'tok', expires_in: 300 } };
    const { context, calls } = carrierOf(({ url }) => (url.pathname === '/token' ? token : { status: 404, body: {} }), {
      ...nothingConfigured,
      baseUrl: 'https://carrier.example',
      authUrl: 'https://carrier.example/token',
      clientId: values.client_id ?? null,
      clientSecret: values.client_secret ?? null,
      apiKey: values.api_key ?? null,
      certificate: values.certificate ?? null,
      privateKey: values.private_key ?? null,
      scope: values.scope ?? null,
    });
    const [result] = (
      await connectors[code].fetch(context, [freightSubject('ocean', identifiers)], AbortSignal.timeout(patienceMs))
    ).values();
    expect(result).toMatchObject({ outcome: 'not_found' });
    const isSignedIn = ({ headers }: { headers: Record<string, string> }) =>
      Object.values(headers).some((value) => /^Bearer tok$|^the-|^hmac username="the-/.test(value));
    expect(calls.filter(({ url }) => url.pathname !== '/token').every(isSignedIn)).toBe(true);
  },
);

function pemOf({ certificate, privateKey }: { certificate: string; privateKey: string }) {
  return { certificate, private_key: privateKey };
}

test.each([
  ['cma-cgm', {}, 'https://apis.cma-cgm.net', 'https://auth.cma-cgm.com/as/token.oauth2'],
  [
    'cma-cgm',
    { baseUrl: 'https://apis.cma-cgm.net/' },
    'https://apis.cma-cgm.net',
    'https://auth.cma-cgm.com/as/token.oauth2',
  ],
  ['cma-cgm', { baseUrl: 'http://stand-in/x' }, 'http://stand-in/x', 'http://stand-in/x/as/token.oauth2'],
  [
    'maersk',
    { baseUrl: 'http://stand-in' },
    'http://stand-in',
    'http://stand-in/customer-identity/oauth/v2/access_token',
  ],
  ['msc', { baseUrl: 'http://stand-in', authUrl: 'http://other/token' }, 'http://stand-in', 'http://other/token'],
] as const)('%s with %o authenticates at the right address', (code, configured, baseUrl, authUrl) => {
  expect(settingsFor(connectors[code], { ...nothingConfigured, clientId: 'id', ...configured }, null)).toMatchObject({
    baseUrl,
    authUrl,
  });
});
