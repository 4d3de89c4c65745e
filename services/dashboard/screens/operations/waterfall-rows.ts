import type { WireSpan, WireTrace } from './operations-state.ts';

/** One span as it is drawn, in shares of the trace's duration from 0 to 1. */
export type WaterfallRow = {
  span: WireSpan;
  from: number;
  width: number;
  owner: 'ours' | 'carrier';
  failed: boolean;
  note: string;
  children: number;
};

const noted = [
  'http.response.status_code',
  'refresh.outcome',
  'error.type',
  'db.postgresql.plan',
  'carrier.code',
] as const;

/** The visible rows: all but those below a closed span. */
export function waterfallRows({ spans, duration_ms: totalMs }: WireTrace, closed: ReadonlySet<string>): WaterfallRow[] {
  const rows: WaterfallRow[] = [];
  const total = Math.max(totalMs, Number.MIN_VALUE);
  let hiddenBelow: number | null = null;
  for (const [index, span] of spans.entries()) {
    if (hiddenBelow !== null && span.depth > hiddenBelow) continue;
    hiddenBelow = closed.has(span.span_id) ? span.depth : null;
    const from = clamp(span.offset_ms / total);
    rows.push({
      span,
      from,
      width: clamp(span.duration_ms / total, 1 - from),
      owner: ownerOf(span),
      failed: span.status === 'error',
      note: noteOf(span),
      children: countBelow(spans, index),
    });
  }
  return rows;
}

/** An outgoing HTTP call belongs to the carrier; nothing else leaves this installation. */
export function ownerOf({ kind, attributes }: WireSpan): 'ours' | 'carrier' {
  return kind === 'client' && ('http.request.method' in attributes || 'url.full' in attributes) ? 'carrier' : 'ours';
}

/** The time spent waiting for carriers, and the rest. Concurrent calls count once. */
export function sharesOf({ spans, duration_ms: totalMs }: WireTrace): { carrierMs: number; oursMs: number } {
  const calls = spans
    .filter((span) => ownerOf(span) === 'carrier')
    .map(({ offset_ms: from, duration_ms: took }) => [from, from + took] as const)
    .toSorted(([left], [right]) => left - right);
  let carrierMs = 0;
  let reached = 0;
  for (const [from, to] of calls) {
    carrierMs += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return { carrierMs, oursMs: Math.max(0, totalMs - carrierMs) };
}

/** Three or four round ticks over a duration; the first is 0. */
export function ticksOf(totalMs: number): number[] {
  if (totalMs <= 0) return [0];
  const power = 10 ** Math.floor(Math.log10(totalMs));
  const step = [0.2, 0.25, 0.5, 1, 2, 2.5, 5].map((part) => part * power).find((each) => totalMs / each <= 4) ?? power;
  return Array.from({ length: Math.floor(totalMs / step) + 1 }, (_, index) => index * step);
}

/** The shortest words for a round tick. */
export function tickWords(ms: number): string {
  return ms < 1000 ? `${Number(ms.toFixed(2))} ms` : `${Number((ms / 1000).toFixed(2))} s`;
}

/** The effect of a key in the tree of spans. */
export type KeyAct = { act: 'move'; to: number } | { act: 'fold' } | { act: 'open' };

/** The usual keys of a tree: up and down move, right opens or enters, left closes or leaves. Null: not one of them. */
export function actOfKey(
  key: string,
  rows: readonly WaterfallRow[],
  { at, isClosed }: { at: number; isClosed: boolean },
): KeyAct | null {
  const row = rows[at];
  if (row === undefined) return null;
  const move = (to: number): KeyAct => ({ act: 'move', to: Math.min(Math.max(to, 0), rows.length - 1) });
  const hasChildren = row.children > 0;
  switch (key) {
    case 'ArrowDown':
      return move(at + 1);
    case 'ArrowUp':
      return move(at - 1);
    case 'Home':
      return move(0);
    case 'End':
      return move(rows.length - 1);
    case 'ArrowRight':
      return hasChildren && isClosed ? { act: 'fold' } : move(hasChildren ? at + 1 : at);
    case 'ArrowLeft':
      return hasChildren && !isClosed ? { act: 'fold' } : move(parentOf(rows, at));
    case 'Enter':
    case ' ':
      return { act: 'open' };
    default:
      return null;
  }
}

function noteOf({ attributes, kind }: WireSpan): string {
  const isQuery = 'db.system.name' in attributes;
  const named = noted.flatMap((name) => attributes[name] ?? []);
  const address = !isQuery && kind === 'client' ? (attributes['server.address'] ?? []) : [];
  const why = attributes['refresh.not_asked'];
  return [...new Set([address, named].flat().map(String)), ...(why === undefined ? [] : [`not called: ${why}`])].join(
    ' · ',
  );
}

function countBelow(spans: readonly WireSpan[], index: number): number {
  const depth = spans[index]?.depth ?? 0;
  let at = index + 1;
  while (at < spans.length && (spans[at]?.depth ?? 0) > depth) at += 1;
  return at - index - 1;
}

function clamp(share: number, max = 1): number {
  return Math.min(Math.max(share, 0), Math.max(max, 0));
}

function parentOf(rows: readonly WaterfallRow[], at: number): number {
  const depth = rows[at]?.span.depth ?? 0;
  const found = rows.findLastIndex(({ span }, index) => index < at && span.depth < depth);
  return found < 0 ? at : found;
}
