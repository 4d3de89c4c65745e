import type { CarrierRecorder } from '../credentials/carrier-record.ts';
import type { Circuit } from '../pacing/circuit.ts';

/** Of a refresh's span: why no question went to the carrier. A trace of such a refresh has no call in it that could tell. */
export const notAskedAttribute = 'refresh.not_asked';

/** What the trace store keeps of a text is short, and the number is what changes from refresh to look. */
export function circuitWords(
  connector: string,
  { circuit, recorder }: { circuit: Pick<Circuit, 'openSince'>; recorder: Pick<CarrierRecorder, 'lastFailure'> },
): string {
  const since = circuit.openSince();
  const after = recorder.lastFailure();
  return `the circuit of ${connector} is open${since === null ? '' : ` since ${shortTime(since)}`}${after === null ? '' : `, after ${after}`}`;
}

export function budgetWords(
  connector: string,
  { granted, calls, waitMs }: { granted: number; calls: number; waitMs: number },
): string {
  return `the budget of ${connector} carries ${granted} of ${calls} calls now; the rest is due again in ${secondsOf(waitMs)} s`;
}

export function probeWords(connector: string): string {
  return `one call is to find out whether ${connector} answers again; the rest waits for it`;
}

export function pauseWords(connector: string, waitMs: number): string {
  return `${connector} asked for a pause, which ends in ${secondsOf(waitMs)} s`;
}

function secondsOf(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(1);
}

function shortTime(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
