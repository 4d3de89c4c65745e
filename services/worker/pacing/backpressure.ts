import type { SweepPlan } from '#shared/core/tracking/refresh-claims.ts';
import type { ExhaustedAccount } from '#shared/core/tracking/report-delayed.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { RefreshClaim } from '#shared/domain/refresh/refresh.ts';
import { setBounded } from '#shared/domain/set-bounded.ts';
import type { CarrierService, CarrierServices } from './carrier-service.ts';
import { pacing } from './pacing.ts';

const { maxClaims, maxClaimsPerJob, jobMs, settleMs, maxTurns } = pacing.backpressure;
const { maxClosedClaims, unknownClaims, closedEveryMs, minPostponeMs, maxPostponeMs } = pacing.backpressure;
const { minReportEveryMs } = pacing.backpressure;
const { measuredMs, bucketMs, queuedMs, firstClaims, minQueued, idleFactor } = pacing.backpressure;

/** Limits claims to the calls that the budgets cover. More claims would lose their leases while they wait. */
export type SweepPlanner = {
  /** Shipments of a connector that a sweep may claim, and accounts to leave out because their budget is used up. */
  room: (connector: string) => Promise<{ limit: number; exceptAccounts: string[] }>;
  /** Divides claims into jobs that share a credential, and postpones what its budget doesn't cover. */
  plan: (connector: string, claims: readonly (RefreshClaim & { carrier: string })[]) => Promise<SweepPlan>;
  /** Accounts whose budget at a connector is used up and grows slowly. */
  exhausted: (connector: string) => ExhaustedAccount[];
};

export type SweepPlannerOptions = {
  access: CarrierServices;
  /** Shipments per call; null: not a carrier's connector, so its refreshes make no calls. */
  batchSizeOf: (connector: string) => { connector: ConnectorCode; batchSize: number } | null;
  /** Workers that sweep at the same time. */
  workers: () => number;
  now?: () => number;
};

