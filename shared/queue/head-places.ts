const perS = 10;
/** As many as one account has first refreshes under way with a connector. */
const atOnce = 20;

/** Places at the head of each connector's queue, for refreshes that a client may be waiting for. */
export type HeadPlaces = {
  /** False: there is none left for now, and the job goes to the end of the queue like any other. */
  take: (connector: string) => boolean;
};

/** Few enough a second that whoever registers without a pause does not keep the sweep's jobs waiting until their leases end. */
export function createHeadPlaces(now: () => number = () => performance.now()): HeadPlaces {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return {
    take: (connector) => {
      const atMs = now();
      const last = buckets.get(connector) ?? { left: atOnce, atMs };
      const left = Math.min(atOnce, last.left + ((atMs - last.atMs) / 1000) * perS);
      buckets.set(connector, { left: left >= 1 ? left - 1 : left, atMs });
      return left >= 1;
    },
  };
}
