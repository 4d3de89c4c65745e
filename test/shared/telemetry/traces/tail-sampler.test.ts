import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { AlwaysOnSampler, type ReadableSpan, TracerProvider } from '@opentelemetry/sdk-trace';
import { beforeEach, expect, it } from 'vitest';
import { isInShare, type KeptReason, keptForAttribute } from '#shared/domain/installation/trace.ts';
import { createTailSampler, type TailSampler } from '#shared/telemetry/traces/tail-sampler.ts';

let kept: { reason: KeptReason; spans: readonly ReadableSpan[] }[];
let dropped: Record<string, number>;
let tracer: Tracer;
let sampler: TailSampler;
let share: number;
let hasRoom: boolean;

function open(limits?: { spansOfTrace: number; openTraces: number; openSpans: number }): Tracer {
  sampler = createTailSampler({
    sampling: () => ({ share, slowMs: 1000 }),
    keep: (spans, reason) => kept.push({ reason, spans }),
    hasRoom: () => hasRoom,
    onDropped: (reason, count) => {
      dropped[reason] = (dropped[reason] ?? 0) + count;
    },
    ...(limits === undefined ? {} : { limits }),
  });
  return new TracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors: [sampler] }).getTracer('test');
}

beforeEach(() => {
  kept = [];
  dropped = {};
  share = 0;
  hasRoom = true;
  tracer = open();
});

type Sketch = { attributes?: Attributes; kind?: SpanKind; failed?: boolean; tookMs?: number };

/** A request with one outgoing call. */
function request(own: Sketch, call: Sketch = {}): string {
  const start = Date.now() - 10_000;
  const root = tracer.startSpan(
    'request',
    { kind: own.kind ?? SpanKind.SERVER, startTime: start, attributes: own.attributes ?? {} },
    ROOT_CONTEXT,
  );
  const child = tracer.startSpan(
    'call',
    { kind: call.kind ?? SpanKind.CLIENT, attributes: call.attributes ?? {} },
    trace.setSpan(ROOT_CONTEXT, root),
  );
  if (call.failed === true) child.setStatus({ code: SpanStatusCode.ERROR });
  child.end();
  if (own.failed === true) root.setStatus({ code: SpanStatusCode.ERROR });
  root.end(start + (own.tookMs ?? 5));
  return root.spanContext().traceId;
}

it('keeps failed, rate-limited and slow traces completely, with the reason', () => {
  request({});
  request({ failed: true });
  request({}, { failed: true, attributes: { 'http.response.status_code': 503 } });
  request({}, { failed: true, attributes: { 'http.response.status_code': 429 } });
  request({ attributes: { 'http.response.status_code': 429 } });
  request({ tookMs: 1000 });
  request({ attributes: { 'refresh.outcome': 'error' } });
  expect(kept.map(({ reason, spans }) => [reason, spans.length])).toEqual([
    ['error', 2],
    ['error', 2],
    ['limited', 2],
    ['limited', 2],
    ['slow', 2],
    ['error', 2],
  ]);
});

it('does not treat a carrier that does not know a shipment as a failure', () => {
  request({}, { failed: true, attributes: { 'http.response.status_code': 404 } });
  expect(kept).toEqual([]);
});

it('keeps the same share of ordinary traces as every other process', () => {
  share = 0.5;
  const ids = Array.from({ length: 50 }, () => request({}));
  expect(kept.map(({ spans }) => spans[0]?.spanContext().traceId)).toEqual(ids.filter((id) => isInShare(id, 0.5)));
  expect(new Set(kept.map(({ reason }) => reason))).toEqual(new Set(['share']));
});

it('decides when the last span ends, even if it outlives the first one', () => {
  const root = tracer.startSpan('request', { kind: SpanKind.SERVER }, ROOT_CONTEXT);
  const late = tracer.startSpan('enqueue', {}, trace.setSpan(ROOT_CONTEXT, root));
  root.end();
  expect(kept).toEqual([]);
  late.setStatus({ code: SpanStatusCode.ERROR });
  late.end();
  expect(kept.map(({ spans }) => spans.map((span) => span.name))).toEqual([['request', 'enqueue']]);
});

it('keeps later spans of a trace that was kept', () => {
  const root = tracer.startSpan('request', {}, ROOT_CONTEXT);
  root.setStatus({ code: SpanStatusCode.ERROR });
  root.end();
  tracer.startSpan('later', {}, trace.setSpan(ROOT_CONTEXT, root)).end();
  expect(kept.map(({ reason }) => reason)).toEqual(['error', 'follows']);
});

it('drops and counts excess spans of a trace, and decides the oldest of too many open traces', () => {
  tracer = open({ spansOfTrace: 2, openTraces: 2, openSpans: 100 });
  const root = tracer.startSpan('first', {}, ROOT_CONTEXT);
  for (let count = 0; count < 3; count++) {
    const child = tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, root));
    child.setStatus({ code: SpanStatusCode.ERROR });
    child.end();
  }
  expect(dropped).toEqual({ too_many_spans: 1 });
  tracer.startSpan('second', {}, ROOT_CONTEXT);
  expect(kept).toEqual([]);
  tracer.startSpan('third', {}, ROOT_CONTEXT);
  expect(kept.map(({ reason, spans }) => [reason, spans.length])).toEqual([['error', 2]]);
});

it('keeps a trace that is marked as requested or as one of test mode, also from within an inner span', () => {
  request({ attributes: { [keptForAttribute]: 'test' } });
  request({}, { attributes: { [keptForAttribute]: 'requested' } });
  request({ attributes: { [keptForAttribute]: 'something else' } });
  expect(kept.map(({ reason, spans }) => [reason, spans.length])).toEqual([
    ['test', 2],
    ['requested', 2],
  ]);
});

/** Returns the promise for a trace whose work is still running, and whether the trace is then kept. */
function promised(own: Sketch, later: Sketch = {}): [boolean, boolean] {
  const root = tracer.startSpan('job', { attributes: own.attributes ?? {}, ...startedBefore(own) }, ROOT_CONTEXT);
  if (own.failed === true) root.setStatus({ code: SpanStatusCode.ERROR });
  const { traceId } = root.spanContext();
  const promise = sampler.promise(traceId);
  if (later.failed === true) root.setStatus({ code: SpanStatusCode.ERROR });
  root.end();
  return [promise, kept.some(({ spans }) => spans[0]?.spanContext().traceId === traceId)];
}

const startedBefore = ({ tookMs }: Sketch) => (tookMs === undefined ? {} : { startTime: Date.now() - tookMs });

it('decides for an open trace whether it will be kept', () => {
  expect(promised({})).toEqual([false, false]);
  expect(promised({ failed: true })).toEqual([true, true]);
  expect(promised({ tookMs: 5000 })).toEqual([true, true]);
  expect(promised({ attributes: { [keptForAttribute]: 'requested' } })).toEqual([true, true]);
  expect(promised({}, { failed: true })).toEqual([false, true]);
  share = 1;
  expect(promised({})).toEqual([true, true]);
});

it('keeps no ordinary trace of which it has said otherwise, and others regardless of room', () => {
  share = 1;
  hasRoom = false;
  expect(promised({})).toEqual([false, false]);
  expect(promised({ attributes: { [keptForAttribute]: 'test' } })).toEqual([false, false]);
  expect(promised({ attributes: { [keptForAttribute]: 'requested' } })).toEqual([true, true]);
  expect(promised({ failed: true })).toEqual([true, true]);
});
