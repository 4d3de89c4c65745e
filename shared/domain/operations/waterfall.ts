import type { TraceSpan } from './trace.ts';

/** A span in its place: how deep below the first, and how long after the trace's beginning. */
export type WaterfallSpan = TraceSpan & { depth: number; offsetUs: number };

/** A trace as a tree, told from top to bottom: each span is followed by those below it, in the order of their beginning. */
export type Waterfall = { traceId: string; startedAtUs: number; durationUs: number; spans: WaterfallSpan[] };

/** Null for no spans. A span whose parent is not there stands at the top, and so does one of a circle. */
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
  const told = new Set<TraceSpan>();
  const placed: WaterfallSpan[] = [];
  const tell = (from: readonly TraceSpan[]): void => {
    const waiting = from.map((span) => ({ span, depth: 0 })).reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { span, depth } = next;
      if (told.has(span)) continue;
      told.add(span);
      placed.push({ ...span, depth, offsetUs: span.startedAtUs - startedAtUs });
      const children = childrenOf.get(span.spanId) ?? [];
      waiting.push(...children.map((child) => ({ span: child, depth: depth + 1 })).reverse());
    }
  };
  tell(childrenOf.get('') ?? []);
  for (const span of ordered) if (!told.has(span)) tell([span]);
  return { traceId: first.traceId, startedAtUs, durationUs: endedAtUs - startedAtUs, spans: placed };
}

/** One number a span; a spread of more than some ten thousand arguments would end the call. */
function bounds(spans: readonly TraceSpan[], of: (span: TraceSpan) => number): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const span of spans) {
    least = Math.min(least, of(span));
    most = Math.max(most, of(span));
  }
  return [least, most];
}
