import { addTo } from '../instruments.ts';
import type { DropReason } from './part-buffer.ts';

const dropped = new Map<DropReason, number>();
let kept = 0;

/** Spans that this process stored, and those that it lost by reason, since its start. */
export function spanCounts(): { kept: number; dropped: Partial<Record<DropReason, number>> } {
  return { kept, dropped: Object.fromEntries(dropped) };
}

export function countKept(spans: number): void {
  kept += spans;
  addTo('landfall.trace_store.spans', spans, {});
}

export function countDropped(reason: DropReason, spans: number): void {
  dropped.set(reason, (dropped.get(reason) ?? 0) + spans);
  addTo('landfall.spans.dropped', spans, { reason });
}
