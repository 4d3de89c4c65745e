import type { TokenBucket } from '#shared/limits/token-bucket.ts';
import type { CarrierBudget } from '../carriers/carrier.ts';

/** The budget of one credential: its own bucket and that of the carrier's host. */
export type Budget = {
  /** For calls outside of a reservation. */
  open: CarrierBudget;
  /** Reserves up to `calls` for a refresh. Some may be granted, and the rest after `waitMs`. */
  reserve: (calls: number, options: { priority: boolean }) => Promise<Reservation>;
  /** Calls that a scheduled refresh may make now. */
  free: () => number;
};

/** `budget` is for the connector; `release` returns what it didn't use. */
export type Reservation = { granted: number; waitMs: number; budget: CarrierBudget; release: () => void };

/** Asks `own` first: it is the smaller one, and what it refuses takes nothing from the host. */
export function createBudget(own: TokenBucket, host: TokenBucket): Budget {
  const charge = (): void => {
    own.charge();
    host.charge();
  };
  const closedMs = (): number => Math.max(own.standing().closedMs, host.standing().closedMs);
  const free = (): number => Math.min(own.free(), host.free());

  return {
    free,
    open: {
      take: () => {
        const waitMs = own.take();
        if (waitMs > 0) return waitMs;
        const hostWaitMs = host.take();
        if (hostWaitMs > 0) own.giveBack(1);
        return hostWaitMs;
      },
      charge,
      free,
      close: own.close,
    },
    reserve: async (calls, options) => {
      const first = await own.reserve(calls, options);
      const second = first.granted > 0 ? await host.reserve(first.granted, options) : first;
      own.giveBack(first.granted - second.granted);
      let left = second.granted;
      return {
        granted: second.granted,
        waitMs: Math.max(first.waitMs, second.waitMs),
        budget: {
          take: () => {
            const waitMs = closedMs();
            if (waitMs > 0) return Math.ceil(waitMs);
            // Breaking off would waste the calls already made, so a further call is charged like a further page.
            if (left === 0) charge();
            else left -= 1;
            return 0;
          },
          charge,
          free: () => left,
          close: own.close,
        },
        release: () => {
          own.giveBack(left);
          host.giveBack(left);
          left = 0;
        },
      };
    },
  };
}