export function createSweepPlanner(options: SweepPlannerOptions): SweepPlanner {
  const { access, workers } = options;
  const now = options.now ?? (() => performance.now());
  const lastTurns = new Map<string, number>();
  let turns = 0;
  const planned = new Map<string, { calls: number; atMs: number }[]>();

  /** Calls that this worker may still plan with a credential. */
  const callsLeft = (service: CarrierService): number => {
    if (service.closedMs() > 0) return maxClosedClaims;
    const recent = (planned.get(service.credentialId) ?? []).filter(({ atMs }) => now() - atMs < settleMs);
    if (recent.length > 0) planned.set(service.credentialId, recent);
    else planned.delete(service.credentialId);
    const share = Math.ceil(service.free() / Math.max(1, workers()));
    return Math.max(0, share - recent.reduce((sum, { calls }) => sum + calls, 0));
  };
  const notePlanned = (credentialId: string, calls: number): void => {
    const value = [...(planned.get(credentialId) ?? []), { calls, atMs: now() }];
    setBounded(planned, { key: credentialId, value, max: maxTurns });
  };
  const noteTurns = (credentialId: string, claims: readonly RefreshClaim[]): void => {
    for (const { accountId } of claims) {
      turns += 1;
      lastTurns.set(`${credentialId} ${accountId}`, turns);
    }
    if (lastTurns.size <= maxTurns) return;
    const oldest = [...lastTurns].sort(([, a], [, b]) => a - b).slice(0, maxTurns / 2);
    for (const [key] of oldest) lastTurns.delete(key);
  };

  return {
    room: async (code) => {
      const known = options.batchSizeOf(code);
      if (known === null) return { limit: maxClaims, exceptAccounts: [] };
      const services = access.services(known.connector);
      // Other workers may have taken tokens. An apparently full bucket is only checked when a refresh takes from it.
      const used = services.filter(
        ({ bucket }) => bucket.standing().tokens < bucket.limit.capacity || bucket.standing().closedMs > 0,
      );
      await Promise.all(used.map(({ bucket }) => bucket.refresh()));
      const rooms = new Map(services.map((service) => [service.credentialId, callsLeft(service)]));
      const calls = [...rooms.values()].reduce((sum, room) => sum + room, 0);
      return {
        limit: Math.min(maxClaims, (calls + Math.ceil(unknownClaims / known.batchSize)) * known.batchSize),
        exceptAccounts: exhaustedAccounts(access.served(known.connector), rooms),
      };
    },
    plan: async (code, claims) => {
      const known = options.batchSizeOf(code);
      const withoutCredential: RefreshClaim[] = [];
      const byCredential = new Map<string, { service: CarrierService; claims: RefreshClaim[] }>();
      for (const { carrier, ...claim } of claims) {
        const service = known === null ? null : await access.serviceFor(known.connector, claim.accountId, carrier);
        if (service === null) {
          withoutCredential.push(claim);
          continue;
        }
        const same = byCredential.get(service.credentialId) ?? { service, claims: [] };
        same.claims.push(claim);
        byCredential.set(service.credentialId, same);
      }
      const plan: SweepPlan = { batches: [], postponed: [] };
      for (const { service, claims: own } of byCredential.values()) {
        const perCall = known?.batchSize ?? 1;
        const isClosed = service.closedMs() > 0;
        const hurried = own.filter((claim) => claim.hurried === true);
        const others = own.filter((claim) => claim.hurried !== true);
        const lastTurnOf = (accountId: string) => lastTurns.get(`${service.credentialId} ${accountId}`) ?? 0;
        const inTurn = [...hurried, ...takeTurns(others, lastTurnOf)];
        // Part of the budget is kept for hurried ones.
        const room = Math.max(hurried.length, callsLeft(service) * (isClosed ? 1 : perCall));
        const covered = inTurn.slice(0, room);
        const surplus = inTurn.slice(covered.length);
        noteTurns(service.credentialId, covered);
        if (!isClosed) notePlanned(service.credentialId, Math.ceil(covered.length / perCall));
        const perJob = perCall > 1 ? perCall : isClosed ? maxClaimsPerJob : claimsPerJob(service);
        if (hurried.length > 0) plan.batches.push({ items: hurried, perJob: perCall, hurried: true });
        const due = covered.slice(hurried.length);
        if (due.length > 0) plan.batches.push({ items: due, perJob });
        const everyMs = isClosed ? closedEveryMs : 1 / service.bucket.limit.perMs / perCall;
        const waitMs = (place: number) => Math.min(maxPostponeMs, Math.max(minPostponeMs, (place + 1) * everyMs));
        plan.postponed.push(...surplus.map((claim, place) => ({ claim, waitMs: waitMs(place) })));
      }
      // These refreshes make no call; they record why.
      if (withoutCredential.length > 0) plan.batches.unshift({ items: withoutCredential, perJob: maxClaimsPerJob });
      return plan;
    },
    exhausted: (code) => {
      const known = options.batchSizeOf(code);
      if (known === null) return [];
      const services = access.services(known.connector);
      const served = access.served(known.connector);
      const rooms = new Map(services.map((service) => [service.credentialId, callsLeft(service)]));
      const everyMs = new Map(
        services.map(({ credentialId, bucket }) => [credentialId, 1 / bucket.limit.perMs / known.batchSize]),
      );
      const servedOf = Map.groupBy(served, ({ accountId }) => accountId);
      return exhaustedAccounts(served, rooms).flatMap((accountId) => {
        const own = servedOf.get(accountId) ?? [];
        const fastestMs = Math.min(...own.map(({ credentialId }) => everyMs.get(credentialId) ?? 0));
        return fastestMs < minReportEveryMs ? [] : [{ accountId, everyMs: fastestMs }];
      });
    },
  };
}

