import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQueueBackend } from '#shared/queue/connection.ts';
import { openProducer } from '#shared/queue/producer.ts';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { redisUrl } from '#test/support/stores/redis.ts';
import { openRedisCluster, type RedisCluster } from '#test/support/stores/redis-cluster.ts';
import { until } from '#test/support/until.ts';

describe.skipIf(redisUrl() === null)('on a Redis Cluster of three nodes', () => {
  let cluster: RedisCluster;
  let landfall: Installation;

  beforeAll(async () => {
    cluster = await openRedisCluster();
    landfall = await openInstallation({ redisUrl: cluster.url });
  });

  afterAll(async () => {
    await landfall?.close();
    await cluster?.close();
  });

  it('registers shipments of several lines and refreshes them through the queue', async () => {
    const numbers = { MAEU: 'MAEU810000001', HLCU: 'HLCU810000001', ONEY: 'ONEY810000001' };
    const answers = await Promise.all(
      Object.entries(numbers).map(([carrier, mbl]) =>
        request(`${landfall.api.url}/v1/shipments`, {
          key: landfall.key,
          body: { transport_mode: 'ocean', carrier, identifiers: { mbl } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const { body } of answers) {
      const read = () => request(`${landfall.api.url}/v1/shipments/${body.shipment_id}`, { key: landfall.key });
      const seen = await until(read, (answer) => answer.body.tracking?.last_succeeded_at !== null);
      expect(seen.body.tracking.state).toBe('active');
    }
    expect(landfall.api.output() + (landfall.worker?.output() ?? '')).not.toMatch(/CROSSSLOT|MOVED/);
  });

  it('spreads queues, budgets and limits over the nodes', async () => {
    const counts = await cluster.keyCounts();
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1);
  });

  it('takes and counts jobs on the node of their queue', async () => {
    const errors: Error[] = [];
    const backend = openQueueBackend({
      redisUrl: cluster.url,
      databaseUrl: '',
      prefix: 'other',
      poolSize: 1,
      telemetry: false,
      onError: (error: Error) => errors.push(error),
    });
    const producer = openProducer(backend);
    const item = { accountId: landfall.accountId, shipmentId: '018f5ec0-7e57-7000-8000-00000000541b', epoch: 1 };
    try {
      for (const connector of ['a', 'b', 'c', 'd', 'e', 'f']) {
        await producer.enqueue(connector, [item, { ...item, epoch: 2 }], { linkOnly: true });
        expect(await producer.queueCounts(connector)).toMatchObject({ waiting: 2 });
      }
      expect(errors).toEqual([]);
    } finally {
      await producer.close();
    }
  });
});
