import type { ConnectorState } from './operations.ts';

/** Fewer calls in five minutes say nothing. */
export const minCalls = 5;
/** From this share of failed calls, a carrier is failing and not slow. */
export const failingShare = 0.5;
const slowFromMs = 2000;
const slowAgainst = { usual: 2, others: 3 };

/** True when a carrier was called often enough to be evaluated. */
export function isMeasured({ requests }: ConnectorState): boolean {
  return requests >= minCalls;
}

/** True when a carrier responds, but much later than usual or than the others. */
export function isSlow(one: ConnectorState, all: readonly ConnectorState[]): boolean {
  const share = one.requests === 0 ? 0 : (one.requests - one.succeeded) / one.requests;
  return share < failingShare && slowText(one, all) !== null;
}

/** Null: it is not slow. */
export function slowText(one: ConnectorState, all: readonly ConnectorState[]): string | null {
  const { latencyP95Ms: p95, usualMs } = one;
  if (p95 === null || one.requests < minCalls || p95 < slowFromMs) return null;
  if (usualMs !== null)
    return p95 >= slowAgainst.usual * usualMs ? `is slow: p95 ${seconds(p95)}, usually ${seconds(usualMs)}.` : null;
  const others = all
    .flatMap((other) => (other === one || other.latencyP95Ms === null ? [] : [other.latencyP95Ms]))
    .toSorted((a, b) => a - b);
  const median = others[Math.floor(others.length / 2)];
  if (median === undefined) return `is slow: 5% of its calls take ${seconds(p95)} or longer.`;
  return p95 >= slowAgainst.others * median
    ? `is slow: p95 ${seconds(p95)}, compared with ${seconds(median)} for the other carriers.`
    : null;
}

function seconds(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
