import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { connectorName } from '#shared/domain/carriers/carrier-label.ts';
import type {
  ConnectorState,
  FailureCount,
  OperationsState,
  QueueState,
} from '#shared/domain/installation/operations.ts';
import { isStorageFull } from '#shared/store/storage-space.ts';
import {
  type ConnectorRow,
  type FailedRefreshRow,
  limitReadTime,
  readConnectorStates,
  readDue,
  readFailedRefreshes,
  readSuspended,
  readThroughput,
  readUnreadableEvents,
  readUsualDurations,
} from '#shared/store/system/operations.ts';
import { readWebhookState } from '#shared/store/webhooks/measure.ts';
import { withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { measureWaitingWork } from '../tracking/measure-waiting-work.ts';

const recentFailures = 12;
const healthWindowMin = 5;

/** The state of the whole installation, from what all its processes wrote. Throws LandfallError `unavailable`. */
export async function readOperations(
  ctx: Pick<CoreContext, 'store' | 'now'>,
  { countQueues, apiLoopDelayMs }: { countQueues: () => Promise<QueueState[]>; apiLoopDelayMs: number },
): Promise<OperationsState> {
  const counting = countQueues().catch(() => null);
  const waiting = await measureWaitingWork(ctx);
  const storageFull = await isStorageFull(ctx.store);
  return withSystem(ctx.store, async (tx) => {
    await limitReadTime(tx);
    const health = await readConnectorStates(tx);
    const due = new Map((await readDue(tx, refreshQueues)).map((row) => [row.connector, row]));
    const suspended = new Map((await readSuspended(tx)).map((row) => [row.connector, row.suspended]));
    const unreadable = new Map((await readUnreadableEvents(tx)).map((row) => [row.connector, row.events]));
    const usual = new Map((await readUsualDurations(tx)).map((row) => [row.connector, row.usualMs]));
    const failed = await readFailedRefreshes(tx);
    const { workers, loopDelayMs, completedAgeS, registered } = await readThroughput(tx);
    const webhooks = await readWebhookState(tx);
    const known = new Map(health.map((row) => [row.connector, row]));
    const mentioned = new Set([
      ...known.keys(),
      ...due.keys(),
      ...suspended.keys(),
      ...unreadable.keys(),
      ...failed.map(({ connector }) => connector),
    ]);
    return {
      ...waiting,
      storageFull,
      webhooks,
      at: ctx.now().toISOString(),
      workers,
      loopDelayMs: { api: apiLoopDelayMs, worker: loopDelayMs },
      completedAgeS,
      connectors: [...mentioned].toSorted().map((connector) => ({
        ...stateOf(known.get(connector)),
        connector,
        name: connectorName(connector),
        usualMs: usual.get(connector) ?? null,
        dueOldestAgeS: due.get(connector)?.oldestAgeS ?? null,
        dueCount: due.get(connector)?.due ?? 0,
        suspended: suspended.get(connector) ?? 0,
        unreadableEvents: unreadable.get(connector) ?? 0,
      })),
      failures: countFailures(failed),
      recent: failed
        .filter((row) => row.reason !== 'carrier_not_found_yet' && wasAsked(row))
        .slice(0, recentFailures)
        .map(toRecent),
      queues: await counting,
      registrationsPerMinute: registered,
      callsPerMinute: Math.round(health.reduce((sum, row) => sum + row.requests, 0) / healthWindowMin),
    };
  });
}

function stateOf(row: ConnectorRow | undefined) {
  return {
    requests: row?.requests ?? 0,
    succeeded: row?.succeeded ?? 0,
    latencyP50Ms: row?.latencyP50Ms ?? null,
    latencyP95Ms: row?.latencyP95Ms ?? null,
    circuit: row?.circuit ?? ('closed' as const),
    budgetLeft: row?.budgetLeft ?? null,
    closedForS: row?.closedForS ?? null,
    lastSuccessAt: row?.lastSuccessAt ?? null,
    lastErrorAt: row?.lastErrorAt ?? null,
    lastErrorReason: row?.lastErrorReason ?? null,
  } satisfies Partial<ConnectorState>;
}

function countFailures(failed: readonly FailedRefreshRow[]): FailureCount[] {
  const counts = new Map<string, FailureCount>();
  for (const row of failed) {
    const { connector, reason, httpStatus } = row;
    if (reason === null) continue;
    const asked = wasAsked(row);
    const key = [connector, reason, httpStatus, asked].join(' ');
    const count = counts.get(key) ?? { connector, reason, httpStatus, asked, refreshes: 0 };
    counts.set(key, { ...count, refreshes: count.refreshes + 1 });
  }
  return [...counts.values()].toSorted((left, right) => right.refreshes - left.refreshes);
}

/** A refresh that took no time never reached the carrier: a pause, a budget or missing credentials stopped it. */
function wasAsked(row: FailedRefreshRow): boolean {
  return row.httpStatus !== null || row.durationMs > 0;
}

function toRecent(row: FailedRefreshRow) {
  return {
    at: row.lastAt,
    carrier: row.carrier,
    connector: row.connector,
    shipmentId: row.shipmentId,
    reason: row.reason ?? 'unknown',
    httpStatus: row.httpStatus,
    durationMs: row.durationMs,
    traceId: row.traceId,
  };
}
