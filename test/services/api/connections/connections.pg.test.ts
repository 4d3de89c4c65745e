import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  const environment = { REDIS_URL: '', MAX_CONNECTIONS: '300', MAX_CONNECTIONS_PER_ADDRESS: '5' };
  api = await startTestApi(environment, { failedSignInsPerMinute: 2, limitTimeoutMs: 60_000 });
});
afterAll(() => api.close());

it('limits its connections as configured, and how long a client may not read', async () => {
  expect([api.app.server.maxConnections, api.app.server.timeout]).toEqual([300, 30_000]);
  const { hostname, port } = new URL(api.url);
  const held = Array.from({ length: 5 }, () => connect(Number(port), hostname));
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  const refused = connect(Number(port), hostname);
  const [bytes] = (await once(refused, 'data')) as [Buffer];
  expect(bytes.toString()).toMatch(/^HTTP\/1\.1 429 [\s\S]*Too many open connections/);
  for (const socket of [...held, refused]) socket.destroy();
});

it('counts requests with more than a sign-in, without a key or session, before it reads their bodies', async () => {
  const post = () =>
    api.app.inject({
      method: 'POST',
      url: '/dashboard/api/auth/sign-in/email',
      headers: { 'content-type': 'application/json', origin: api.url, host: new URL(api.url).host },
      payload: `{"email":"${'a'.repeat(2000)}`,
    });
  for (let time = 0; time < 30; time++) expect((await post()).statusCode).toBe(400);
  const refused = await post();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(refused.json().detail).toContain('this IP address');
});

it.each(['/docs/scalar.js', '/docs', '/docs/mcp', '/docs/openapi.json'])(
  'serves %s as brotli or gzip, made once and not on this thread',
  async (url) => {
    const get = (coding: string) => api.app.inject({ url, headers: { 'accept-encoding': coding } });
    const plain = (await get('identity')).rawPayload;
    const [br, gzip] = [await get('br, gzip'), await get('gzip')];
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.rawPayload).equals(plain)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain)).toBe(true);
    expect(br.rawPayload.length).toBeLessThan(plain.length / 2);
  },
);
