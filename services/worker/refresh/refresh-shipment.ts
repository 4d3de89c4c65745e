import { toShipmentId } from '#shared/contract/shipments/shipment-id.ts';
import { type Postponed, postponeRefreshes } from '#shared/core/tracking/postpone-refreshes.ts';
import type { FetchResult, RefreshOutcome } from '#shared/domain/shipments/shipment.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import { annotateSpan, currentTraceId, inSpan, type SpanOptions } from '#shared/telemetry/events.ts';
import { type FetchContext, fetchFromCarrier } from './fetch-from-carrier.ts';
import { measureRefresh, measureRefused } from './measure-refreshes.ts';
import type { RefreshFlow } from './refresh-flow.ts';

/** What refreshing needs: core, the connectors, the way to each carrier and the one to the database. */
export type RefreshContext = FetchContext & {
  flow: RefreshFlow;
  /** Demand over budget for the credential that serves this shipment. */
  pressureFor: (connector: string, subject: { accountId: string; carrier: string }) => number;
};

type Job = { connector: string; items: RefreshClaim[]; hurried?: boolean | undefined };
type Refresh = { connector: string; subjects: RefreshSubject[]; signal: AbortSignal };

/**
 * Refreshes at the carrier for each claim and records what it said, each claim by itself: one that fails is logged, and is due again when its
 * lease ends. A refresh that the budget does not carry is given back with the moment from which it is due again. After `signal` nothing more is
 * recorded. Gives how many of the claims were still live.
 */
export async function refreshShipments(ctx: RefreshContext, job: Job, signal: AbortSignal): Promise<number> {
  const begun = await Promise.all(
    job.items.map((claim) => ctx.flow.begin({ ...claim, hurried: job.hurried === true })),
  );
  const subjects = begun.filter((subject) => subject !== null);
  const [only] = subjects;
  if (only === undefined) return 0;
  const refresh: Refresh = { connector: job.connector, subjects, signal };
  // One shipment's refresh belongs to its trace; those of several are the job's own, linked to each.
  if (subjects.length === 1) {
    await inSpan('refresh-shipment', spanOf(only), () => refreshAll(ctx, refresh));
    return 1;
  }
  const links = subjects.flatMap(({ registrationTraceparent }) => registrationTraceparent ?? []);
  await inSpan('refresh-shipments', { root: true, links, attributes: attributesOf(subjects) }, () =>
    refreshAll(ctx, refresh),
  );
  return subjects.length;
}

function attributesOf(subjects: readonly RefreshSubject[]): Record<string, string | number> {
  const carriers = new Set(subjects.map(({ carrier }) => carrier));
  const [carrier = ''] = carriers;
  return { 'refresh.shipments': subjects.length, ...(carriers.size === 1 ? { 'carrier.code': carrier } : {}) };
}

async function refreshAll(ctx: RefreshContext, { connector, subjects, signal }: Refresh): Promise<void> {
  const startedAt = performance.now();
  const outcomes: JobOutcome[] = [];
  let postponed = 0;
  await fetchFromCarrier(ctx, {
    connector,
    subjects,
    signal,
    sink: {
      // Within a job of several, too, a first refresh goes on in the trace of its registration.
      inTrace: (call, work) => {
        const [only, ...others] = call;
        if (only === undefined || others.length > 0 || subjects.length === 1 || only.refreshedBefore) return work();
        return inSpan('refresh-shipment', spanOf(only), work);
      },
      taken: async (subject, refresh) => {
        if (!signal.aborted) outcomes.push(await recordOne(ctx, connector, { subject, refresh }));
      },
      postponed: async (refreshes: Postponed[]) => {
        if (signal.aborted) return;
        postponed += refreshes.length;
        await postponeRefreshes(ctx.core, refreshes);
      },
    },
  });
  if (!signal.aborted)
    logJob(ctx, { connector, subjects, outcomes, postponed, durationMs: performance.now() - startedAt });
}

type JobOutcome = RefreshOutcome | 'refused' | 'not_recorded';
type DoneJob = {
  connector: string;
  subjects: readonly RefreshSubject[];
  outcomes: JobOutcome[];
  postponed: number;
  durationMs: number;
};

/** One line a job: whose, when it is one shipment's, and what became of it. */
function logJob({ core }: RefreshContext, { connector, subjects, outcomes, postponed, durationMs }: DoneJob): void {
  const [first] = subjects;
  const whose =
    subjects.length === 1 && first !== undefined
      ? { account_id: first.accountId, shipment_id: toShipmentId(first.shipmentId), carrier: first.carrier }
      : { shipments: subjects.length };
  const counts: Partial<Record<JobOutcome, number>> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  core.log.info(
    { connector, ...whose, outcomes: counts, postponed, duration_ms: Math.round(durationMs * 10) / 10 },
    'job',
  );
}

async function recordOne(
  ctx: RefreshContext,
  connector: string,
  { subject, refresh }: { subject: RefreshSubject; refresh: FetchResult },
): Promise<JobOutcome> {
  try {
    const budgetPressure = ctx.pressureFor(connector, subject);
    const recorded = await ctx.flow.record({
      subject,
      refresh,
      traceId: currentTraceId(),
      traceparent: ctx.core.traceparent(),
      budgetPressure,
    });
    annotateSpan({
      'refresh.outcome': recorded.outcome,
      'refresh.fenced': recorded.stale,
      ...(refresh.outcome === 'error' ? { 'error.type': refresh.reason } : {}),
    });
    if (recorded.stale) measureRefused(1);
    else measureRefresh(subject, recorded.outcome, ctx.core.now().getTime());
    return recorded.stale ? 'refused' : recorded.outcome;
  } catch (error) {
    const { shipmentId, accountId } = subject;
    ctx.core.log.error({ err: error, shipmentId, accountId }, 'a refresh failed and will be repeated');
    return 'not_recorded';
  }
}

/**
 * The first refresh belongs to the registration's trace, and one that a client asked for to the trace of that request, in which its job runs.
 * Later ones begin their own and link to the registration, or one trace would grow for ever.
 */
function spanOf(subject: RefreshSubject): SpanOptions {
  const registration = subject.registrationTraceparent;
  const attributes = {
    'account.id': subject.accountId,
    'shipment.id': toShipmentId(subject.shipmentId),
    'carrier.code': subject.carrier,
  };
  if (subject.requested === true && currentTraceId() !== null)
    return { attributes, links: registration === null ? [] : [registration] };
  if (subject.refreshedBefore) return { attributes, root: true, links: registration === null ? [] : [registration] };
  const isInside = registration !== null && registration.split('-')[1] === currentTraceId();
  return isInside ? { attributes } : { attributes, parent: registration };
}
