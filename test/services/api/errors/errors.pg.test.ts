import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeApiKey } from '#shared/core/keys/revoke-api-key.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { type RawAnswer, sendRaw } from '#test/support/api/raw-http.ts';
import { testDatabase } from '#test/support/stores/postgres.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

async function problemOf(answer: Response | RawAnswer): Promise<Record<string, unknown>> {
  const type = answer instanceof Response ? answer.headers.get('content-type') : answer.headers['content-type'];
  const requestId = answer instanceof Response ? answer.headers.get('x-request-id') : answer.headers['x-request-id'];
  const problem = answer instanceof Response ? await jsonOf(answer) : JSON.parse(answer.body);
  expect(type).toContain('application/problem+json');
  expect(problem).toMatchObject({ status: answer.status, request_id: requestId });
  expect(requestId).toMatch(/^req_/);
  return problem;
}

const raw = (lines: string[], body = '') =>
  sendRaw(api.url, `${[...lines, 'Host: localhost', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
const authorized = () => `Authorization: Bearer ${api.key}`;

describe('keys', () => {
  it.each([
    ['GET', '/v1/shipments'],
    ['POST', '/v1/shipments'],
    ['GET', '/v1/shipments/x'],
    ['POST', '/v1/mcp'],
    ['GET', '/v1/mcp'],
    ['GET', '/v1'],
    ['GET', '/v1/'],
    ['GET', '/v1/unknown'],
    ['DELETE', '/v1/shipments'],
    ['PATCH', '/v1/unknown/deep'],
    ['GET', '/%761/shipments'],
    ['GET', '/v1/%zz'],
    ['GET', '/v1/shipments?api_key=svc_live_x'],
    ['OPTIONS', '/v1/shipments'],
  ])('answers %s %s without a key with 401 and a challenge that advertises no OAuth', async (method, path) => {
    const answer = await raw([`${method} ${path} HTTP/1.1`]);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="landfall"');
    expect(await problemOf(answer)).toMatchObject({ status: 401, code: 'missing_api_key' });
  });

  it('explains what is wrong with a key before reading the body', async () => {
    const expired = await api.createKey({ expiresAt: new Date(Date.now() - 1000).toISOString() });
    const revoked = await api.createKey();
    await revokeApiKey(
      api.ctx.core,
      { accountId: api.accountId, keyId: null, scopes: [], test: false, requestId: 'req_test', idempotency: null },
      revoked.id,
    );
    const cases: [string, string][] = [
      ['Basic dXNlcjpwYXNz', 'invalid_api_key'],
      ['Bearer svc_live_short', 'invalid_api_key'],
      [`Bearer ${api.key.slice(0, -1)}${api.key.endsWith('a') ? 'b' : 'a'}`, 'invalid_api_key'],
      [`Bearer ${expired.secret}`, 'expired_api_key'],
      [`Bearer ${revoked.secret}`, 'revoked_api_key'],
    ];
    for (const [authorization, code] of cases) {
      const answer = await api.post('/v1/shipments', '{not json', { authorization });
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(await problemOf(answer)).toMatchObject({ status: 401, code });
    }
  });

  it('names the scope that a key lacks', async () => {
    const reader = await api.createKey({ scopes: ['shipments:read'] });
    const answer = await api.post('/v1/shipments', {}, { authorization: `Bearer ${reader.secret}` });
    const problem = await problemOf(answer);
    expect(problem).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(problem['detail']).toContain('shipments:write');
  });

  it('keeps keys out of the log', () => {
    expect(api.logLines.length).toBeGreaterThan(5);
    expect(api.logLines.join('')).not.toContain('svc_live_');
  });
});

describe('addresses and methods', () => {
  it('answers an unknown address with 404 and the nearest one, even with an unreadable body', async () => {
    const answer = await api.request('/v1/shipment', {
      method: 'POST',
      body: 'text',
      headers: { 'content-type': 'text/plain' },
    });
    const problem = await problemOf(answer);
    expect(problem).toMatchObject({ status: 404, code: 'route_not_found' });
    expect(problem['detail']).toContain('/v1/shipments');
    expect(await problemOf(await fetch(`${api.url}/.well-known/oauth-protected-resource`))).toMatchObject({
      status: 404,
    });
  });

  it('answers TRACE with an error and repeats nothing of the request', async () => {
    for (const path of ['/', '/v1/shipments', '/docs']) {
      const lines = [`TRACE ${path} HTTP/1.1`, 'host: localhost', 'cookie: secret=value', 'connection: close'];
      const { status, body } = await sendRaw(api.url, `${lines.join('\r\n')}\r\n\r\n`);
      expect(status, path).toBeGreaterThanOrEqual(400);
      expect(body, path).not.toContain('secret=value');
    }
  });

  it('answers a wrong method with 405 and Allow', async () => {
    const wrong = await api.request('/v1/shipments', { method: 'DELETE' });
    expect(wrong.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'HEAD', 'POST']);
    expect(await problemOf(wrong)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(await problemOf(await api.request('/v1/shipments/shp_1/refreshes', { method: 'POST' }))).toMatchObject({
      detail: '/v1/shipments/{shipment_id}/refreshes supports GET, HEAD.',
    });
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await api.request('/v1/mcp', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      await problemOf(answer);
    }
  });

  it('rejects requests for a format that it cannot produce', async () => {
    expect(await problemOf(await api.request('/v1/shipments', { headers: { accept: 'text/html' } }))).toMatchObject({
      status: 406,
      code: 'not_acceptable',
    });
    for (const accept of ['*/*', 'application/json', 'text/html, */*;q=0.1', 'application/*']) {
      expect((await api.request('/v1/shipments', { headers: { accept } })).status).toBe(200);
    }
  });

  it('limits the address to 8 KiB and the headers to 16', async () => {
    expect(await problemOf(await api.request(`/v1/shipments?q=${'a'.repeat(9000)}`))).toMatchObject({
      status: 414,
      code: 'uri_too_long',
    });
    expect(
      await problemOf(await raw(['GET /v1/shipments HTTP/1.1', authorized(), `X-Long: ${'a'.repeat(20_000)}`])),
    ).toMatchObject({
      status: 431,
    });
    expect(await problemOf(await raw(['GET /v1/%zz HTTP/1.1', authorized()]))).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    expect(await problemOf(await sendRaw(api.url, 'this is not HTTP\r\n\r\n'))).toMatchObject({ status: 400 });
  });
});

describe('bodies', () => {
  it.each([
    ['an empty body', ''],
    ['an incomplete object', '{"transport_mode":'],
    ['bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['a NUL byte', '{"carrier":"a\u0000b"}'],
    ['__proto__', '{"__proto__":{"carrier":"MAEU"}}'],
    ['__proto__ in escapes', '{"\\u005f_proto__":{"carrier":"MAEU"}}'],
  ])('rejects %s as invalid_json', async (_name, body) => {
    const answer = await api.request('/v1/shipments', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await problemOf(answer)).toMatchObject({ status: 400, code: 'invalid_json' });
  });

  it('rejects a POST without a body', async () => {
    expect(
      await problemOf(await raw(['POST /v1/shipments HTTP/1.1', authorized(), 'Content-Type: application/json'])),
    ).toMatchObject({
      status: 400,
      code: 'invalid_json',
    });
  });

  it('rejects an escaped NUL, and lists and strings in place of an object', async () => {
    for (const body of [
      '{"transport_mode":"ocean","carrier":"MAEU","identifiers":{"mbl":"MAEU\\u0000123456"}}',
      '[]',
      '"x"',
      'null',
      '7',
    ]) {
      expect(await problemOf(await api.post('/v1/shipments', body))).toMatchObject({ status: 400 });
    }
  });

  it('handles deeply nested JSON and ten thousand tags', async () => {
    expect(
      await problemOf(await api.post('/v1/shipments', `${'['.repeat(30_000)}${']'.repeat(30_000)}`)),
    ).toMatchObject({ status: 400 });
    const tags = Array.from({ length: 10_000 }, () => 'a');
    const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU999000111' }, tags };
    expect(await problemOf(await api.post('/v1/shipments', body))).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  it('rejects other media types, encodings and bodies over 64 KiB', async () => {
    const form = await api.request('/v1/shipments', {
      method: 'POST',
      body: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(await problemOf(form)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect(await problemOf(await api.post('/v1/shipments', {}, { 'content-encoding': 'gzip' }))).toMatchObject({
      status: 415,
    });
    expect(await problemOf(await api.post('/v1/shipments', { reference: 'x'.repeat(70_000) }))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    });
    const announced = await raw(
      ['POST /v1/shipments HTTP/1.1', authorized(), 'Content-Type: application/json', 'Content-Length: 1000000000'],
      '{',
    );
    expect(await problemOf(announced)).toMatchObject({ status: 413 });
  });
});

describe('the service itself', () => {
  it('is alive and ready', async () => {
    expect((await fetch(`${api.url}/livez`)).status).toBe(200);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  });

  it('answers 503 with Retry-After and no database details while the database is unavailable, and recovers', async () => {
    const database = await testDatabase();
    const proxy = await openFaultProxy(database.serviceUrl);
    const other = await startTestApi({ DATABASE_URL: proxy.url });
    const path = '/v1/shipments';
    const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123123123' } };
    expect((await other.request(path)).status).toBe(200);
    await proxy.cut();
    const answers = [await other.request(path), await other.post(path, body), await fetch(`${other.url}/readyz`)];
    for (const answer of answers) {
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      const problem = await problemOf(answer);
      expect(problem).toMatchObject({ status: 503, code: 'unavailable', retryable: true });
      expect(JSON.stringify(problem)).not.toMatch(/ECONN|127\.0\.0\.1|landfall_app|terminated/);
    }
    const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_shipments_summary' } };
    expect(await (await other.post('/v1/mcp', tool)).text()).not.toMatch(/ECONN|127\.0\.0\.1|landfall_app|terminated/);
    expect((await fetch(`${other.url}/livez`)).status).toBe(200);
    await proxy.restore();
    expect((await other.post(path, body)).status).toBe(201);
    expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
    await other.close();
    await proxy.close();
    await database.drop();
  });
});
