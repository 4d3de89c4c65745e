import { toShipmentId } from '#shared/contract/shipment-wire.ts';
import { beginRefresh } from '#shared/core/begin-refresh.ts';
import { postponeLooks } from '#shared/core/postpone-looks.ts';
import { recordLook } from '#shared/core/record-look.ts';
import { recordUnchanged } from '#shared/core/record-unchanged.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh.ts';
import type { LookOutcome } from '#shared/domain/shipment.ts';
import { annotateSpan, currentTraceId, inSpan, type SpanOptions } from '#shared/telemetry/events.ts';
import { type LookContext, lookAtCarrier, type TakenLook } from './look-at-carrier.ts';
import { measureLook, measureRefused } from './measure-looks.ts';

/** What refreshing needs: core, the connectors, and the way to each carrier. */
export type RefreshContext = LookContext & {
  /** Demand over budget for the credential that serves this shipment. */
  pressureFor: (connector: string, subject: { accountId: string; carrier: string }) => number;
};

type Job = { connector: string; items: RefreshClaim[] };

/**
 * Looks at the carrier for each claim and records what it said, each claim by itself: one that fails is logged, and is due again when its
 * lease ends. A look that the budget does not carry is given back with the moment from which it is due again. After `signal` nothing more is
 * recorded.
 */
export async function refreshShipments(ctx: RefreshContext, job: Job, signal: AbortSignal): Promise<void> {
  const subjects = await beginRefresh(ctx.core, job.items);
  const [only] = subjects;
  if (only === undefined) return;
  // One shipment's look belongs to its trace; that of several is the job's own, linked to each.
  if (subjects.length === 1)
    return inSpan('refresh-shipment', spanOf(only), () => refreshAll(ctx, { connector: job.connector, subjects, signal }));
  const links = subjects.flatMap(({ registrationTraceparent }) => registrationTraceparent ?? []);
  await inSpan('refresh-shipments', { root: true, links, attributes: { 'refresh.shipments': subjects.length } }, () =>
    refreshAll(ctx, { connector: job.connector, subjects, signal }),
  );
}

type Refresh = { connector: string; subjects: RefreshSubject[]; signal: AbortSignal };

async function refreshAll(ctx: RefreshContext, { connector, subjects, signal }: Refresh): Promise<void> {
  const startedAt = performance.now();
  const { taken, postponed } = await lookAtCarrier(ctx, connector, subjects, signal);
  if (signal.aborted) return;
  await postponeLooks(ctx.core, postponed);
  const left = taken.length > 1 ? await recordTogether(ctx, connector, taken) : taken;
  const outcomes = await Promise.all(left.map((one) => recordOne(ctx, connector, one)));
  logJob(ctx, {
    connector,
    subjects,
    outcomes: [...outcomes, ...Array<JobOutcome>(taken.length - left.length).fill('unchanged')],
    postponed: postponed.length,
    durationMs: performance.now() - startedAt,
  });
}

type JobOutcome = LookOutcome | 'refused' | 'not_recorded';
type DoneJob = { connector: string; subjects: readonly RefreshSubject[]; outcomes: JobOutcome[]; postponed: number; durationMs: number };

/** One line a job: whose, when it is one shipment's, and what became of it. */
function logJob({ core }: RefreshContext, { connector, subjects, outcomes, postponed, durationMs }: DoneJob): void {
  const [first] = subjects;
  const whose =
    subjects.length === 1 && first !== undefined
      ? { account_id: first.accountId, shipment_id: toShipmentId(first.shipmentId), carrier: first.carrier }
      : { shipments: subjects.length };
  const counts: Partial<Record<JobOutcome, number>> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  core.log.info({ connector, ...whose, outcomes: counts, postponed, duration_ms: Math.round(durationMs * 10) / 10 }, 'job');
}

/** Gives what has to be recorded one by one: whatever has news. */
async function recordTogether(ctx: RefreshContext, connector: string, taken: TakenLook[]): Promise<TakenLook[]> {
  const looks = taken.map((one) => ({ ...one, budgetPressure: ctx.pressureFor(connector, one.subject) }));
  try {
    const { others, refused } = await recordUnchanged(ctx.core, looks, currentTraceId());
    const left = new Set(others.map(({ subject }) => subject.shipmentId));
    const unchanged = taken.filter(({ subject }) => !left.has(subject.shipmentId));
    measureRefused(refused);
    for (const { subject } of unchanged.slice(refused)) measureLook(subject, 'unchanged', ctx.core.now().getTime());
    return others;
  } catch (error) {
    ctx.core.log.warn({ err: error, connector, looks: taken.length }, 'unchanged looks could not be recorded together');
    return taken;
  }
}

async function recordOne(ctx: RefreshContext, connector: string, { subject, look }: TakenLook): Promise<JobOutcome> {
  try {
    const budgetPressure = ctx.pressureFor(connector, subject);
    const recorded = await recordLook(ctx.core, subject, look, currentTraceId(), { budgetPressure });
    annotateSpan({
      'refresh.outcome': recorded.outcome,
      'refresh.fenced': recorded.stale,
      ...(look.outcome === 'error' ? { 'error.type': look.reason } : {}),
    });
    if (recorded.stale) measureRefused(1);
    else measureLook(subject, recorded.outcome, ctx.core.now().getTime());
    return recorded.stale ? 'refused' : recorded.outcome;
  } catch (error) {
    const { shipmentId, accountId } = subject;
    ctx.core.log.error({ err: error, shipmentId, accountId }, 'a refresh failed and will be repeated');
    return 'not_recorded';
  }
}

/**
 * The first look belongs to the registration's trace, and one that a client asked for to the trace of that request, in which its job runs.
 * Later ones begin their own and link to the registration, or one trace would grow for ever.
 */
function spanOf(subject: RefreshSubject): SpanOptions {
  const registration = subject.registrationTraceparent;
  const attributes = { 'account.id': subject.accountId, 'shipment.id': toShipmentId(subject.shipmentId), 'carrier.code': subject.carrier };
  if (subject.requested === true && currentTraceId() !== null) return { attributes, links: registration === null ? [] : [registration] };
  if (subject.lookedBefore) return { attributes, root: true, links: registration === null ? [] : [registration] };
  const isInside = registration !== null && registration.split('-')[1] === currentTraceId();
  return isInside ? { attributes } : { attributes, parent: registration };
}
