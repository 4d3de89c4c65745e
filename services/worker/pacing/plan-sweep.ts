import type { SweepPlan } from '#shared/core/tracking/sweep-due.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { RefreshClaim } from '#shared/domain/tracking/refresh.ts';
import type { CarrierAccesses, CarrierService } from '../credentials/carrier-access.ts';

export type SweepPlanner = {
  /** What one sweep of a connector may claim, and whose shipments stay due because their budget is used up. */
  room: (connector: string) => Promise<{ limit: number; exceptAccounts: string[] }>;
  plan: (connector: string, claims: readonly PlannedClaim[]) => Promise<SweepPlan>;
};

type PlannedClaim = RefreshClaim & { carrier: string };

export type SweepPlannerOptions = {
  access: Pick<CarrierAccesses, 'serviceFor' | 'services' | 'served'>;
  /** Shipments that one call carries; null: it is no carrier's connector, and its refreshes cost nothing. */
  batchSizeOf: (connector: string) => { connector: ConnectorCode; batchSize: number } | null;
  /** Workers that sweep at the same time. */
  workers: () => number;
  now?: () => number;
};

const mostClaims = 2000;
/** Shipments of one job whose refreshes begin together, each with a call of its own: a job costs as much as several refreshes. */
const mostPerJob = 20;
/** Refreshes of so long in all make up a job: one that is slower goes by itself, as does one of which nothing is known. */
const jobMs = 500;
const mostRemembered = 10_000;
/** Jobs that were queued so recently may not have taken their tokens yet. */
const settlesAfterMs = 1000;
/** Refreshes that are not sent cost one row each; more at once would only delay the others. */
const closedClaims = 100;
/** Accounts that this worker has not met yet may have credentials of their own. */
const unknownClaims = 50;
const closedEveryMs = 10;
const leastWaitMs = 1000;
const longestWaitMs = 300_000;

/** Plans refreshes so that the queue holds what the budgets carry now, and no credential's shortage is another's. */
export function createSweepPlanner(options: SweepPlannerOptions): SweepPlanner {
  const { access, workers } = options;
  const now = options.now ?? (() => performance.now());
  const lastServed = new Map<string, number>();
  let servings = 0;
  const planned = new Map<string, { calls: number; atMs: number }[]>();

  /** Calls that this worker may still plan with a credential. */
  const roomOf = (service: CarrierService): number => {
    if (service.closedMs() > 0) return closedClaims;
    const recent = (planned.get(service.credentialId) ?? []).filter(({ atMs }) => now() - atMs < settlesAfterMs);
    if (recent.length > 0) planned.set(service.credentialId, recent);
    else planned.delete(service.credentialId);
    const share = Math.ceil(service.free() / Math.max(1, workers()));
    return Math.max(0, share - recent.reduce((sum, { calls }) => sum + calls, 0));
  };

  return {
    room: async (code) => {
      const known = options.batchSizeOf(code);
      if (known === null) return { limit: mostClaims, exceptAccounts: [] };
      const services = access.services(known.connector);
      // A bucket that is full as far as this worker knows is asked about when a refresh takes from it.
      const used = services.filter(
        ({ bucket }) => bucket.standing().tokens < bucket.limit.capacity || bucket.standing().closedMs > 0,
      );
      await Promise.all(used.map(({ bucket }) => bucket.refresh()));
      const rooms = new Map(services.map((service) => [service.credentialId, roomOf(service)]));
      const calls = [...rooms.values()].reduce((sum, room) => sum + room, 0);
      return {
        limit: Math.min(mostClaims, (calls + Math.ceil(unknownClaims / known.batchSize)) * known.batchSize),
        exceptAccounts: exhausted(access.served(known.connector), rooms),
      };
    },
    plan: async (code, claims) => {
      const known = options.batchSizeOf(code);
      const unpaid: RefreshClaim[] = [];
      const groups = new Map<string, { service: CarrierService; claims: RefreshClaim[] }>();
      for (const { carrier, ...claim } of claims) {
        const service = known === null ? null : await access.serviceFor(known.connector, claim.accountId, carrier);
        if (service === null) {
          // Without anybody to ask, a refresh costs nothing and only says why.
          unpaid.push(claim);
          continue;
        }
        const group = groups.get(service.credentialId) ?? { service, claims: [] };
        group.claims.push(claim);
        groups.set(service.credentialId, group);
      }
      const plan: SweepPlan = { batches: [], postponed: [] };
      for (const { service, claims: group } of groups.values()) {
        const perCall = known?.batchSize ?? 1;
        const isClosed = service.closedMs() > 0;
        const inTurn = takeTurns(group, (accountId) => lastServed.get(`${service.credentialId} ${accountId}`) ?? 0);
        const carried = inTurn.slice(0, roomOf(service) * (isClosed ? 1 : perCall));
        const surplus = inTurn.slice(carried.length);
        for (const { accountId } of carried) {
          servings += 1;
          lastServed.set(`${service.credentialId} ${accountId}`, servings);
        }
        forgetOldest(lastServed);
        if (!isClosed)
          noteCalls(planned, service.credentialId, { calls: Math.ceil(carried.length / perCall), atMs: now() });
        const perJob = perCall > 1 ? perCall : isClosed ? mostPerJob : refreshesPerJob(service);
        if (carried.length > 0) plan.batches.push({ items: carried, perJob });
        const everyMs = isClosed ? closedEveryMs : 1 / service.bucket.limit.perMs / perCall;
        plan.postponed.push(
          ...surplus.map((claim, index) => ({
            claim,
            waitMs: Math.min(longestWaitMs, Math.max(leastWaitMs, (index + 1) * everyMs)),
          })),
        );
      }
      if (unpaid.length > 0) plan.batches.unshift({ items: unpaid, perJob: mostPerJob });
      return plan;
    },
  };
}

