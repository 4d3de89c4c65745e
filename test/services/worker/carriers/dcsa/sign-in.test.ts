import { createHash, verify, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CarrierSettings } from '#services/worker/carriers/carrier.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { selfSignedCertificate } from '#test/support/api/self-signed-certificate.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from './fake-carrier.ts';
import { carrierOf, type Reply } from './fetch-at.ts';

const authUrl = 'https://login.example/token';
const { certificate, privateKey } = selfSignedCertificate();
const byCertificate = { authUrl, apiKey: null, clientSecret: null, certificate, privateKey, scope: 'app/.default' };

async function signIn(
  connector: ConnectorCode,
  settings: Partial<CarrierSettings>,
  token: Reply = { body: { access_token: 'tok', expires_in: '3599' } },
) {
  const carrier = carrierOf(({ method }) => (method === 'POST' ? token : { body: [] }), settings);
  const [result] = (
    await connectors[connector].fetch(carrier.context, [subject({ booking: 'B1' })], AbortSignal.timeout(patienceMs))
  ).values();
  const [asked, refresh] = carrier.calls;
  return { ...carrier, result, asked, refresh };
}

const decode = (part = ''): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

describe('certificate authentication', () => {
  test('signs the assertion with the key, includes the thumbprint, and addresses only the token endpoint', async () => {
    const { asked, refresh } = await signIn('msc', byCertificate);
    const form = Object.fromEntries(new URLSearchParams(asked?.body));
    expect(form).toMatchObject({
      grant_type: 'client_credentials',
      client_id: 'id',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      scope: 'app/.default',
    });
    expect(form).not.toHaveProperty('client_secret');
    const [header, claims, signature = ''] = (form.client_assertion ?? '').split('.');
    const known = new X509Certificate(certificate);
    expect(decode(header)).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      x5t: createHash('sha1').update(known.raw).digest('base64url'),
    });
    const issuedAt = Date.parse('2026-05-01T00:00:00Z') / 1000;
    expect(decode(claims)).toEqual({
      aud: authUrl,
      iss: 'id',
      sub: 'id',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + 300,
    });
    expect(
      verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), known.publicKey, Buffer.from(signature, 'base64url')),
    ).toBe(true);
    expect(refresh?.headers).toMatchObject({ authorization: 'Bearer tok' });
  });

  test('accepts line breaks written as \\n, as in environment files', async () => {
    const flat = (text: string) => text.replaceAll('\n', '\\n');
    const { result } = await signIn('msc', {
      ...byCertificate,
      certificate: flat(certificate),
      privateKey: flat(privateKey),
    });
    expect(result).toMatchObject({ outcome: 'not_found' });
  });

  test('reports an invalid certificate or key without quoting it and makes no call', async () => {
    for (const broken of [{ certificate: 'SECRET' }, { privateKey: 'SECRET' }]) {
      const { result, calls } = await signIn('msc', { ...byCertificate, ...broken });
      expect(result).toMatchObject({ outcome: 'error', reason: 'carrier_auth_failed' });
      expect(JSON.stringify(result)).not.toContain('SECRET');
      expect(calls).toEqual([]);
    }
  });

  test('names a missing setting, and accepts the subscription key alone', async () => {
    const { result } = await signIn('msc', { ...byCertificate, scope: null });
    expect(result).toMatchObject({ reason: 'credentials_missing', detail: expect.stringContaining('scope') });
    const { calls } = await signIn('msc', { ...byCertificate, certificate: null, apiKey: 'key' });
    expect(calls.map(({ method }) => method)).toEqual(['GET']);
  });
});

test('one: sends the grant in the query, id and secret by Basic, the key with both calls, and reads a lifetime in text', async () => {
  const { asked, refresh, context, calls, clock } = await signIn('one', { authUrl });
  expect(asked?.url.href).toBe(`${authUrl}?grant_type=client_credentials`);
  expect(asked?.body).toBe('');
  expect(asked?.headers).toMatchObject({
    apikey: 'key',
    authorization: `Basic ${Buffer.from('id:secret').toString('base64')}`,
  });
  expect(refresh?.headers).toMatchObject({ apikey: 'key', authorization: 'Bearer tok' });
  clock.ms += 3_200_000;
  await connectors.one.fetch(context, [subject({ booking: 'B1' })], AbortSignal.timeout(patienceMs));
  expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
});

