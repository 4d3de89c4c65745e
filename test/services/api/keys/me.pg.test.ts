import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({}, { limits: { read: 777, write: 3000, batch: 120, mcp: 600 } });
});
afterAll(() => api.close());

const me = async (secret: string, query = '') => {
  const answer = await api.request(`/v1/me${query}`, { headers: { authorization: `Bearer ${secret}` } });
  return { status: answer.status, body: await jsonOf(answer) };
};

it('describes the current key to its holder, without the secret', async () => {
  const { id, secret } = await api.createKey({ scopes: ['webhooks:manage'], expiresAt: '2099-01-01T00:00:00.000Z' });
  const { status, body } = await me(secret);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: 'caller',
    account: { account_id: expect.stringMatching(/^acc_/), name: expect.any(String) },
    api_key: {
      api_key_id: expect.stringMatching(/^key_/),
      name: 'test',
      last_four: secret.slice(-4),
      expires_at: '2099-01-01T00:00:00.000Z',
    },
    test: false,
    scopes: ['webhooks:manage'],
    limits: { read: 777, write: 3000, batch: 120, mcp: 600 },
  });
  expect(id).not.toBe('');
  expect(secret.startsWith(body.api_key.prefix)).toBe(true);
  expect(JSON.stringify(body)).not.toContain(secret);
});

it('identifies a test key', async () => {
  const { secret } = await api.createKey({ test: true });
  expect((await me(secret)).body).toMatchObject({
    test: true,
    api_key: { prefix: expect.stringMatching(/^svc_test_/) },
  });
});

it('accepts no parameters, and requires a key', async () => {
  expect((await me(api.key, '?verbose=true')).body.code).toBe('unknown_parameter');
  expect((await fetch(`${api.url}/v1/me`)).status).toBe(401);
});
