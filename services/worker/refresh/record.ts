import { batch } from '#shared/async/batch.ts';
import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import {
  type PreparedRefresh,
  prepareRefresh,
  type RefreshInput,
  unreadableOf,
} from '#shared/core/tracking/prepare-refresh.ts';
import {
  asUnchanged,
  type RecordedRefresh,
  recordRefreshes,
  recordUnchanged,
  type UnchangedRefresh,
} from '#shared/core/tracking/record-refreshes.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import { carrierLabel } from '#shared/domain/carriers/carrier-label.ts';
import type { RefreshOutcome } from '#shared/domain/record/shipment.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { annotateSpan, currentTraceId } from '#shared/telemetry/events.ts';
import { addTo, recordSeconds } from '#shared/telemetry/instruments.ts';
import type { Fetched } from './fetch-readings.ts';

/** The database's side of all refreshes of a worker, batched. */
export type RefreshBatchers = {
  /** Renews the lease; null: the claim is over. */
  begin: (claim: RefreshClaim) => Promise<RefreshSubject | null>;
  record: (input: RefreshInput) => Promise<RecordedRefresh>;
};

const maxClaims = 500;
const maxUnchanged = 500;
/** A transaction of so many holds its locks for about 50 ms. */
const maxChanged = 50;

/**
 * A client may be waiting for a hurried refresh, so it has batches of its own and never waits behind a sweep's. The
 * statements are the same.
 */
export function openRefreshBatchers(core: CoreContext): RefreshBatchers {
  const usual = openBatchers(core, { begin: 2, unchanged: 2, changed: 3 });
  const hurried = openBatchers(core, { begin: 1, unchanged: 1, changed: 2 });
  return {
    begin: (claim) => (claim.hurried === true ? hurried : usual).begin(claim),
    record: (input) => (input.subject.hurried === true ? hurried : usual).record(input),
  };
}

/** `running`: batches that run at the same time. */
function openBatchers(
  core: CoreContext,
  running: { begin: number; unchanged: number; changed: number },
): RefreshBatchers {
  // The claims and results of one job arrive in one turn of the event loop and share a batch.
  const defer = queueMicrotask;
  const begin = batch<RefreshClaim, RefreshSubject | null>({
    maxSize: maxClaims,
    maxRunning: running.begin,
    defer,
    run: async (claims) => {
      const subjects = new Map((await beginRefreshes(core, claims)).map((subject) => [subject.shipmentId, subject]));
      return claims.map((claim) => {
        const subject = subjects.get(claim.shipmentId);
        return subject?.epoch === claim.epoch
          ? {
              ...subject,
              requested: claim.requested === true,
              hurried: claim.hurried === true || subject.hurried === true,
            }
          : null;
      });
    },
  });
  const recordAsUnchanged = batch<UnchangedRefresh, boolean>({
    maxSize: maxUnchanged,
    maxRunning: running.unchanged,
    defer,
    run: async (rows) => {
      try {
        return await recordUnchanged(core, rows);
      } catch (error) {
        core.log.warn(
          { err: error, refreshes: rows.length },
          'recording a batch of unchanged refreshes failed; recording each one individually',
        );
        return rows.map(() => false);
      }
    },
  });
  const recordChanged = batch<PreparedRefresh, RecordedRefresh>({
    maxSize: maxChanged,
    maxRunning: running.changed,
    defer,
    run: (refreshes) => recordRefreshes(core, refreshes),
  });

  return {
    begin,
    record: async (input) => {
      const refresh = prepareRefresh(core, input);
      const row = asUnchanged(core, refresh);
      if (row !== null && (await recordAsUnchanged(row))) return { outcome: 'unchanged', stale: false };
      return recordChanged(refresh);
    },
  };
}

export type RecordContext = {
  core: CoreContext;
  batchers: RefreshBatchers;
  /** Notes a recorded refresh. */
  completed: () => void;
  /** Demand over budget of the credential that serves this shipment. */
  pressureOf: (connector: string, subject: { accountId: string; carrier: string }) => number;
};

export type JobOutcome = RefreshOutcome | 'refused' | 'not_recorded';

/** Records and measures a result. Never rejects: a shipment that isn't recorded is due when its lease expires. */
export async function recordFetched(
  ctx: RecordContext,
  connector: string,
  { subject, result }: Fetched,
): Promise<JobOutcome> {
  try {
    // Before it is recorded whether the trace is kept.
    if (result.outcome === 'error') annotateSpan({ 'error.type': result.reason });
    const {
      outcome,
      stale,
      newUnreadable = 0,
    } = await ctx.batchers.record({
      subject,
      result,
      traceId: currentTraceId(),
      traceKept: ctx.core.keepsTrace(),
      traceparent: ctx.core.traceparent(),
      budgetPressure: ctx.pressureOf(connector, subject),
    });
    annotateSpan({ 'refresh.outcome': outcome, 'refresh.fenced': stale });
    ctx.completed();
    if (stale) countRefusedWrite();
    else {
      measureRefresh(subject, outcome, ctx.core.now().getTime());
      if (outcome === 'changed') countConflicts({ subject, result });
      if (newUnreadable > 0) reportUnreadable(ctx.core, { subject, result, newUnreadable });
    }
    return stale ? 'refused' : outcome;
  } catch (error) {
    const { shipmentId, accountId } = subject;
    ctx.core.log.warn({ err: error, shipmentId, accountId }, 'refresh not recorded; retrying when its lease expires');
    return 'not_recorded';
  }
}

/** Counts a recorded refresh and its lag behind the due time, except of test shipments. `nowMs`: this process's clock. */
export function measureRefresh(subject: RefreshSubject, outcome: RefreshOutcome, nowMs: number): void {
  if (subject.test) return;
  const carrier = carrierLabel(subject.carrier);
  addTo('landfall.refresh.count', 1, { carrier, outcome });
  if (subject.dueAt === undefined) return;
  recordSeconds('landfall.refresh.lag', (nowMs + subject.clockOffsetMs - Date.parse(subject.dueAt)) / 1000, {
    carrier,
  });
}

/** Counts scans whose words disagree with the carrier's code, so that a carrier that changes its codes is noticed. */
function countConflicts({ subject, result }: Pick<Fetched, 'subject' | 'result'>): void {
  const conflicts = result.outcome === 'found' ? (result.reading.codeConflicts ?? 0) : 0;
  if (conflicts > 0 && !subject.test)
    addTo('landfall.events.code_conflicts', conflicts, { carrier: carrierLabel(subject.carrier) });
}

/** Counts and logs events that could not be read. Each is reported once, however often the carrier repeats it. */
export function reportUnreadable(
  core: Pick<CoreContext, 'log'>,
  { subject, result, newUnreadable }: Fetched & { newUnreadable: number },
): void {
  const unreadable = unreadableOf(result);
  if (unreadable === null) return;
  addTo('landfall.events.unreadable', newUnreadable, { carrier: carrierLabel(subject.carrier) });
  const { accountId, shipmentId, carrier } = subject;
  core.log.warn(
    { account_id: accountId, shipment_id: toShipmentId(shipmentId), carrier, events: newUnreadable, ...unreadable },
    'events of a carrier not readable; raw data kept',
  );
}

/** Counts a write that the database refused because the epoch had moved on. */
export function countRefusedWrite(): void {
  addTo('landfall.writes.stale_refused', 1, {});
}
