import { openWebhookConsumer, type WebhookConsumer } from '#services/worker/webhooks/consume.ts';
import { openPreparedFeeds } from '#services/worker/webhooks/prepared-changes.ts';
import { openSelections } from '#services/worker/webhooks/selections.ts';
import { openWaker, type Waker } from '#services/worker/webhooks/wake.ts';
import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { createWebhookEndpoint } from '#shared/core/webhooks/create-endpoint.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { ShipmentChangeType } from '#shared/domain/feed/change-types.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import type { EndpointUpdate } from '#shared/domain/webhooks/endpoint.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';
import { openQueueBackend, prepareQueue } from '#shared/queue/connection.ts';
import { openProducer } from '#shared/queue/producer.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { checkDelivery } from '../api/openapi-checks.ts';
import { oceanRegistration, openTestCore, type TestCore } from '../core-context.ts';
import { until } from '../until.ts';
import { openReceiver, type Receiver } from './receiver.ts';

export type MadeChange = { shipment: Shipment; type?: ShipmentChangeType; tags?: string[]; traceparent?: string };

/** Accounts of test mode, a receiver on this machine, and a worker's side of webhooks over a real queue. */
export type DeliveryWorld = {
  core: TestCore;
  receiver: Receiver;
  waker: Waker;
  consumer: WebhookConsumer;
  newCaller: () => Promise<Caller>;
  /** An endpoint at this name of the receiver. */
  createEndpoint: (caller: Caller, name: string, more?: Partial<EndpointUpdate>) => Promise<Endpoint>;
  register: (caller: Caller) => Promise<Shipment>;
  /** Writes changes and gives them their sequences, which wakes the endpoints. */
  change: (caller: Caller, changes: readonly MadeChange[]) => Promise<void>;
  /** Sequences what waits. */
  sequence: () => Promise<void>;
  sweep: () => Promise<void>;
  /** Resolves when no delivery is under way or waiting for a worker. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
};

export type Endpoint = { id: string; secret: string };

export type WorldOptions = {
  redisUrl: string | null;
  now?: () => Date;
  random?: () => number;
  concurrency?: number;
};

export async function openDeliveryWorld(options: WorldOptions): Promise<DeliveryWorld> {
  const guard = openAddressGuard({ allowHttp: false, allowedNetworks: [], loopbackInTests: true, proxied: false });
  const sender = openWebhookSender({ guard, proxyUrl: null, version: '1.2.3' });
  const now = options.now ?? (() => new Date());
  const core = await openTestCore(
    { webhooks: { ...sender, bodyOf: toWebhookBody, testBodyOf: toTestBody }, now },
    ownDatabase,
  );
  const settings = {
    redisUrl: options.redisUrl,
    databaseUrl: core.serviceUrl,
    prefix: 'landfall_queue',
    poolSize: 3,
    telemetry: false,
    onError: () => undefined,
  };
  await prepareQueue(settings);
  const queue = openQueueBackend(settings);
  const producer = openProducer(queue);
  const { ctx } = core;
  const feeds = openPreparedFeeds(ctx);
  const selections = openSelections(ctx);
  const waker = openWaker({ core: ctx, producer, feeds, selections });
  const consumer = openWebhookConsumer({
    core: ctx,
    queue,
    sender,
    waker,
    feeds,
    selections,
    concurrency: options.concurrency ?? 256,
    random: options.random ?? Math.random,
  });
  await consumer.ready;
  const receiver = await openReceiver();
  const sequence = async (): Promise<void> => {
    while ((await sequenceChanges(ctx, waker.wake)) !== 0);
    await waker.idle();
  };
  return {
    core,
    receiver,
    waker,
    consumer,
    newCaller: () => core.newCaller({ test: true }),
    createEndpoint: (caller, name, more = {}) =>
      createWebhookEndpoint(ctx, caller, { url: receiver.urlOf(name), ...more }),
    register: async (caller) => (await registerShipment(ctx, caller, oceanRegistration())).shipment,
    change: async (caller, changes) => {
      await withAccount(core.store, caller.accountId, (tx) =>
        appendChanges(
          tx,
          caller.accountId,
          changes.map(({ shipment, type = 'shipment.updated', tags, traceparent = null }) => ({
            type,
            shipmentId: shipment.id,
            test: true,
            data: { shipment: shipmentSnapshot({ ...shipment, ...(tags && { tags }) }), changes: {} },
            traceparent,
          })),
        ),
      );
      await sequence();
    },
    sequence,
    sweep: async () => {
      while (await waker.sweep());
    },
    settled: async () => {
      await until(
        async () => {
          // A change that says that an endpoint was disabled.
          await sequence();
          // It writes the sequences of endpoints that selected nothing.
          while (await waker.sweep());
          return countUnsettled(core);
        },
        (count) => count === 0,
      );
    },
    close: async () => {
      await consumer.close(5000);
      await waker.close();
      await producer.close();
      await queue.close();
      await sender.close();
      receiver.close();
      await core.close();
      for (const one of receiver.received) checkDelivery(one);
    },
  };
}

/** Enabled endpoints that a worker has or that have changes to come to. */
async function countUnsettled({ store }: TestCore): Promise<number> {
  const { rows } = await store.system.query<{ count: number }>(`
    select count(*)::integer as count
    from landfall.webhook_cursors as c
    join landfall.webhook_endpoints as e on e.account_id = c.account_id and e.id = c.endpoint_id and e.enabled
    join landfall.account_feeds as f on f.account_id = c.account_id
    where c.sequence < f.given or c.lease_until is not null or c.retry_at <= now()`);
  return rows[0]?.count ?? 0;
}
