import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { request } from '#test/support/api/http.ts';
import { openInstallation } from '#test/support/installation.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { until } from '#test/support/until.ts';
import { describeDrills } from './drill-suite.ts';

describe.skipIf(redisUrl() === null)('with Redis', () => {
  describeDrills('Redis', {
    redisUrl: () => redisUrl(2),
    emptyQueue: async () => {
      const redis = new Redis(redisUrl(2) ?? '');
      await redis.flushdb();
      await redis.quit();
    },
  });

  it('reports a worker that lost Redis as not ready with the reason, and as ready once Redis is back', async () => {
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
  });

  it('registers shipments while Redis is unavailable and refreshes them once it is back', async () => {
    const proxy = await openFaultProxy(redisUrl(3) ?? '');
    const landfall = await openInstallation({ redisUrl: proxy.url, env: { CADENCE_SCALE: '1' } });
    try {
      const register = (mbl: string) =>
        request(`${landfall.api.url}/v1/shipments`, {
          key: landfall.key,
          body: { transport_mode: 'ocean', carrier: 'HLCU', identifiers: { mbl } },
        });
      expect((await register('HLCU700000001')).status).toBe(201);

      await proxy.cut();
      const answers = [];
      for (let index = 2; index < 12; index++) answers.push(await register(`HLCU70000000${index}0`));
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));

      await proxy.restore();
      for (const { body } of answers) {
        const read = () => request(`${landfall.api.url}/v1/shipments/${body.shipment_id}`, { key: landfall.key });
        await until(read, (answer) => answer.body.tracking?.last_succeeded_at !== null);
      }
    } finally {
      await landfall.close();
      await proxy.close();
    }
  });
});
