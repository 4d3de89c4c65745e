import { expect, it } from 'vitest';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { request } from '#test/support/api/http.ts';
import { openInstallation } from '#test/support/installation.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { until } from '#test/support/until.ts';

it.skipIf(redisUrl() === null)(
  'reports a worker that lost Redis as not ready with the reason, and as ready once Redis is back',
  async () => {
    const proxy = await openFaultProxy(redisUrl(3) ?? '');
    const landfall = await openInstallation({ redisUrl: proxy.url, env: { CADENCE_SCALE: '1' } });
    try {
      const ready = () => request(`${landfall.worker?.url}/readyz`);
      await until(ready, ({ status }) => status === 200);
      await proxy.cut();
      const away = await until(ready, ({ status }) => status === 503);
      expect(away.body.reason).toMatch(/^the queue has been unavailable for \d+ s$/);
      expect((await request(`${landfall.worker?.url}/livez`)).status).toBe(200);
      await proxy.restore();
      await until(ready, ({ status }) => status === 200);
    } finally {
      await landfall.close();
      await proxy.close();
    }
  },
);
