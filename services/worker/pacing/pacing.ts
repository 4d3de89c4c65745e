/**
 * Limits the calls to carriers now. Five loops, each with one measurement and one control:
 *
 *          ┌──────────────── refresh scheduled (Postgres) ◄───────────────────────────────┐
 *          │ due                                                                          │
 *          ▼                                                                     (5) cadence pressure
 *    (1) backpressure                                                                     │
 *          │ sweep claims                                                                 │
 *          ▼                                                                              │
 *        queue ──► job ──► (2) circuit ──► (3) budget ──► (4) concurrency ──► carrier ──► record
 *                            closed?         calls left?     calls in flight?
 *
 *    loop                  measures                       changes                        how often
 *    1 backpressure        shipments refreshed in the     shipments that a sweep may     each sweep: every second,
 *                          last 4 s, queue depth, calls   claim for a connector; the     every 200 ms while it is
 *                          that the budgets cover         rest is postponed              behind
 *    2 circuit             failed calls of a credential   stops all calls for 5 s,       each call
 *                                                         doubling to 15 s, then probes
 *    3 budget              calls made with a credential   whether a refresh may call     each refresh
 *                          and to a host, by all workers  now or is postponed
 *    4 concurrency         duration of the connector's    calls in flight: 2 up to       each call
 *                          calls                          WORKER_CONCURRENCY
 *    5 cadence pressure    refreshes scheduled for the    intervals between refreshes,   every 30 s
 *                          next hour ÷ calls per hour     × 1 to × 24
 *
 * The workers share the budgets (tokens in Redis or Postgres, `shared/limits`) and the count of scheduled refreshes
 * (Postgres); everything else each worker measures by itself. A connector's published limit is in its `budget`,
 * the intervals themselves in `shared/domain/refresh/cadence.ts`.
 */
export const pacing = {
  backpressure: {
    sweepEveryMs: 1000,
    /** While more was due than was claimed. */
    busySweepEveryMs: 200,

    /** Of one sweep of one connector. */
    maxClaims: 2000,
    /** The claims of a job that makes a call per shipment start together, so a job costs as much as all of them. */
    maxClaimsPerJob: 20,
    /** A job holds as many claims as take about this long in all. A slower or unknown carrier gets one per job. */
    jobMs: 500,
    /** A job that was queued so recently may not have taken its tokens yet, so its calls count as used. */
    settleMs: 1000,
    /** Claims of a credential with an open circuit: each costs one row and no call. */
    maxClosedClaims: 100,
    /** Claims beyond the known budgets: an account that is new to this worker may have its own credentials. */
    unknownClaims: 50,
    /** Distance at which postponed claims of a credential with an open circuit become due. */
    closedEveryMs: 10,
    minPostponeMs: 1000,
    maxPostponeMs: 300_000,
    /** First refreshes that wait for a budget say so where it grows by at most one refresh in so much time. */
    minReportEveryMs: 10_000,
    reportEveryMs: 5000,
    /** Pairs of credential and account whose turn is remembered. */
    maxTurns: 10_000,

    /** The last refreshes that count for the speed of the workers, and the buckets they are counted in. */
    measuredMs: 4000,
    bucketMs: 500,
    /** Work that the queue may hold: a sweep may be one or two seconds late. */
    queuedMs: 3000,
    /** Shipments for a queue of unknown speed: enough to measure it. */
    firstClaims: 400,
    /** Shipments that even the slowest queue may hold; more would lose their leases while they wait. */
    minQueued: 50,
    /** The queue of idle workers may hold so many times as much: their speed is only that of the sweep. */
    idleFactor: 3,
  },
  circuit: {
    /** Opens after so many failures in a row, … */
    maxFailuresInARow: 5,
    /** … or when more of the last calls failed. */
    window: { calls: 20, maxFailures: 10 },
    /** Shipments that are remembered as failing, so that each counts once. */
    maxFailing: 2000,
    /** Doubles with each probe that fails. */
    firstPauseMs: 5000,
    /** Half the usual calls are made again 30 s after an outage: one pause, and `resumeSpreadMs` of the cadence. */
    maxPauseMs: 15_000,
    /** Share by which a pause may be shorter or longer, so that workers don't probe in step. */
    pauseJitter: 0.2,
    /** Time limit of a probe before another refresh may probe. */
    probeMs: 5000,
  },
  budget: {
    /** A host's budget, in budgets of one credential. An estimate, because carriers publish no limit per host. */
    hostFactor: 10,
    /** A credential that nothing has used for so long is closed; its tokens are shared and stay. */
    forgetCredentialAfterMs: 3_600_000,
  },
  concurrency: {
    minCalls: 2,
    firstCalls: 8,
    /** A call that takes this many times the fastest one is waiting for others at the carrier. */
    slowFactor: 3,
    /** A smaller difference in duration comes from this machine. */
    noiseMs: 20,
    /** Weight of the newest call in the usual duration. */
    smoothing: 0.1,
    /** Growth per call of the fastest duration, so that a carrier that has become slower for good is recognized. */
    forgetting: 1.002,
    /** Factor on the calls in flight while the carrier is slow. */
    decrease: 0.9,
    /** Calls with precedence in a row before one without, so that no call waits until its job times out. */
    maxFirstInARow: 3,
  },
  cadencePressure: {
    measureEveryMs: 30_000,
    /** Beyond this, longer intervals don't help: the account needs a larger budget. */
    maxPressure: 24,
  },
} as const;
