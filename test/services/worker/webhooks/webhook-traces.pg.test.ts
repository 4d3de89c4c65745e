import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstrumentations } from '#shared/telemetry/instrumentations.ts';
import { until } from '#test/support/until.ts';
import { type DeliveryWorld, openDeliveryWorld } from '#test/support/webhooks/delivery-world.ts';
import { answerWith } from '#test/support/webhooks/receiver.ts';

const spans = new InMemorySpanExporter();
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const cause = `00-${traceId}-00f067aa0ba902b7-01`;
let world: DeliveryWorld;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
  registerInstrumentations({ instrumentations: createInstrumentations() });
  world = await openDeliveryWorld({ redisUrl: null });
});
afterAll(() => world?.close());

it('leads in one trace from the cause of a change to its receiver, and links later tries to it', async () => {
  const caller = await world.newCaller();
  const shipment = await world.register(caller);
  await world.sequence();
  const endpoint = await world.createEndpoint(caller, 'hook?token=of-the-receiver');
  world.receiver.answer('hook?token=of-the-receiver', answerWith(503));
  await world.change(caller, [{ shipment, traceparent: cause }]);
  await world.settled();
  const system = world.core.store.system;
  await system.query(`update landfall.webhook_deliveries set next_try_at = now() where state = 'waiting'`);
  await system.query('update landfall.webhook_cursors set retry_at = now()');
  world.receiver.answer('hook?token=of-the-receiver', answerWith(200));
  await world.sweep();
  await world.settled();

  const tries = await until(
    async () => spans.getFinishedSpans().filter(({ name }) => name === 'deliver-webhook'),
    (found) => found.length === 2,
  );
  const [first, second] = tries.map((span) => ({ ...span.spanContext(), span }));
  expect(first?.traceId).toBe(traceId);
  expect(first?.span.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
  expect(first?.span.attributes).toMatchObject({
    'webhook.outcome': 'waiting',
    'http.response.status_code': 503,
    'webhook.try': 1,
  });
  expect(second?.traceId).not.toBe(traceId);
  expect(second?.span.links.map((link) => link.context.traceId)).toEqual([traceId]);
  // The receiver gets the id of the span itself: no other one comes between.
  expect(world.receiver.received.map(({ headers }) => headers['traceparent'])).toEqual([
    `00-${traceId}-${first?.spanId}-01`,
    `00-${second?.traceId}-${second?.spanId}-01`,
  ]);
  const { rows } = await system.query('select trace_id, earlier from landfall.webhook_deliveries');
  expect(rows).toMatchObject([{ trace_id: second?.traceId, earlier: [{ traceId, status: 503 }] }]);

  const reported = JSON.stringify(
    spans.getFinishedSpans().map(({ name, attributes, events }) => [name, attributes, events]),
  );
  for (const secret of [endpoint.secret, 'of-the-receiver']) expect(reported).not.toContain(secret);
});
