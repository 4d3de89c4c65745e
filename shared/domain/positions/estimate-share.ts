/** A way that a vehicle has left for. Instants are ISO UTC; `arrivesAt` is the end of the day if the ETA is only a date. */
export type TimedWay = { departedAt: string; arrivesAt: string | null };

/** `share` of the length of the way, from 0 to `maxShare`. `isOverdue`: it was expected to be at the end by now. */
export type WayEstimate = { share: number; isOverdue: boolean };

/** A vehicle is drawn short of the end of its way until an arrival is reported. */
export const maxShare = 0.98;

/**
 * Estimates a vehicle's progress on its way by the clock, at a constant speed from its actual departure to its ETA. A
 * vehicle whose ETA has passed waits just before the end. Null: there is no ETA, or an invalid one before the
 * departure.
 */
export function estimateShare({ departedAt, arrivesAt }: TimedWay, nowMs: number): WayEstimate | null {
  const elapsed = elapsedShare(Date.parse(departedAt), arrivesAt === null ? Number.NaN : Date.parse(arrivesAt), nowMs);
  return elapsed === null ? null : { share: Math.min(elapsed, maxShare), isOverdue: elapsed >= 1 };
}

/** The elapsed share of a span of time, 0 to 1. Null: it has no length. */
export function elapsedShare(beginsMs: number, endsMs: number, nowMs: number): number | null {
  if (!(endsMs > beginsMs)) return null;
  return Math.min(Math.max((nowMs - beginsMs) / (endsMs - beginsMs), 0), 1);
}
