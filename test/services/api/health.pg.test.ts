import { expect, it } from 'vitest';
import { startTestApi } from '#test/support/api/api.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { testDatabase } from '#test/support/stores/postgres.ts';

it('answers health checks at its own host names and at IP addresses, so that no website can read them through a browser', async () => {
  const api = await startTestApi({ REDIS_URL: '', HOST: '127.0.0.1', PUBLIC_BASE_URL: 'https://track.example' });
  try {
    for (const url of ['/livez', '/readyz']) {
      const statusOf = async (host: string) => (await api.app.inject({ url, headers: { host } })).statusCode;
      expect(await statusOf('evil.example')).toBe(403);
      for (const host of ['localhost:8080', '10.1.2.3:8080', 'track.example']) expect(await statusOf(host)).toBe(200);
    }
  } finally {
    await api.close();
  }
});

it('answers health checks at any host name while it listens on all addresses and none is configured', async () => {
  const api = await startTestApi({ REDIS_URL: '', HOST: '0.0.0.0' });
  try {
    expect((await api.app.inject({ url: '/readyz', headers: { host: 'balancer.internal' } })).statusCode).toBe(200);
  } finally {
    await api.close();
  }
});

it('answers 503 within seconds while packets to the database vanish, and serves again once they arrive', async () => {
  const proxy = await openFaultProxy((await testDatabase()).serviceUrl);
  const api = await startTestApi({ DATABASE_URL: proxy.url }, { accountName: 'vanishing packets' });
  try {
    const list = () => api.request('/v1/shipments');
    const { secret } = await api.createKey();
    const unknownKey = () => fetch(`${api.url}/v1/carriers`, { headers: { authorization: `Bearer ${secret}` } });
    expect((await list()).status).toBe(200);
    proxy.freeze();
    // 5 s, beside a timer of the same event loop, which a busy machine delays as well. Two waits in turn take 10 s.
    const reference = new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), 9500));
    const asked = [list(), list(), api.request('/v1/shipments/counts'), unknownKey()];
    const answers = await Promise.all(asked.map((answer) => Promise.race([answer, reference])));
    for (const answer of answers) {
      if (answer === 'late') throw new Error('no answer within the time of the reference');
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).not.toBeNull();
    }
    proxy.thaw();
    await expect.poll(async () => (await list()).status).toBe(200);
  } finally {
    await proxy.close();
    await api.close();
  }
});
