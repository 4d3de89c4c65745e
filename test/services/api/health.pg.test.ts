import { expect, it } from 'vitest';
import { startTestApi } from '#test/support/api/api.ts';

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
