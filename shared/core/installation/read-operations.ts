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
    const usual = new Map((await readUsualDurations(tx)).map((row) => [row.connector, row.usual_ms]));
    const failed = await readFailedRefreshes(tx);
    const { workers, loop_delay_ms: workerLoopDelayMs, registered } = await readThroughput(tx);
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
      loopDelayMs: { api: apiLoopDelayMs, worker: workerLoopDelayMs },
      connectors: [...mentioned].toSorted().map((connector) => ({
        ...stateOf(known.get(connector)),
        connector,
        name: connectorName(connector),
        usualMs: usual.get(connector) ?? null,
        dueOldestAgeS: due.get(connector)?.oldest_age_s ?? null,
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
    latencyP50Ms: row?.latency_p50_ms ?? null,
    latencyP95Ms: row?.latency_p95_ms ?? null,
    circuit: row?.circuit ?? ('closed' as const),
    budgetLeft: row?.budget_left ?? null,
    closedForS: row?.closed_for_s ?? null,
    lastSuccessAt: row?.last_success_at?.toISOString() ?? null,
    lastErrorAt: row?.last_error_at?.toISOString() ?? null,
    lastErrorReason: row?.last_error_reason ?? null,
  } satisfies Partial<ConnectorState>;
}

function countFailures(failed: readonly FailedRefreshRow[]): FailureCount[] {
  const counts = new Map<string, FailureCount>();
  for (const row of failed) {
    const { connector, reason, http_status: httpStatus } = row;
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
  return row.http_status !== null || row.duration_ms > 0;
}

function toRecent(row: FailedRefreshRow) {
  return {
    at: row.last_at.toISOString(),
    carrier: row.carrier,
    connector: row.connector,
    shipmentId: row.shipment_id,
    reason: row.reason ?? 'unknown',
    httpStatus: row.http_status,
    durationMs: row.duration_ms,
    traceId: row.trace_id,
  };
}
