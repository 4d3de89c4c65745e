/** What the clock has to know of a journey; times in ms. */
export type Played = {
  durationMs: number;
  /** Share of the journey that is over when a real-time one is first asked for. */
  startFraction: number;
};

const minuteMs = 60_000;

/** Whether a number's voyage plays in fast motion: its last digit is 0 to 4. Any other runs in real time. */
export function isFast(reference: string): boolean {
  const digit = /(\d)\D*$/.exec(reference)?.[1];
  return digit !== undefined && digit <= '4';
}

/**
 * When the voyage began, in epoch milliseconds. A fast one began so long ago that it ends when it was first asked for;
 * one in real time is under way at that moment.
 */
export function voyageStart(voyage: Played, fast: boolean, firstSeenMs: number): number {
  const pastMs = fast ? voyage.durationMs : voyage.durationMs * voyage.startFraction;
  return Math.floor((firstSeenMs - pastMs) / minuteMs) * minuteMs;
}

/** The moment that the carrier's answers are made at; a fast voyage plays whole within `voyageS` seconds and is never ahead of `nowMs`. */
export function virtualNow(voyage: Played, fast: boolean, firstSeenMs: number, voyageS: number, nowMs: number): number {
  if (!fast) return nowMs;
  const playedMs = ((nowMs - firstSeenMs) * voyage.durationMs) / (voyageS * 1000);
  return Math.floor(Math.min(nowMs, firstSeenMs - voyage.durationMs + playedMs));
}
