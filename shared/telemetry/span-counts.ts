import { type Counter, metrics } from '@opentelemetry/api';
import type { DropReason } from './part-buffer.ts';

const dropped = new Map<DropReason, number>();
let kept = 0;
let counters: { dropped: Counter; kept: Counter } | undefined;

/** How many spans this process stored, and how many it lost and why, since it began. */
export function spanCounts(): { kept: number; dropped: Partial<Record<DropReason, number>> } {
  return { kept, dropped: Object.fromEntries(dropped) };
}

export function countKept(spans: number): void {
  kept += spans;
  openCounters().kept.add(spans);
}

export function countDropped(reason: DropReason, spans: number): void {
  dropped.set(reason, (dropped.get(reason) ?? 0) + spans);
  openCounters().dropped.add(spans, { reason });
}

/** Made with the first value: the metrics API has nothing that stands in for a provider which is registered later. */
function openCounters(): { dropped: Counter; kept: Counter } {
  if (counters !== undefined) return counters;
  const meter = metrics.getMeter('landfall');
  counters = {
    dropped: meter.createCounter('landfall.spans.dropped', { description: 'Spans not kept', unit: '{span}' }),
    kept: meter.createCounter('landfall.trace_store.spans', {
      description: 'Spans kept in the trace store',
      unit: '{span}',
    }),
  };
  return counters;
}