function refreshesPerJob({ recorder }: CarrierService): number {
  const { latencyP50Ms } = recorder.read();
  return latencyP50Ms === null ? 1 : Math.min(mostPerJob, Math.max(1, Math.floor(jobMs / Math.max(1, latencyP50Ms))));
}

/** One claim of each account in turn, beginning with the account that was served longest ago. */
function takeTurns(claims: readonly RefreshClaim[], servedAt: (accountId: string) => number): RefreshClaim[] {
  const byAccount = [...Map.groupBy(claims, ({ accountId }) => accountId)].sort(
    ([a], [b]) => servedAt(a) - servedAt(b),
  );
  const longest = Math.max(0, ...byAccount.map(([, own]) => own.length));
  return Array.from({ length: longest }, (_, turn) => byAccount.flatMap(([, own]) => own[turn] ?? [])).flat();
}

function forgetOldest(servings: Map<string, number>): void {
  if (servings.size <= mostRemembered) return;
  const oldest = [...servings].sort(([, a], [, b]) => a - b).slice(0, mostRemembered / 2);
  for (const [key] of oldest) servings.delete(key);
}

function noteCalls(
  planned: Map<string, { calls: number; atMs: number }[]>,
  key: string,
  entry: { calls: number; atMs: number },
): void {
  const entries = planned.get(key);
  if (entries === undefined) planned.set(key, [entry]);
  else entries.push(entry);
}

/** Accounts all of whose carriers here are asked with credentials that have nothing left. */
function exhausted(
  served: readonly { accountId: string; credentialId: string }[],
  rooms: ReadonlyMap<string, number>,
): string[] {
  const hasRoom = new Map<string, boolean>();
  for (const { accountId, credentialId } of served) {
    hasRoom.set(accountId, hasRoom.get(accountId) === true || (rooms.get(credentialId) ?? 1) > 0);
  }
  return [...hasRoom].filter(([, has]) => !has).map(([accountId]) => accountId);
}
