import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { settlesWithin } from '#shared/async/deadline.ts';
import { openQueueBackend, prepareQueue } from '#shared/queue/connection.ts';
import { type ConsumerOptions, openConsumer } from '#shared/queue/consumer.ts';
import type { JobPayload } from '#shared/queue/jobs.ts';
import { openProducer, queueNameOf, webhookQueue } from '#shared/queue/producer.ts';
import type { QueueSettings } from '#shared/queue/queue-settings.ts';
import { currentTraceId, inSpan } from '#shared/telemetry/events.ts';
import { createJobPropagator } from '#shared/telemetry/traces/job-propagator.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { patienceMs } from '#test/support/until.ts';

type RefreshOptions = ConsumerOptions<'refresh-shipment'>;

export type QueueBackend = { redisUrl: string | null; databaseUrl: string; close(): Promise<void> };

/** The guarantees of the queue on any backend. */
export function describeQueue(name: string, openBackend: () => Promise<QueueBackend>): void {
  describe(`queue on ${name}`, () => {
    const spans = new InMemorySpanExporter();
    const cleanups: (() => Promise<void>)[] = [];
    const errors: Error[] = [];
    let backend: QueueBackend;

    beforeAll(async () => {
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      propagation.setGlobalPropagator(createJobPropagator());
      trace.setGlobalTracerProvider(
        new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
      );
      backend = await openBackend();
      await prepareQueue(settings());
    });
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
      errors.length = 0;
      spans.reset();
    });
    afterAll(() => backend?.close());

    const settings = (): QueueSettings => ({
      redisUrl: backend.redisUrl,
      databaseUrl: backend.databaseUrl,
      prefix: 'landfall_queue',
      poolSize: 2,
      telemetry: true,
      onError: (error) => errors.push(error),
    });
    const open = (changed: Partial<QueueSettings> = {}) => {
      const opened = openQueueBackend({ ...settings(), ...changed });
      cleanups.push(() => opened.close());
      return opened;
    };
    const produce = (changed: Partial<QueueSettings> = {}) => {
      const producer = openProducer(open(changed));
      cleanups.push(() => producer.close());
      return producer;
    };
    const consume = async (
      connector: string,
      handle: RefreshOptions['handle'],
      more: Partial<RefreshOptions & QueueSettings> = {},
    ) => {
      const consumer = openConsumer(open(more), {
        queue: queueNameOf(connector),
        job: 'refresh-shipment',
        concurrency: 4,
        handle,
        ...more,
      });
      cleanups.push(() => consumer.close(500));
      await consumer.ready;
      return consumer;
    };
    /** Its first connection may take longer than a client waits for the queue. */
    const connected = async (connector: string) => {
      const producer = produce();
      await vi.waitFor(() => producer.queueCounts(connector), { timeout: patienceMs });
      return producer;
    };
    const throughProxy = async () => {
      const proxy = await openFaultProxy(backend.redisUrl ?? backend.databaseUrl);
      cleanups.push(() => proxy.close());
      return { proxy, proxied: backend.redisUrl === null ? { databaseUrl: proxy.url } : { redisUrl: proxy.url } };
    };

    it('delivers a job to its connector with the payload that was sent', async () => {
      const [connector, item] = [mintConnector(), mintItem()];
      const delivered = Promise.withResolvers<JobPayload<'refresh-shipment'>>();
      await consume(connector, async (payload) => delivered.resolve(payload));
      await (await connected(connector)).enqueue(connector, [item], { linkOnly: false, hurried: true });
      // A client may be waiting for it, so the job goes to the head of the queue.
      expect(await delivered.promise).toEqual({ connector, items: [item], hurried: true });
    });

    it('delivers claimed endpoints through the queue of webhooks, each claim once', async () => {
      const items = Array.from({ length: 3 }, () => ({
        accountId: randomUUID(),
        endpoints: [
          { id: randomUUID(), epoch: 1 },
          { id: randomUUID(), epoch: 2 },
        ],
      }));
      const producer = produce();
      await producer.enqueueWebhooks(items);
      await producer.enqueueWebhooks(items);
      const [seen, last] = [collector<JobPayload<'deliver-webhooks'>>(4), { ...items[0]!, accountId: randomUUID() }];
      last.endpoints = [{ id: randomUUID(), epoch: 1 }];
      await producer.enqueueWebhooks([last]);
      const consumer = openConsumer(open(), {
        queue: webhookQueue,
        job: 'deliver-webhooks',
        concurrency: 1,
        handle: async (payload) => seen.add(payload),
      });
      cleanups.push(() => consumer.close(500));
      expect(await seen.all).toEqual([...items, last]);
    });

    it('delivers a batch as one job per shipment', async () => {
      const [connector, items] = [mintConnector(), Array.from({ length: 20 }, mintItem)];
      const seen = collector<string>(items.length);
      await consume(connector, async ({ items: [item] }) => seen.add(item?.shipmentId ?? ''));
      await (await connected(connector)).enqueue(connector, items, { linkOnly: true });
      expect((await seen.all).toSorted()).toEqual(items.map(({ shipmentId }) => shipmentId).toSorted());
    });

    it('rejects a malformed payload and queues nothing', async () => {
      const connector = mintConnector();
      const producer = await connected(connector);
      const malformed = { ...mintItem(), shipmentId: 'not-a-uuid' };
      await expect(producer.enqueue(connector, [malformed], { linkOnly: false })).rejects.toThrow();
      expect(await producer.queueCounts(connector)).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
    });

    it('runs a shipment and epoch once when it is enqueued twice', async () => {
      const [connector, item, last] = [mintConnector(), mintItem(), mintItem()];
      const producer = await connected(connector);
      await producer.enqueue(connector, [item], { linkOnly: true });
      await producer.enqueue(connector, [item], { linkOnly: true });
      await producer.enqueue(connector, [last], { linkOnly: true });
      const seen = collector<string>(2);
      await consume(connector, async ({ items: [each] }) => seen.add(each?.shipmentId ?? ''), { concurrency: 1 });
      expect(await seen.all).toEqual([item.shipmentId, last.shipmentId]);
    });

    it('runs a job that a client waits for before jobs of the sweep', async () => {
      const [connector, swept, asked] = [mintConnector(), mintItem(), mintItem()];
      const producer = await connected(connector);
      await producer.enqueue(connector, [swept], { linkOnly: true });
      await producer.enqueue(connector, [asked], { linkOnly: false, hurried: true });
      const seen = collector<string>(2);
      await consume(connector, async ({ items: [each] }) => seen.add(each?.shipmentId ?? ''), { concurrency: 1 });
      expect(await seen.all).toEqual([asked.shipmentId, swept.shipmentId]);
    });

    it('runs hurried jobs before a backlog on both sides of them, and the backlog in its order', async () => {
      const connector = mintConnector();
      const producer = await connected(connector);
      const [early, late, hurried] = [
        [mintItem(), mintItem()],
        [mintItem(), mintItem()],
        [mintItem(), mintItem()],
      ];
      await producer.enqueue(connector, early, { linkOnly: true });
      await producer.enqueue(connector, hurried, { linkOnly: true, hurried: true });
      await producer.enqueue(connector, late, { linkOnly: false });
      const seen = collector<string>(6);
      await consume(connector, async ({ items: [each] }) => seen.add(each?.shipmentId ?? ''), { concurrency: 1 });
      const order = await seen.all;
      expect(new Set(order.slice(0, 2))).toEqual(new Set(hurried.map(({ shipmentId }) => shipmentId)));
      expect(order.slice(2)).toEqual([...early, ...late].map(({ shipmentId }) => shipmentId));
    });

    it('continues after a handler fails, reports the error and keeps nothing of the job', async () => {
      const [connector, bad, good] = [mintConnector(), mintItem(), mintItem()];
      const producer = await connected(connector);
      const done = Promise.withResolvers<void>();
      await consume(
        connector,
        async ({ items: [item] }) => {
          if (item?.shipmentId === bad.shipmentId) throw new Error('the carrier hung up');
          done.resolve();
        },
        { concurrency: 1 },
      );
      await producer.enqueue(connector, [bad], { linkOnly: true });
      await producer.enqueue(connector, [good], { linkOnly: true });
      await done.promise;
      expect(errors.map(({ message }) => message)).toContain('the carrier hung up');
      await vi.waitFor(
        async () =>
          expect(await producer.queueCounts(connector)).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 }),
        { timeout: patienceMs },
      );
    });

    it('gives the job of a killed worker to another worker', async () => {
      const [connector, item] = [mintConnector(), mintItem()];
      const { onError: _unsent, ...plain } = { ...settings(), telemetry: false };
      const doomed = fork(
        fileURLToPath(new URL('./doomed-consumer.ts', import.meta.url)),
        [JSON.stringify(plain), connector],
        {
          execArgv: [],
        },
      );
      const taken = once(doomed, 'message');
      await (await connected(connector)).enqueue(connector, [item], { linkOnly: false });
      await taken;
      const killed = once(doomed, 'exit');
      doomed.kill('SIGKILL');
      await killed;
      const recovered = Promise.withResolvers<JobPayload<'refresh-shipment'>>();
      await consume(connector, async (payload) => recovered.resolve(payload), {
        lockDurationMs: 1000,
        stalledIntervalMs: 500,
      });
      expect((await recovered.promise).items).toEqual([item]);
    });

    it('rejects within half a second while the backend is unavailable and works once it is back', async () => {
      const connector = mintConnector();
      const { proxy, proxied } = await throughProxy();
      await proxy.cut();
      const producer = produce(proxied);
      for (const _attempt of [1, 2])
        await expectFastRejection(() => producer.enqueue(connector, [mintItem()], { linkOnly: false }));
      await proxy.restore();
      await vi.waitFor(() => producer.enqueue(connector, [mintItem()], { linkOnly: false }), { timeout: patienceMs });
      await proxy.cut();
      await expectFastRejection(() => producer.enqueue(connector, [mintItem()], { linkOnly: false }));
      await proxy.restore();
      await vi.waitFor(() => producer.enqueue(connector, [mintItem()], { linkOnly: false }), { timeout: patienceMs });
    });

    it('keeps consuming after the backend was unavailable at the start and again later', async () => {
      const connector = mintConnector();
      const { proxy, proxied } = await throughProxy();
      await proxy.cut();
      const seen = collector<number>(2);
      const consumer = openConsumer(open(proxied), {
        queue: queueNameOf(connector),
        job: 'refresh-shipment',
        concurrency: 1,
        handle: async ({ items: [item] }) => seen.add(item?.epoch ?? 0),
      });
      cleanups.push(() => consumer.close(500));
      expect(consumer.isReady()).toBe(false);
      await proxy.restore();
      await consumer.ready;
      const producer = await connected(connector);
      await producer.enqueue(connector, [{ ...mintItem(), epoch: 1 }], { linkOnly: false });
      await vi.waitFor(() => expect(seen.values).toEqual([1]), { timeout: patienceMs });
      await proxy.cut();
      await proxy.restore();
      await producer.enqueue(connector, [{ ...mintItem(), epoch: 2 }], { linkOnly: false });
      expect(await seen.all).toEqual([1, 2]);
    });

    it('closes within its deadline although a handler never ends, and aborts that handler', async () => {
      const connector = mintConnector();
      const taken = Promise.withResolvers<AbortSignal>();
      const consumer = await consume(connector, (_payload, signal) => {
        taken.resolve(signal);
        return new Promise(() => undefined);
      });
      await (await connected(connector)).enqueue(connector, [mintItem()], { linkOnly: false });
      const signal = await taken.promise;
      expect(await settlesWithin(consumer.close(200), 1500)).toBe(true);
      expect(signal.aborted).toBe(true);
    });

    it('continues the trace of the producer in the consumer', async () => {
      const connector = mintConnector();
      const handled = Promise.withResolvers<string | null>();
      await consume(connector, async () => handled.resolve(currentTraceId()));
      const producer = await connected(connector);
      const produced = await inSpan('register', { root: true }, async () => {
        await producer.enqueue(connector, [mintItem()], { linkOnly: false });
        return currentTraceId();
      });
      expect(await handled.promise).toBe(produced);
    });

    it('starts a new trace for a job that is only linked', async () => {
      const connector = mintConnector();
      const handled = Promise.withResolvers<string | null>();
      await consume(connector, async () => handled.resolve(currentTraceId()));
      const producer = await connected(connector);
      const produced = await inSpan('sweep', { root: true }, async () => {
        await producer.enqueue(connector, [mintItem(), mintItem()], { linkOnly: true });
        return currentTraceId();
      });
      const consumed = await handled.promise;
      expect(consumed).toMatch(/^[0-9a-f]{32}$/);
      expect(consumed).not.toBe(produced);
    });

    it('exports neither error messages nor idle loops', async () => {
      const connector = mintConnector();
      await consume(connector, async () => {
        throw new Error('secret answer of a carrier');
      });
      await (await connected(connector)).enqueue(connector, [mintItem()], { linkOnly: false });
      await vi.waitFor(
        () => expect(spans.getFinishedSpans().map(({ name }) => name)).toContain(`process refresh.${connector}`),
        { timeout: patienceMs },
      );
      const exported = spans
        .getFinishedSpans()
        .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
      expect(JSON.stringify(exported)).not.toContain('secret answer');
      expect(exported.filter((span) => /getNextJob|Stalled|extendLocks/.test(span.name))).toEqual([]);
      expect(exported.find((span) => span.name.startsWith('process'))?.attributes['messaging.system']).toBe('bullmq');
    });
  });
}

function mintConnector(): string {
  return `test-${randomUUID().slice(0, 8)}`;
}

function mintItem() {
  return { accountId: randomUUID(), shipmentId: randomUUID(), epoch: 1 };
}

/** Timers of one process expire in order, so that the rejection's own timer counts and not the load of the machine. */
async function expectFastRejection(enqueue: () => Promise<void>): Promise<void> {
  const enqueued = enqueue();
  expect(await settlesWithin(enqueued, 500)).toBe(true);
  await expect(enqueued).rejects.toThrow();
}

function collector<T>(expected: number) {
  const values: T[] = [];
  const { promise: all, resolve } = Promise.withResolvers<T[]>();
  const add = (value: T): void => {
    values.push(value);
    if (values.length === expected) resolve(values);
  };
  return { add, all, values };
}
