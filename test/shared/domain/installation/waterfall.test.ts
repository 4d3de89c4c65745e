import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isInShare, isTraceId } from '#shared/domain/installation/trace.ts';
import { waterfallOf } from '#shared/domain/installation/waterfall.ts';
import { newTraceId, traceSpan } from '#test/support/api/trace-parts.ts';

const traceId = newTraceId();
const at = (spanId: string, parentSpanId: string | null, startedAtUs: number, durationUs = 10) =>
  traceSpan(traceId, { spanId, parentSpanId, startedAtUs, durationUs, name: spanId });

it('orders a tree from top to bottom, each span after its parent and with its offset', () => {
  const reported = waterfallOf([
    at('sql', 'call', 130),
    at('call', 'post', 110, 50),
    at('post', null, 100, 40),
    at('log', 'post', 120),
  ]);
  expect(reported).toMatchObject({ traceId, startedAtUs: 100, durationUs: 60 });
  expect(reported?.spans.map(({ name, depth, offsetUs }) => [name, depth, offsetUs])).toEqual([
    ['post', 0, 0],
    ['call', 1, 10],
    ['sql', 2, 30],
    ['log', 1, 20],
  ]);
});

it('puts a span whose parent is missing at the top, and returns null without spans', () => {
  expect(
    waterfallOf([at('worker', 'elsewhere', 5), at('api', null, 9)])?.spans.map(({ name, depth }) => [name, depth]),
  ).toEqual([
    ['worker', 0],
    ['api', 0],
  ]);
  expect(waterfallOf([])).toBeNull();
});

it('contains every span once, for any parent links', () => {
  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const spans = fc.uniqueArray(fc.tuple(ids, fc.option(ids), fc.nat(1000), fc.nat(1000)), {
    selector: ([id]) => id,
    minLength: 1,
  });
  fc.assert(
    fc.property(spans, (drawn) => {
      const reported = waterfallOf(drawn.map(([id, parent, start, took]) => at(id, parent, start, took)));
      expect(reported?.spans.map(({ spanId }) => spanId).sort()).toEqual(drawn.map(([id]) => id).sort());
      for (const span of reported?.spans ?? []) {
        expect(span.offsetUs).toBeGreaterThanOrEqual(0);
        expect(span.offsetUs + span.durationUs).toBeLessThanOrEqual(reported?.durationUs ?? -1);
      }
    }),
  );
});

it('samples a stable share of trace ids: none at 0 and all at 1', () => {
  const ids = Array.from({ length: 4000 }, newTraceId);
  const inTenth = ids.filter((id) => isInShare(id, 0.1));
  expect(inTenth.length).toBeGreaterThan(250);
  expect(inTenth.length).toBeLessThan(600);
  expect(inTenth.every((id) => isInShare(id, 0.2))).toBe(true);
  expect(ids.filter((id) => isInShare(id, 0))).toEqual([]);
  expect(ids.every((id) => isInShare(id, 1))).toBe(true);
});

it('recognizes a trace id', () => {
  expect([traceId, traceId.toUpperCase(), '0'.repeat(32), `${traceId}0`, '<script>'].map(isTraceId)).toEqual([
    true,
    traceId === traceId.toUpperCase(),
    false,
    false,
    false,
  ]);
});
