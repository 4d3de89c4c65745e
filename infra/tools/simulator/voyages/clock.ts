/** Times of a journey that the clock needs, in ms. */
export type Played = {
  durationMs: number;
  /** Share of the journey that is complete at the first request, for a real-time journey. */
  startFraction: number;
};

const minuteMs = 60_000;

/** True when a number's voyage plays in fast motion: its last digit is 0 to 4. All others run in real time. */
export function isFast(reference: string): boolean {
  const digit = /(\d)\D*$/.exec(reference)?.[1];
  return digit !== undefined && digit <= '4';
}

/**
 * When the voyage started, in epoch milliseconds. A fast voyage ends at the moment of the first request; a real-time
 * one is in progress then.
 */
export function voyageStart(voyage: Played, fast: boolean, firstSeenMs: number): number {
  const pastMs = fast ? voyage.durationMs : voyage.durationMs * voyage.startFraction;
  return Math.floor((firstSeenMs - pastMs) / minuteMs) * minuteMs;
}

/**
 * The virtual moment that responses are made for. A fast voyage plays completely within `voyageS` seconds and never
 * goes past `nowMs`.
 */
export function virtualNow(voyage: Played, fast: boolean, firstSeenMs: number, voyageS: number, nowMs: number): number {
  if (!fast) return nowMs;
  const playedMs = ((nowMs - firstSeenMs) * voyage.durationMs) / (voyageS * 1000);
  return Math.floor(Math.min(nowMs, firstSeenMs - voyage.durationMs + playedMs));
}
