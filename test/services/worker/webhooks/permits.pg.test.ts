import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayWebhookEndpoint } from '#shared/core/webhooks/replay-endpoint.ts';
import { type DeliveryWorld, openDeliveryWorld } from '#test/support/webhooks/delivery-world.ts';

describe('permits of webhook requests', () => {
  let world: DeliveryWorld;
  beforeAll(async () => {
    world = await openDeliveryWorld({ redisUrl: null, concurrency: 4 });
  });
  afterAll(() => world?.close());

  it('are released soon: slow receivers delay no other account', async () => {
    const held: ServerResponse[] = [];
    const endpoints = ['slow-1', 'slow-2'];
    for (const name of endpoints) {
      const caller = await world.newCaller();
      const shipment = await world.register(caller);
      await world.sequence();
      await world.createEndpoint(caller, name, { timeoutS: 30 });
      world.receiver.answer(name, (_received, response) => void held.push(response));
      await world.change(
        caller,
        Array.from({ length: 8 }, () => ({ shipment })),
      );
    }
    // Both have filled their half.
    await world.receiver.until(() => held.length >= 4);
    const other = await world.newCaller();
    const shipment = await world.register(other);
    await world.sequence();
    await world.createEndpoint(other, 'quick');
    await world.change(other, [{ shipment }, { shipment }, { shipment }]);
    await world.receiver.until((all) => all.filter(({ path }) => path === '/quick').length === 3);
    // The waiting requests have a bound.
    expect(held.length).toBeLessThanOrEqual(12);

    const accept = (response: ServerResponse) => void response.writeHead(200).end();
    for (const name of endpoints) world.receiver.answer(name, (_received, response) => accept(response));
    for (const response of held) accept(response);
    await world.settled();
    for (const name of endpoints) {
      const ids = world.receiver.received.filter(({ path }) => path === `/${name}`).map(({ id }) => id);
      expect(new Set(ids).size).toBe(8);
      expect(ids).toHaveLength(8);
    }
  });

  it('go to a retry although a long replay is running', async () => {
    const caller = await world.newCaller();
    const shipment = await world.register(caller);
    await world.sequence();
    const endpoint = await world.createEndpoint(caller, 'replayed', { types: ['shipment.updated'] });
    await world.change(
      caller,
      Array.from({ length: 250 }, () => ({ shipment })),
    );
    await world.settled();
    const waiting = async (): Promise<number> =>
      (
        await world.core.store.system.query<{ count: number }>(
          `select count(*)::integer as count from landfall.webhook_deliveries where endpoint_id = $1 and state = 'waiting'`,
          [endpoint.id],
        )
      ).rows[0]?.count ?? 0;
    const before = world.receiver.received.length;
    const release = Promise.withResolvers<void>();
    world.receiver.answer('replayed', (_received, response) => {
      void release.promise.then(() => response.writeHead(200).end());
    });
    await replayWebhookEndpoint(world.core.ctx, caller, {
      endpointId: endpoint.id,
      from: null,
      to: null,
      failedOnly: false,
    });
    await world.sweep();
    // The first deliveries of the replay go out before the others are made due.
    await world.receiver.until((all) => all.length > before);
    expect(await waiting()).toBeLessThanOrEqual(100);
    release.resolve();
    await world.settled();
    expect(world.receiver.received.length - before).toBe(250);
  });
});
