import type { CarrierRecorder } from './carrier-health.ts';
import type { Circuit } from './circuit.ts';

/** Span attribute: why a refresh made no call. Without a call, nothing else in its trace shows it. */
export const notAskedAttribute = 'refresh.not_asked';

/** The trace store keeps the beginning of a text only, so the part that changes from refresh to refresh is last. */
export function describeOpenCircuit(
  connector: string,
  { circuit, recorder }: { circuit: Pick<Circuit, 'openSince'>; recorder: Pick<CarrierRecorder, 'lastFailure'> },
): string {
  const since = circuit.openSince();
  const after = recorder.lastFailure();
  const sinceWords = since === null ? '' : ` since ${since.toISOString().slice(0, 19)}Z`;
  return `the circuit of ${connector} is open${sinceWords}${after === null ? '' : `, after ${after}`}`;
}

export function describeBudget(
  connector: string,
  { granted, calls, waitMs }: { granted: number; calls: number; waitMs: number },
): string {
  return `the budget of ${connector} covers ${granted} of ${calls} calls; the rest is due in ${secondsOf(waitMs)} s`;
}

export function describeProbe(connector: string): string {
  return `one call probes whether ${connector} responds again; the others wait for the result`;
}

export function describePause(connector: string, waitMs: number): string {
  return `${connector} requested a pause, which ends in ${secondsOf(waitMs)} s`;
}

function secondsOf(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(1);
}