test('cma-cgm: sends id and secret in the form with the published scopes or the customer’s own', async () => {
  const { asked, refresh } = await signIn('cma-cgm', { authUrl });
  expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
    grant_type: 'client_credentials',
    client_id: 'id',
    client_secret: 'secret',
    scope: 'tandtcommercial:read:be tandtpublic:read:be',
  });
  expect(refresh?.headers).not.toHaveProperty('keyId');
  const own = await signIn('cma-cgm', { authUrl, scope: 'mine' });
  expect(new URLSearchParams(own.asked?.body).get('scope')).toBe('mine');
});

test('evergreen: requires a token address and reports a rejected secret as an authentication error', async () => {
  expect((await signIn('evergreen', {})).result).toMatchObject({
    reason: 'credentials_missing',
    detail: expect.stringContaining('authUrl'),
  });
  const { result } = await signIn('evergreen', { authUrl }, { status: 401, body: { error: 'invalid_client' } });
  expect(result).toMatchObject({ reason: 'carrier_auth_failed', permanent: false });
});

test.each([
  [{ 'Retry-After': '9' }, 9_000],
  [{}, 60_000],
])(
  'does not call a token endpoint again for any shipment before the time that its 429 with %o demands',
  async (headers, waitMs) => {
    const { result, context, calls, clock } = await signIn(
      'evergreen',
      { authUrl },
      { status: 429, headers, body: {} },
    );
    expect(result).toMatchObject({ reason: 'carrier_rate_limited', httpStatus: 429 });
    const refresh = () =>
      connectors.evergreen.fetch(context, [subject({ booking: 'B2' })], AbortSignal.timeout(patienceMs));
    clock.ms += waitMs - 1;
    expect([...(await refresh()).values()]).toMatchObject([
      { reason: 'carrier_rate_limited', httpStatus: null, retryAfterMs: 1 },
    ]);
    expect(calls).toHaveLength(1);
    clock.ms += 1;
    await refresh();
    expect(calls).toHaveLength(2);
  },
);

test('reports a 422 of a token endpoint as rejected credentials, not as an invalid number', async () => {
  const { result } = await signIn('evergreen', { authUrl }, { status: 422, body: { error: 'unsupported' } });
  expect(result).toMatchObject({ reason: 'carrier_auth_failed', permanent: false });
});

test.each([
  ['msc', { ...byCertificate, ...selfSignedCertificate() }],
  ['msc', { ...byCertificate, scope: 'another/.default' }],
  ['one', { authUrl, apiKey: 'another' }],
] as const)(
  '%s: never gives the token of another customer to a client that has only the client id',
  async (connector, others) => {
    const own = connector === 'msc' ? byCertificate : { authUrl };
    const { context, calls } = await signIn(connector, own);
    const stranger = { ...context, settings: { ...context.settings, ...others } };
    await connectors[connector].fetch(stranger, [subject({ booking: 'B1' })], AbortSignal.timeout(patienceMs));
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET']);
  },
);

test('dcsa: uses id and secret with a token address, and otherwise the key alone', async () => {
  const { asked, refresh } = await signIn('dcsa', { authUrl, apiKey: null });
  expect(Object.fromEntries(new URLSearchParams(asked?.body))).toMatchObject({
    client_id: 'id',
    client_secret: 'secret',
  });
  expect(refresh?.headers).toMatchObject({ authorization: 'Bearer tok' });
  const { calls } = await signIn('dcsa', { authUrl, clientId: null, clientSecret: null });
  expect(calls).toMatchObject([{ method: 'GET', headers: { apikey: 'key' } }]);
});

test.each([401, 403])(
  'replaces a token that is rejected with %i once before it rejects the credentials',
  async (status) => {
    const { context, calls } = carrierOf(
      ({ method }) =>
        method === 'POST' ? { body: { access_token: `tok ${calls.length}`, expires_in: 300 } } : { status, body: {} },
      { authUrl },
    );
    const [result] = (
      await connectors.maersk.fetch(context, [subject({ booking: 'B1' })], AbortSignal.timeout(patienceMs))
    ).values();
    expect(result).toMatchObject({ reason: 'carrier_auth_failed', httpStatus: status });
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET']);
  },
);
