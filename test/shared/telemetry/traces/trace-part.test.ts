import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { beforeEach, expect, it } from 'vitest';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { tracePartOf } from '#shared/telemetry/traces/trace-part.ts';

const exporter = new InMemorySpanExporter();
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test');
beforeEach(() => exporter.reset());

const ended = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
const partOf = () => tracePartOf(ended(), { keptFor: 'error', service: 'landfall-worker' });
const shipmentId = '0198f0c1-7a00-7000-8000-000000000001';

it('takes its search fields from the spans, and from failed ones first', () => {
  const root = tracer.startSpan('refresh-shipment', {}, ROOT_CONTEXT);
  root.setAttributes({
    'shipment.id': encodeTypeId('shp', shipmentId),
    'account.id': shipmentId,
    'carrier.code': 'MAEU',
  });
  root.setAttributes({ 'refresh.outcome': 'error', 'error.type': 'carrier_unreachable' });
  const inside = trace.setSpan(ROOT_CONTEXT, root);
  const good = tracer.startSpan(
    'POST',
    { kind: SpanKind.CLIENT, attributes: { 'http.response.status_code': 200 } },
    inside,
  );
  good.end();
  const bad = tracer.startSpan(
    'GET',
    { kind: SpanKind.CLIENT, attributes: { 'http.response.status_code': 503, 'error.type': '503' } },
    inside,
  );
  bad.setStatus({ code: SpanStatusCode.ERROR });
  bad.end();
  root.setStatus({ code: SpanStatusCode.ERROR });
  root.end();
  expect(partOf()).toMatchObject({
    service: 'landfall-worker',
    name: 'refresh-shipment',
    failed: true,
    httpStatus: 503,
    outcome: 'error',
    carrier: 'MAEU',
    shipmentId,
    accountId: shipmentId,
    keptFor: 'error',
  });
});

it('contains no text of a client or a carrier, and no shipment number', () => {
  const span = tracer.startSpan('GET', { kind: SpanKind.CLIENT }, ROOT_CONTEXT);
  span.setAttributes({
    'url.full': 'https://name:secret@carrier.example/api/track/v1/details/1Z999AA10123456784?key=secret',
    'url.path': '/api/track/v1/details/1Z999AA10123456784',
    'url.query': 'key=secret',
    'user_agent.original': 'secret',
    'error.type': '23',
  });
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'secret' });
  span.recordException(new Error('secret'));
  span.end();
  const part = partOf();
  expect(JSON.stringify(part)).not.toMatch(/secret|1Z999/);
  expect(part?.spans[0]?.attributes).toEqual({
    'url.full': 'https://carrier.example/api/track/v1/details/:number',
    'url.path': '/api/track/v1/details/:number',
    'error.type': 'TimeoutError',
  });
});

it('contains only text that Postgres accepts: no NUL, no half surrogate pair, no long text', () => {
  tracer
    .startSpan(
      'na\0me',
      { attributes: { broken: 'a\0b\ud800', long: 'x'.repeat(5000), list: ['a', 'b'] } },
      ROOT_CONTEXT,
    )
    .end();
  const [span] = partOf()?.spans ?? [];
  expect(span?.name).toBe('name');
  expect(span?.attributes).toEqual({ broken: 'ab\ufffd', long: `${'x'.repeat(160)}…`, list: '["a","b"]' });
});
