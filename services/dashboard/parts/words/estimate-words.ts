import { spanWords } from '../time-words.ts';

type Estimated = {
  /** The ETA has passed. */
  isOverdue: boolean;
  /** ISO UTC. */
  arrivesAt: string | null;
  /** The name of the place ahead. */
  to: string;
};

/** Words for how an estimated position was computed. */
export function estimateWords({ isOverdue, arrivesAt, to }: Estimated, now: number): string {
  if (!isOverdue) return 'Estimated from departure and ETA, on the drawn line. No position reported.';
  const past = arrivesAt === null ? '' : ` ${spanWords(now - Date.parse(arrivesAt))} ago`;
  return `The ETA passed${past}. Drawn just before ${to} until an arrival or a position is reported.`;
}