function claimsPerJob({ recorder }: CarrierService): number {
  const { latencyP50Ms } = recorder.read();
  if (latencyP50Ms === null) return 1;
  return Math.min(maxClaimsPerJob, Math.max(1, Math.floor(jobMs / Math.max(1, latencyP50Ms))));
}

/** One claim of each account in turn, starting with the account whose last turn is longest ago. */
function takeTurns(claims: readonly RefreshClaim[], lastTurnOf: (accountId: string) => number): RefreshClaim[] {
  const byAccount = [...Map.groupBy(claims, ({ accountId }) => accountId)].sort(
    ([a], [b]) => lastTurnOf(a) - lastTurnOf(b),
  );
  const longest = Math.max(0, ...byAccount.map(([, own]) => own.length));
  return Array.from({ length: longest }, (_, turn) => byAccount.flatMap(([, own]) => own[turn] ?? [])).flat();
}

/** Accounts whose credentials here have no calls left. */
function exhaustedAccounts(
  served: readonly { accountId: string; credentialId: string }[],
  rooms: ReadonlyMap<string, number>,
): string[] {
  const hasRoom = new Map<string, boolean>();
  for (const { accountId, credentialId } of served) {
    hasRoom.set(accountId, hasRoom.get(accountId) === true || (rooms.get(credentialId) ?? 1) > 0);
  }
  return [...hasRoom].filter(([, has]) => !has).map(([accountId]) => accountId);
}

/** Limits the queue to a few seconds of the workers' throughput, so that no lease expires in it. */
export type SweepPace = {
  /** Counts a finished job by the shipments it refreshed. A job whose claims were over says nothing about the speed. */
  done: (connector: string, shipments: number) => void;
  /** Shipments that this worker may add to the queue now. */
  room: (connector: string) => Promise<number>;
};

export type SweepPaceOptions = {
  /** Jobs of a connector that wait in the queue, and that workers have in progress. */
  queueCounts: (connector: string) => Promise<{ waiting: number; active: number }>;
  workers: () => number;
  /** Jobs of a connector that one worker runs at the same time. */
  jobsPerWorker: number;
  /** Monotonic milliseconds. */
  now?: () => number;
};

type Done = { atMs: number; shipments: number; jobs: number };

export function createSweepPace(options: SweepPaceOptions): SweepPace {
  const { queueCounts, workers, jobsPerWorker, now = () => performance.now() } = options;
  const doneBy = new Map<string, Done[]>();
  const recent = (connector: string): Done[] => {
    const kept = (doneBy.get(connector) ?? []).filter(({ atMs }) => now() - atMs < measuredMs);
    doneBy.set(connector, kept);
    return kept;
  };

  return {
    done: (connector, shipments) => {
      if (shipments === 0) return;
      const last = doneBy.get(connector)?.at(-1);
      if (last !== undefined && now() - last.atMs < bucketMs) {
        last.shipments += shipments;
        last.jobs += 1;
        return;
      }
      doneBy.set(connector, [...recent(connector), { atMs: now(), shipments, jobs: 1 }]);
    },
    room: async (connector) => {
      const done = recent(connector);
      const shipments = done.reduce((sum, one) => sum + one.shipments, 0);
      const jobs = done.reduce((sum, one) => sum + one.jobs, 0);
      const { waiting, active } = await queueCounts(connector);
      // Jobs wait but none finishes: more of them would only wait longer.
      if (jobs === 0) return waiting > 0 ? 0 : Math.floor(firstClaims / workers());
      const overMs = Math.max(bucketMs, now() - (done[0]?.atMs ?? now()));
      const isIdle = waiting === 0 && active < (jobsPerWorker * workers()) / 2;
      const perMs = (shipments * workers()) / overMs;
      const queued = Math.max(minQueued, perMs * queuedMs * (isIdle ? idleFactor : 1));
      return Math.max(0, Math.floor((queued - waiting * (shipments / jobs)) / workers()));
    },
  };
}
