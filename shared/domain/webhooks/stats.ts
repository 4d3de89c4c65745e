type Counts = {
  delivered: number;
  waiting: number;
  exhausted: number;
  /** Of the successful tries, in milliseconds. Null: there is none. */
  p50Ms: number | null;
  p95Ms: number | null;
};

/** Statistics of an endpoint for the last hours. */
export type RecentStats = Counts & {
  hours: number;
  /** Only the newest deliveries are counted, because there are too many. */
  isSample: boolean;
};

/** Detailed statistics of an endpoint for the last hours. Times are ISO UTC. */
export type EndpointStats = RecentStats & {
  /** Hours with deliveries, by their start. */
  byHour: (Counts & { hour: string })[];
  backlog: { changes: number; waiting: number };
  /** The oldest change that waits for the endpoint. Null: none waits. */
  oldestUndeliveredAt: string | null;
};

/** Statistics reach this far back, in hours: as long as deliveries are kept by default. */
export const maxStatsHours = 168;

/** The share of deliveries that succeeded. Null: there was none. */
export function successRate({ delivered, waiting, exhausted }: Counts): number | null {
  const all = delivered + waiting + exhausted;
  return all === 0 ? null : delivered / all;
}
