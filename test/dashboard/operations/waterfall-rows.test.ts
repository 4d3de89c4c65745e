import { describe, expect, test } from 'vitest';
import type { WireSpan } from '#services/dashboard/screens/operations/operations-state.ts';
import { actOfKey, sharesOf, ticksOf, waterfallRows } from '#services/dashboard/screens/operations/waterfall-rows.ts';

const span = (
  id: string,
  depth: number,
  offset_ms: number,
  duration_ms: number,
  more: Partial<WireSpan> = {},
): WireSpan => ({
  span_id: id,
  parent_span_id: null,
  depth,
  service: 'worker',
  name: id,
  kind: 'internal',
  status: 'unset',
  offset_ms,
  duration_ms,
  attributes: {},
  links: [],
  ...more,
});
const call = {
  kind: 'client',
  attributes: { 'http.request.method': 'GET', 'server.address': 'api.line.example', 'http.response.status_code': 503 },
};
const trace = {
  trace_id: 'a'.repeat(32),
  started_at: '2026-04-15T08:00:00Z',
  duration_ms: 100,
  spans: [span('refresh', 0, 0, 100), span('ask', 1, 10, 60), span('call', 2, 10, 50, call), span('write', 1, 90, 10)],
};

describe('a trace as a waterfall', () => {
  test('places each span by its share of the whole, and never outside', () => {
    const rows = waterfallRows({ ...trace, spans: [...trace.spans, span('after', 1, 100, 40)] }, new Set());
    expect(rows[1]).toMatchObject({ from: 0.1, width: 0.6 });
    for (const { from, width } of rows) expect(from + width).toBeLessThanOrEqual(1);
  });

  test('attributes HTTP calls to the carrier and everything else to Landfall', () => {
    expect(waterfallRows(trace, new Set()).map(({ owner }) => owner)).toEqual(['ours', 'ours', 'carrier', 'ours']);
    expect(sharesOf(trace)).toEqual({ carrierMs: 50, oursMs: 50 });
    expect(sharesOf({ ...trace, spans: [...trace.spans, span('twin', 2, 20, 50, call)] }).carrierMs).toBe(60);
  });

  test('closing a span hides exactly its descendants', () => {
    const rows = waterfallRows(trace, new Set(['ask']));
    expect(rows.map(({ span: { span_id } }) => span_id)).toEqual(['refresh', 'ask', 'write']);
    expect(rows[1]?.children).toBe(1);
  });

  test('shows the most informative attributes in its row', () => {
    expect(waterfallRows(trace, new Set())[2]?.note).toBe('api.line.example · 503');
  });

  test('explains why a carrier was not called', () => {
    const why = 'the circuit of hapag-lloyd is open since 2026-04-15T08:00:00Z, after HTTP 503';
    const refused = span('refresh-shipments', 0, 0, 1, {
      attributes: { 'error.type': 'carrier_unreachable', 'refresh.not_asked': why },
    });
    expect(waterfallRows({ ...trace, spans: [refused] }, new Set())[0]?.note).toBe(
      `carrier_unreachable · not called: ${why}`,
    );
  });

  test('has at most five round marks, from 0, within its length', () => {
    for (const length of [0.3, 1, 7, 42, 100, 999, 30_420, 61_000]) {
      const ticks = ticksOf(length);
      expect(ticks[0]).toBe(0);
      expect(ticks.length).toBeGreaterThan(2);
      expect(ticks.length).toBeLessThan(6);
      expect(ticks.at(-1)).toBeLessThanOrEqual(length);
    }
  });
});

describe('the keyboard in the tree of spans', () => {
  const rows = waterfallRows(trace, new Set());
  const press = (key: string, at: number, isClosed = false) => actOfKey(key, rows, { at, isClosed });

  test('moves line by line, and stays inside', () => {
    expect(press('ArrowDown', 0)).toEqual({ act: 'move', to: 1 });
    expect(press('ArrowDown', 3)).toEqual({ act: 'move', to: 3 });
    expect(press('ArrowUp', 0)).toEqual({ act: 'move', to: 0 });
    expect(press('End', 0)).toEqual({ act: 'move', to: 3 });
  });

  test('the left key closes a span, then moves to its parent; the right key opens it, then moves into it', () => {
    expect(press('ArrowLeft', 1)).toEqual({ act: 'fold' });
    expect(press('ArrowLeft', 2)).toEqual({ act: 'move', to: 1 });
    expect(press('ArrowRight', 1, true)).toEqual({ act: 'fold' });
    expect(press('ArrowRight', 1)).toEqual({ act: 'move', to: 2 });
    expect(press('ArrowRight', 3)).toEqual({ act: 'move', to: 3 });
  });

  test('Enter and Space show the details of a span, and other keys keep their meaning', () => {
    expect([press('Enter', 1), press(' ', 1)]).toEqual([{ act: 'open' }, { act: 'open' }]);
    expect(press('Tab', 1)).toBeNull();
  });
});
