import { toShipmentId } from '#shared/contract/record/shipment-id.ts';
import { findConnectorWork, postponeRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import type { QueueBackend } from '#shared/queue/connection.ts';
import { type JobConsumer, openConsumer } from '#shared/queue/consumer.ts';
import { queueNameOf } from '#shared/queue/producer.ts';
import { annotateSpan, currentTraceId, inSpan, keepTrace, type SpanOptions } from '#shared/telemetry/events.ts';
import type { SweepPace } from '../pacing/backpressure.ts';
import { notAskedAttribute } from '../pacing/why-not-asked.ts';
import { type FetchContext, type Fetched, fetchCall, groupByCredential, reserveCalls } from './fetch-readings.ts';
import { type JobOutcome, type RecordContext, recordFetched } from './record.ts';

/*
 * The path of one refresh: sweep.ts claims and queues → this file takes the job, renews the lease, opens the span and
 * logs → fetch-readings.ts calls the carrier → the connector in carriers/ parses the response → record.ts records it.
 */

export type RefreshContext = FetchContext & RecordContext;
export type ConsumeContext = RefreshContext & { queue: QueueBackend; pace: SweepPace };

export type Consumers = {
  /** Opens the consumers of connectors with scheduled refreshes; returns the milliseconds until the next check. */
  openNeeded: () => Promise<number | undefined>;
  areReady: () => boolean;
  /** Waits up to `drainMs` for the jobs in progress, then aborts them. */
  close: (drainMs: number) => Promise<void>;
};

const allOpenCheckMs = 2000;

/** One consumer per connector, opened with the first scheduled refresh: each costs connections, and few are used. */
export function openConsumers(
  ctx: ConsumeContext,
  { connectors, concurrency, signal }: { connectors: readonly string[]; concurrency: number; signal: AbortSignal },
): Consumers {
  const waiting = new Set(connectors);
  const opened: JobConsumer[] = [];
  const open = (connector: string): JobConsumer =>
    openConsumer(ctx.queue, {
      queue: queueNameOf(connector),
      job: 'refresh-shipment',
      concurrency,
      handle: async (job, jobSignal) => ctx.pace.done(connector, await refreshShipments(ctx, job, jobSignal)),
    });
  return {
    openNeeded: async () => {
      if (waiting.size === 0) return allOpenCheckMs;
      for (const { connector, planned } of await findConnectorWork(ctx.core, [...waiting])) {
        // After `signal`, nothing would close it.
        if (!planned || signal.aborted) continue;
        opened.push(open(connector));
        waiting.delete(connector);
      }
      return undefined;
    },
    areReady: () => opened.every((consumer) => consumer.isReady()),
    close: async (drainMs) => {
      await Promise.all(opened.map((consumer) => consumer.close(drainMs)));
    },
  };
}

export type RefreshJob = { connector: string; items: RefreshClaim[]; hurried?: boolean | undefined };

/**
 * Refreshes each claim of a job by itself: one that fails is logged and is due again when its lease expires, and one
 * that the budget doesn't cover is postponed. After `signal`, nothing more is recorded. Returns how many claims were
 * live.
 */
export async function refreshShipments(ctx: RefreshContext, job: RefreshJob, signal: AbortSignal): Promise<number> {
  const begun = await Promise.all(
    job.items.map((claim) => ctx.batchers.begin({ ...claim, hurried: job.hurried === true })),
  );
  const subjects = begun.filter((subject) => subject !== null);
  const [only] = subjects;
  if (only === undefined) return 0;
  const refresh = () => {
    markKept(subjects);
    return refreshAll(ctx, { connector: job.connector, subjects, signal });
  };
  if (subjects.length === 1) await inSpan('refresh-shipment', spanOf(only), refresh);
  else await inSpan('refresh-shipments', spanOfSeveral(subjects), refresh);
  return subjects.length;
}

type Refresh = { connector: string; subjects: RefreshSubject[]; signal: AbortSignal };

async function refreshAll(ctx: RefreshContext, { connector, subjects, signal }: Refresh): Promise<void> {
  const startedAt = performance.now();
  const isSeveral = subjects.length > 1;
  const explain = spanExplainer();
  const outcomes: JobOutcome[] = [];
  let postponed = 0;
  const record = async (fetched: Fetched): Promise<void> => {
    if (!signal.aborted) outcomes.push(await recordFetched(ctx, connector, fetched));
  };

  const { unasked, groups, postponed: unserved } = await groupByCredential(ctx, connector, subjects);
  const postponing = signal.aborted ? undefined : postponeRefreshes(ctx.core, unserved);
  postponed += unserved.length;
  const recording = unasked.map(({ why, ...fetched }) =>
    inTraceOf([fetched.subject], isSeveral, () => {
      if (why !== null) annotateSpan({ [notAskedAttribute]: why });
      return record(fetched);
    }),
  );
  // Afterwards, because a subject without a span of its own has just annotated the job's.
  for (const { why } of unasked) explain(why);
  const fetching = groups.map(async (group) => {
    const reserved = await reserveCalls(ctx, group);
    explain(reserved.why);
    try {
      if (!signal.aborted) postponed += reserved.postponed.length;
      await Promise.all([
        signal.aborted ? undefined : postponeRefreshes(ctx.core, reserved.postponed),
        ...reserved.calls.map((call) =>
          inTraceOf(call, isSeveral, async () => {
            const fetched = await fetchCall(ctx, reserved, { call, signal });
            await Promise.all(fetched.map(record));
          }),
        ),
      ]);
    } finally {
      reserved.release();
    }
  });
  await Promise.all([postponing, ...recording, ...fetching]);
  if (!signal.aborted)
    logJob(ctx, { connector, subjects, outcomes, postponed, durationMs: performance.now() - startedAt });
}

/** Writes every reason why a job made no call into its span, each once. */
function spanExplainer(): (why: string | null) => void {
  const whys = new Set<string>();
  return (why) => {
    if (why === null) return;
    whys.add(why);
    annotateSpan({ [notAskedAttribute]: [...whys].join('; ') });
  };
}

/** Runs `work` in the job's span, or a first refresh among several in the trace of its registration. */
function inTraceOf(call: readonly RefreshSubject[], isSeveral: boolean, work: () => Promise<void>): Promise<void> {
  const [only, ...others] = call;
  if (only === undefined || others.length > 0 || !isSeveral || only.refreshedBefore) return work();
  return inSpan('refresh-shipment', spanOf(only), () => {
    markKept(call);
    return work();
  });
}

/** A trace of a refresh that a client requested is kept, also if the sweep claimed it, and so is one of test mode. */
function markKept(subjects: readonly RefreshSubject[]): void {
  if (subjects.some(({ requested, urgent }) => requested === true || urgent === true)) keepTrace('requested');
  else if (subjects.some(({ test }) => test)) keepTrace('test');
}

/**
 * The first refresh belongs to the registration's trace, a requested one to the trace of its request, in which its job
 * runs. Later refreshes start a trace that links to the registration: one trace would grow without end.
 */
function spanOf(subject: RefreshSubject): SpanOptions {
  const registration = subject.registrationTraceparent;
  const links = registration === null ? [] : [registration];
  const attributes = {
    'account.id': subject.accountId,
    'shipment.id': toShipmentId(subject.shipmentId),
    'carrier.code': subject.carrier,
  };
  if (subject.requested === true && currentTraceId() !== null) return { attributes, links };
  if (subject.refreshedBefore) return { attributes, root: true, links };
  const isInside = registration !== null && registration.split('-')[1] === currentTraceId();
  return isInside ? { attributes } : { attributes, parent: registration };
}

function spanOfSeveral(subjects: readonly RefreshSubject[]): SpanOptions {
  const links = subjects.flatMap(({ registrationTraceparent }) => registrationTraceparent ?? []);
  const carriers = new Set(subjects.map(({ carrier }) => carrier));
  const [carrier = ''] = carriers;
  const attributes = {
    'refresh.shipments': subjects.length,
    ...(carriers.size === 1 ? { 'carrier.code': carrier } : {}),
  };
  return { root: true, links, attributes };
}

type DoneJob = {
  connector: string;
  subjects: readonly RefreshSubject[];
  outcomes: JobOutcome[];
  postponed: number;
  durationMs: number;
};

/** One line per job. */
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
