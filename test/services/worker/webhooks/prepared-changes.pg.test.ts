import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPreparedFeeds } from '#services/worker/webhooks/prepared-changes.ts';
import { type DeliveryWorld, openDeliveryWorld } from '#test/support/webhooks/delivery-world.ts';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await openDeliveryWorld({ redisUrl: null });
});
afterAll(() => world?.close());

it('keeps no more records and bodies that contain them than their limit', async () => {
  const caller = await world.newCaller();
  const shipment = await world.register(caller);
  await world.change(caller, [{ shipment }, { shipment }]);
  const feeds = openPreparedFeeds(world.core.ctx, { maxRecordBytes: 1 });
  const { changes } = await feeds.after(caller, 0);
  const [first, second] = changes.slice(-2);
  const [record, body, summary] = [first!.record(), first!.bodyOf('full'), first!.bodyOf('summary')];
  const text = await body;
  expect(first!.record()).toBe(record);
  expect(first!.bodyOf('full')).toBe(body);
  const other = second!.record();
  await other;
  expect(second!.record()).toBe(other);
  expect(first!.bodyOf('full')).not.toBe(body);
  expect(first!.record()).not.toBe(record);
  expect(await first!.bodyOf('full')).toBe(text);
  expect(first!.bodyOf('summary')).toBe(summary);
});

it('reads a record again after a failure', async () => {
  const caller = await world.newCaller();
  const shipment = await world.register(caller);
  await world.change(caller, [{ shipment }]);
  let isBroken = false;
  const store = new Proxy(world.core.ctx.store, {
    get: (target, name) =>
      name === 'app' && isBroken
        ? { connect: () => Promise.reject(new Error('no database')) }
        : Reflect.get(target, name),
  });
  const feeds = openPreparedFeeds({ ...world.core.ctx, store });
  const { changes } = await feeds.after(caller, 0);
  isBroken = true;
  await expect(changes.at(-1)!.record()).rejects.toThrow();
  isBroken = false;
  expect(await changes.at(-1)!.record()).toMatchObject({ id: shipment.id });
});
