import type { TokenBucket } from '#shared/limits/token-bucket.ts';
import type { CarrierBudget } from '../carriers/carrier.ts';

/** The budget of one credential: its own bucket and the one of the carrier's host. */
export type RefreshBudget = {
  /** For whoever asks the carrier outside of a refresh. */
  open: CarrierBudget;
  /** Reserves up to `calls` before a refresh, or says when to come back. `use` gives the connector its budget; `end` returns what is left. */
  begin: (calls: number, options: { priority: boolean }) => Promise<BegunRefresh>;
  free: () => number;
};

export type BegunRefresh = { granted: number; waitMs: number; budget: CarrierBudget; end: () => void };

/** `own` first: it is the narrower one, and what it refuses costs the host nothing. */
export function createRefreshBudget(own: TokenBucket, host: TokenBucket): RefreshBudget {
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
    begin: async (calls, options) => {
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
            // A further question of a refresh that has begun is counted like a further page: breaking off would waste what was asked already.
            if (left === 0) charge();
            else left -= 1;
            return 0;
          },
          charge,
          free: () => left,
          close: own.close,
        },
        end: () => {
          own.giveBack(left);
          host.giveBack(left);
          left = 0;
        },
      };
    },
  };
}
