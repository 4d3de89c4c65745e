import type { TraceSpan } from './trace.ts';

/** A span with its depth below the first one and its offset from the start of the trace. */
export type WaterfallSpan = TraceSpan & { depth: number; offsetUs: number };

/** A trace as a tree in display order: each span is followed by its children, in the order of their start. */
export type Waterfall = { traceId: string; startedAtUs: number; durationUs: number; spans: WaterfallSpan[] };

/** Null for no spans. A span whose parent is missing, and one that is part of a cycle, is at the top. */
export function waterfallOf(spans: readonly TraceSpan[]): Waterfall | null {
  const [first] = spans;
  if (first === undefined) return null;
  const ordered = [...spans].sort(
    (left, right) => left.startedAtUs - right.startedAtUs || left.spanId.localeCompare(right.spanId),
  );
  const startedAtUs = Math.min(...bounds(ordered, (span) => span.startedAtUs));
  const endedAtUs = Math.max(...bounds(ordered, (span) => span.startedAtUs + span.durationUs));
  const known = new Set(ordered.map((span) => span.spanId));
  const childrenOf = Map.groupBy(ordered, (span) =>
    span.parentSpanId !== null && known.has(span.parentSpanId) ? span.parentSpanId : '',
  );
  const seen = new Set<TraceSpan>();
  const placed: WaterfallSpan[] = [];
  const place = (from: readonly TraceSpan[]): void => {
    const waiting = from.map((span) => ({ span, depth: 0 })).reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { span, depth } = next;
      if (seen.has(span)) continue;
      seen.add(span);
      placed.push({ ...span, depth, offsetUs: span.startedAtUs - startedAtUs });
      const children = childrenOf.get(span.spanId) ?? [];
      waiting.push(...children.map((child) => ({ span: child, depth: depth + 1 })).reverse());
    }
  };
  place(childrenOf.get('') ?? []);
  for (const span of ordered) if (!seen.has(span)) place([span]);
  return { traceId: first.traceId, startedAtUs, durationUs: endedAtUs - startedAtUs, spans: placed };
}

/** A loop, because spreading more than about ten thousand arguments overflows the call. */
function bounds(spans: readonly TraceSpan[], of: (span: TraceSpan) => number): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    least = Math.min(least, of(span));
    most = Math.max(most, of(span));
  }
  return [least, most];
}
