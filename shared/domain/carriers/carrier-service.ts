export const circuitStates = ['closed', 'half_open', 'open'] as const;
export type CircuitStateName = (typeof circuitStates)[number];

/** Recent responses of a carrier to one worker with one credential. Times are ISO UTC. */
export type ServiceReport = {
  circuit: CircuitStateName;
  requests: number;
  succeeded: number;
  latencyP50Ms: number | null;
  latencyP95Ms: number | null;
  lastSuccessAt: string | null;
  lastErrorAt: string | null;
  lastErrorReason: string | null;
  /** Calls left in the budget. */
  budgetLeft: number;
  closedUntil: string | null;
  /** Waiting time of the oldest due shipment, in seconds. Null: none is due. */
  lagS: number | null;
  updatedAt: string;
};

/** The same, for all workers together. */
export type CarrierServiceState = {
  circuit: CircuitStateName;
  budgetLeft: number;
  /** From 0 to 1. Null: no recent calls. */
  successRate: number | null;
  latencyMs: number | null;
  lagS: number;
  updatedAt: string;
};

/**
 * Combines what several workers saw of one credential: the worst circuit, the newest budget, all requests. Null: no
 * worker saw it.
 */
export function joinReports(reports: readonly ServiceReport[]): CarrierServiceState | null {
  const newest = reports.reduce<ServiceReport | null>(
    (found, one) => (found === null || one.updatedAt > found.updatedAt ? one : found),
    null,
  );
  if (newest === null) return null;
  const requests = sum(reports, (one) => one.requests);
  const timed = reports.filter((one) => one.latencyP50Ms !== null);
  const weights = sum(timed, (one) => one.requests);
  return {
    circuit: circuitStates.findLast((state) => reports.some((one) => one.circuit === state)) ?? 'closed',
    budgetLeft: Math.max(0, Math.floor(newest.budgetLeft)),
    successRate: requests === 0 ? null : round(sum(reports, (one) => one.succeeded) / requests, 3),
    latencyMs: weights === 0 ? null : round(sum(timed, (one) => one.requests * (one.latencyP50Ms ?? 0)) / weights, 1),
    lagS: round(Math.max(0, ...reports.map((one) => one.lagS ?? 0)), 1),
    updatedAt: newest.updatedAt,
  };
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}
