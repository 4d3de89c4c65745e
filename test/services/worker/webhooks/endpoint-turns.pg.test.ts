import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runEndpoint } from '#services/worker/webhooks/deliver-endpoint.ts';
import type { DeliverContext } from '#services/worker/webhooks/endpoint-run.ts';
import { openDeliveryPermits } from '#services/worker/webhooks/permits.ts';
import { openSelections } from '#services/worker/webhooks/selections.ts';
import { beginWebhooks, claimWebhooks, releaseWebhooks } from '#shared/core/webhooks/claim-endpoints.ts';
import { resendWebhookDelivery } from '#shared/core/webhooks/resend-delivery.ts';
import { updateWebhookEndpoint } from '#shared/core/webhooks/update-endpoint.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { listDeliveries, parkDelivery } from '#shared/store/webhooks/deliveries.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { until } from '#test/support/until.ts';
import { type DeliveryWorld, openDeliveryWorld } from '#test/support/webhooks/delivery-world.ts';
import { answerWith } from '#test/support/webhooks/receiver.ts';

describe('turns of webhook endpoints', () => {
  let world: DeliveryWorld;
  let caller: Caller;
  let shipment: Shipment;
  beforeAll(async () => {
    world = await openDeliveryWorld({ redisUrl: null, random: () => 0.5 });
  });
  beforeEach(async () => {
    caller = await world.newCaller();
    shipment = await world.register(caller);
    await world.sequence();
  });
  afterAll(() => world?.close());

  const changes = (count: number) => Array.from({ length: count }, () => ({ shipment }));
  const cursorOf = async (id: string) =>
    (await world.core.store.system.query('select * from landfall.webhook_cursors where endpoint_id = $1', [id]))
      .rows[0];
  const deliveriesOf = (endpointId: string) =>
    withAccount(world.core.store, caller.accountId, async (tx) => {
      const query = { states: null, types: null, shipmentId: null, since: null, after: null, limit: 100 };
      const { deliveries } = await listDeliveries(tx, caller.accountId, { ...query, endpointId });
      return deliveries.toSorted((left, right) => left.sequence! - right.sequence!);
    });

  it('delivers a change whose record cannot be read by its filter, and continues with the next ones', async () => {
    const endpoint = await world.createEndpoint(caller, 'filtered', { filter: { metadata: { lot: ['7'] } } });
    await world.core.store.system.query(
      `insert into landfall.settled_shipments (account_id, shipment_id, packed) values ($1, $2, '\\x00')`,
      [caller.accountId, shipment.id],
    );
    const other = await world.register(caller);
    await world.change(caller, [{ shipment }, { shipment: other }]);
    await world.settled();
    expect((await deliveriesOf(endpoint.id)).map(({ shipmentId, state }) => ({ shipmentId, state }))).toEqual([
      { shipmentId: shipment.id, state: 'delivered' },
    ]);
  });

  it('claims an endpoint once while its deliveries wait for those of the same shipment', async () => {
    const endpoint = await world.createEndpoint(caller, 'blocked');
    world.receiver.answer('blocked', answerWith(429, { 'retry-after': '3600' }));
    await world.change(caller, changes(1));
    await world.settled();
    await updateWebhookEndpoint(world.core.ctx, caller, { id: endpoint.id, update: { ordering: 'shipment' } });
    await world.change(caller, changes(2));
    await world.settled();
    const [first, second] = await deliveriesOf(endpoint.id);
    await resendWebhookDelivery(world.core.ctx, caller, { endpointId: endpoint.id, id: second!.id });
    const before = await cursorOf(endpoint.id);
    await world.sweep();
    await pause(1000);
    const after = await cursorOf(endpoint.id);
    expect(Number(after.epoch) - Number(before.epoch)).toBeLessThan(10);
    await world.settled();

    // The deliveries behind it follow at once.
    world.receiver.answer('blocked', answerWith(200));
    await resendWebhookDelivery(world.core.ctx, caller, { endpointId: endpoint.id, id: first!.id });
    await world.sweep();
    await world.settled();
    expect((await deliveriesOf(endpoint.id)).map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
  });

  it('sees a delivery that is sent again while its worker releases the endpoint', async () => {
    const endpoint = await world.createEndpoint(caller, 'resent');
    await world.change(caller, changes(1));
    await world.settled();
    const [delivery] = await deliveriesOf(endpoint.id);
    const { epoch } = await cursorOf(endpoint.id);
    const claim = { accountId: caller.accountId, endpointId: endpoint.id, epoch: Number(epoch) };
    let releasing: Promise<void> | undefined;
    await withAccount(world.core.store, caller.accountId, async (tx) => {
      await parkDelivery(tx, caller.accountId, { endpointId: endpoint.id, id: delivery!.id });
      releasing = releaseWebhooks(world.core.ctx, [claim]);
      await pause(300);
    });
    await releasing;
    expect((await cursorOf(endpoint.id)).retry_at).not.toBeNull();
    await world.sweep();
    await world.settled();
    expect(world.receiver.received.filter(({ path }) => path === '/resent')).toHaveLength(2);
  });

  it('keeps the last tries of a delivery that is sent again and again', async () => {
    const endpoint = await world.createEndpoint(caller, 'again');
    await world.change(caller, changes(1));
    await world.settled();
    const [delivery] = await deliveriesOf(endpoint.id);
    await world.core.store.system.query(
      `update landfall.webhook_deliveries
       set earlier = (select jsonb_agg(jsonb_build_object('at', n::text)) from generate_series(1, 50) as n) where id = $1`,
      [delivery!.id],
    );
    await resendWebhookDelivery(world.core.ctx, caller, { endpointId: endpoint.id, id: delivery!.id });
    await world.sweep();
    await world.settled();
    const { rows } = await world.core.store.system.query(
      'select earlier from landfall.webhook_deliveries where id = $1',
      [delivery!.id],
    );
    expect(rows[0].earlier).toHaveLength(50);
    expect(rows[0].earlier[0]).toEqual({ at: '2' });
    expect(rows[0].earlier.at(-1)).toMatchObject({ status: 200 });
  });

  it('lets a claim begin once', async () => {
    const endpoint = await world.createEndpoint(caller, 'twice');
    await world.core.store.system.query('update landfall.webhook_cursors set retry_at = now() where endpoint_id = $1', [
      endpoint.id,
    ]);
    const [claimed] = await claimWebhooks(world.core.ctx, [{ accountId: caller.accountId, endpointId: endpoint.id }]);
    const [held] = await beginWebhooks(world.core.ctx, claimed!);
    expect(held).toMatchObject({ endpointId: endpoint.id });
    expect(await beginWebhooks(world.core.ctx, claimed!)).toEqual([]);
    await releaseWebhooks(world.core.ctx, [held!]);
    expect((await cursorOf(endpoint.id)).lease_until).toBeNull();
  });

  it('uses no permit while an endpoint waits for its rate', async () => {
    const small = await openDeliveryWorld({ redisUrl: null, concurrency: 1 });
    let rounds = 0;
    /** Returns the number of deliveries of the slow endpoint that three of the quick one waited for. */
    const outwaited = async (): Promise<number> => {
      rounds += 1;
      const names = { paced: `paced-${rounds}`, quick: `quick-${rounds}` };
      const [paced, quick] = [await small.newCaller(), await small.newCaller()];
      const [of, other] = [await small.register(paced), await small.register(quick)];
      await small.sequence();
      await small.createEndpoint(paced, names.paced, { ratePerSecond: 1 });
      await small.createEndpoint(quick, names.quick);
      await small.change(paced, [{ shipment: of }, { shipment: of }, { shipment: of }, { shipment: of }]);
      const arrived = (name: string) => small.receiver.received.filter(({ path }) => path === `/${name}`).length;
      await small.receiver.until(() => arrived(names.paced) === 1);
      await small.change(quick, [{ shipment: other }, { shipment: other }, { shipment: other }]);
      await small.receiver.until(() => arrived(names.quick) === 3);
      return arrived(names.paced);
    };
    // A busy machine may need more than a second for the three, but not every time.
    await until(outwaited, (count) => count < 3);
    await small.close();
  });

  it('keeps the process alive when an endpoint cannot be disabled', async () => {
    const prepared = (sequence: number) => ({
      change: { id: 'x', sequence, type: 'shipment.updated', createdAt: new Date().toISOString(), traceparent: null },
      id: `chg_${sequence}`,
      shipmentId: null,
      record: async () => null,
      bodyOf: () => '{}',
    });
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    let sent = 0;
    const run = runEndpoint(
      {
        core: world.core.ctx,
        feeds: {
          after: async (_owner: unknown, sequence: number) =>
            sequence === 0 ? { changes: [prepared(1), prepared(2)], upTo: 2 } : { changes: [], upTo: sequence },
        },
        selections: openSelections(world.core.ctx),
        sender: {
          compose: () => ({ headers: {}, body: '{}' }),
          send: async () => {
            sent += 1;
            if (sent > 1) await pause(200);
            return { status: sent === 1 ? 410 : 200, error: null, latencyMs: 1, answer: null, retryAfter: null };
          },
        },
        now: () => new Date(),
        random: Math.random,
        permits: openDeliveryPermits(8),
        record: async () => ({ enabled: true, failingForS: null, consecutiveFailures: 0 }),
        release: async () => undefined,
        disable: async () => {
          throw new Error('the database is unavailable');
        },
      } as unknown as DeliverContext,
      {
        accountId: caller.accountId,
        endpointId: caller.accountId,
        epoch: 1,
        sequence: 0,
        outcomes: [],
        types: null,
        filter: null,
        payload: 'summary',
        ordering: 'none',
        ratePerSecond: null,
        consecutiveFailures: 0,
        leaseLeftMs: 10_000,
        target: {},
      } as never,
      { stopping: new AbortController().signal, aborting: new AbortController().signal },
    );
    await expect(run.done).rejects.toThrow('the database is unavailable');
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
