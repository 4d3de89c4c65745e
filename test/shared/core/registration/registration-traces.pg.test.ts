import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { currentTraceparent, inSpan } from '#shared/telemetry/events.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';

const exported = new InMemorySpanExporter();
let core: TestCore;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: exported })] }),
  );
  core = await openTestCore();
});

afterAll(() => core.close());

const traceparentOf = (span: ReadableSpan) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`;

test('puts a batch into the trace of its oldest request and links it with each of the others in both directions', async () => {
  const ctx = { ...core.ctx, traceparent: currentTraceparent };
  const caller = await core.newCaller();
  const post = (name: string) =>
    inSpan(name, { root: true }, () => registerShipment(ctx, caller, oceanRegistration({ reference: name })));
  await Promise.all(['alone', 'first', 'second', 'third'].map(post));

  const spans = exported.getFinishedSpans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const [alone, first, second, third] = ['alone', 'first', 'second', 'third'].map(
    (name) => named(name)[0] as ReadableSpan,
  );
  const [batchOfOne, batch] = named('registration-batch');
  expect(batchOfOne?.parentSpanContext?.spanId).toBe(alone?.spanContext().spanId);
  expect(batch?.parentSpanContext?.spanId).toBe(first?.spanContext().spanId);
  expect(batch?.attributes['registration.batch_size']).toBe(3);
  const spanIds = (span: ReadableSpan | undefined) => span?.links.map((link) => link.context.spanId);
  expect(spanIds(batch)).toEqual([second?.spanContext().spanId, third?.spanContext().spanId]);
  for (const member of [first, second, third]) expect(spanIds(member)).toEqual([batch?.spanContext().spanId]);

  // The first refresh continues each request's own span.
  const { rows } = await withAccount(core.store, caller.accountId, (tx) =>
    tx.query(
      `select s.reference, s.registration_traceparent as shipment, c.traceparent as change
       from landfall.shipments as s join landfall.changes as c on c.shipment_id = s.id`,
    ),
  );
  const own = (name: string) => traceparentOf(named(name)[0] as ReadableSpan);
  expect(rows).toHaveLength(4);
  for (const { reference, shipment, change } of rows)
    expect([shipment, change]).toEqual([own(reference), own(reference)]);
});
