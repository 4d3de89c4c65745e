import { reasonText } from '../shipment/words/refresh-words.ts';
import type { WireTraceSummary } from './operations-state.ts';

const reasons: Record<string, string> = {
  carrier_unreachable: 'unavailable',
};

/** A reason of the tracking state, in few words. */
export function reasonWords(reason: string): string {
  return reasons[reason] ?? reasonText(reason);
}

/** Words for the result of a carrier call, in brief. */
export function fetchResult({ reason, http_status: status }: { reason: string; http_status: number | null }): string {
  return status === null ? reasonWords(reason) : `${reasonWords(reason)}, HTTP ${status}`;
}

/** The result of a trace, in few words. */
export function traceResult({
  outcome,
  http_status: status,
  error_type: error,
  failed,
  name,
}: WireTraceSummary): string {
  const parts = [outcome?.replaceAll('_', ' '), status === null ? null : `HTTP ${status}`, error].filter(
    (each) => each !== null && each !== undefined,
  );
  if (parts.length > 0) return [...new Set(parts)].join(', ');
  return failed ? `${name} failed` : name;
}

/** The duration of a span: `640 µs`, `4.2 ms`, `38 ms`, `1.30 s`, `12.1 s`. */
export function tookWords(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 1000) return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}
