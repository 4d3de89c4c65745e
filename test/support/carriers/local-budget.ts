import type { BudgetLimit, CarrierBudget } from '#services/worker/carriers/carrier.ts';

/** A token bucket in this process. It never waits: a caller over budget gets the time until the next token. */
export function createBudget(limit: BudgetLimit, now: () => Date): CarrierBudget {
  const perMs = limit.calls / limit.perMs;
  let tokens = limit.burst;
  let filledAt = now().getTime();
  let closedUntil = 0;

  const refill = (): number => {
    const time = now().getTime();
    tokens = Math.min(limit.burst, tokens + Math.max(0, time - filledAt) * perMs);
    filledAt = time;
    return time;
  };

  return {
    take: () => {
      const time = refill();
      if (closedUntil > time) return closedUntil - time;
      if (tokens < 1) return Math.ceil((1 - tokens) / perMs);
      tokens -= 1;
      return 0;
    },
    charge: () => {
      refill();
      tokens -= 1;
    },
    free: () => (refill() < closedUntil ? 0 : Math.max(0, Math.floor(tokens))),
    close: (forMs) => {
      closedUntil = Math.max(closedUntil, now().getTime() + forMs);
    },
  };
}
