import { LandfallError } from '#shared/domain/errors.ts';
import type { FetchResult } from '#shared/domain/shipments/shipment.ts';
import {
  insertEventsOf,
  insertRejectedEventsOf,
  readEventsOf,
  supersedeEvents,
} from '#shared/store/tracking/events.ts';
import { lockShipments } from '#shared/store/tracking/journeys.ts';
import { finishClaims } from '#shared/store/tracking/polling.ts';
import { insertRefreshes } from '#shared/store/tracking/refreshes.ts';
import { type Tx, withAccountByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { answerHashOf, type RecordedRefresh, sourceOfRefresh, type Work } from './fetched-refresh.ts';
import { addCarrierContainers, publishJourneys } from './publish-journey.ts';
import { draftRefresh, type RefreshDraft, type RefreshStep } from './refresh-step.ts';
import { pollingOutcomeOf, reasonOf } from './schedule-next-refresh.ts';

/**
 * Records refreshes, those of one account together in one transaction; each has its own answer. One that cannot be recorded with the others, or
 * whose shipment somebody has locked, is recorded by itself, so that nobody suffers from a neighbour.
 */
export function recordRefreshes(ctx: CoreContext, works: readonly Work[]): Promise<RecordedRefresh>[] {
  const groups = Map.groupBy(works, ({ subject }) => subject.accountId);
  const together = new Map([...groups].map(([accountId, group]) => [accountId, recordGroup(ctx, accountId, group)]));
  return works.map(async (work) => (await together.get(work.subject.accountId))?.get(work) ?? recordAlone(ctx, work));
}

/** Records one refresh; one that cannot be recorded is recorded as an `internal_error`. Throws LandfallError `unavailable` when the database is away. */
export async function recordAlone(ctx: CoreContext, work: Work): Promise<RecordedRefresh> {
  const { subject, refresh } = work;
  const record = async (one: Work): Promise<RecordedRefresh> => {
    const recorded = await withAccountByKey(ctx.store, subject.accountId, (tx) =>
      recordIn(tx, subject.accountId, { works: [one], waits: true }),
    );
    return recorded.get(one) ?? { outcome: 'error', stale: true };
  };
  try {
    return await record(work);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.error(
      { err: error, shipmentId: subject.shipmentId, accountId: subject.accountId },
      'a refresh could not be recorded',
    );
    const failed: FetchResult = {
      outcome: 'error',
      httpStatus: refresh.httpStatus,
      durationMs: refresh.durationMs,
      reason: 'internal_error',
      permanent: false,
      retryAfterMs: null,
      detail: 'the refresh could not be recorded',
      source: sourceOfRefresh(refresh),
    };
    return record({ ...work, refresh: failed, readingHash: null, isSameReading: false });
  }
}

async function recordGroup(
  ctx: CoreContext,
  accountId: string,
  group: readonly Work[],
): Promise<ReadonlyMap<Work, RecordedRefresh>> {
  // A shipment twice, at two epochs, is never recorded with itself.
  const works = [...new Map(group.map((work) => [work.subject.shipmentId, work])).values()];
  if (works.length === 1) return new Map();
  try {
    return await withAccountByKey(ctx.store, accountId, (tx) => recordIn(tx, accountId, { works, waits: false }));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.warn(
      { err: error, accountId, refreshes: works.length },
      'refreshes could not be recorded together; each is recorded by itself',
    );
    return new Map();
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof LandfallError && error.code === 'unavailable';
}

type Recording = { works: readonly Work[]; waits: boolean };

/** Gives what was recorded. A refresh that is missing was not: its shipment was locked, or is no more. */
async function recordIn(tx: Tx, accountId: string, { works, waits }: Recording): Promise<Map<Work, RecordedRefresh>> {
  const drafts = works.map(draftRefresh);
  const shipments = await lockShipments(tx, accountId, {
    ids: idsOf(drafts.filter((draft) => draft.needsShipment)),
    waits,
  });
  const events = await readEventsOf(
    tx,
    accountId,
    idsOf(drafts.filter((draft) => draft.needsEvents)).filter((id) => shipments.has(id)),
  );
  const steps = drafts.flatMap(({ work: { subject }, step }) => {
    return step(shipments.get(subject.shipmentId) ?? null, events.get(subject.shipmentId) ?? []) ?? [];
  });
  const finished = await finishClaims(tx, accountId, steps.map(endOf));
  // Nothing more is written of a claim that is over (fencing).
  const live = steps.filter(({ work }) => finished.has(work.subject.shipmentId));
  await writeNews(tx, accountId, live);
  await insertRefreshes(tx, accountId, live.map(keptOf));
  const publications = live.flatMap(({ publication }) => publication ?? []);
  await addCarrierContainers(tx, accountId, publications);
  await publishJourneys(tx, accountId, publications);
  return new Map(steps.map(({ work, outcome }) => [work, { outcome, stale: !finished.has(work.subject.shipmentId) }]));
}

function idsOf(drafts: readonly RefreshDraft[]): string[] {
  return drafts.map(({ work }) => work.subject.shipmentId);
}

function endOf({ work, outcome, plan, readingHash }: RefreshStep) {
  const answerHash = answerHashOf(work.refresh);
  const end = pollingOutcomeOf(work, {
    plan,
    readingHash,
    answerHash,
    changed: outcome === 'changed',
    traceId: work.traceId,
  });
  return { shipmentId: work.subject.shipmentId, ...end };
}

async function writeNews(tx: Tx, accountId: string, steps: readonly RefreshStep[]): Promise<void> {
  const inserts = steps.flatMap(({ work, news }) =>
    (news?.inserts ?? []).map((event) => ({ ...event, shipmentId: work.subject.shipmentId })),
  );
  await insertEventsOf(tx, accountId, inserts);
  await supersedeEvents(
    tx,
    accountId,
    steps.flatMap(({ news }) => news?.superseded ?? []),
  );
  const rejected = steps.flatMap(({ work: { subject, refresh }, news }) => {
    if (news === null || refresh.outcome !== 'found') return [];
    return refresh.reading.rejected.map((one) => ({ ...one, shipmentId: subject.shipmentId }));
  });
  await insertRejectedEventsOf(tx, accountId, rejected);
}

function keptOf({ work: { subject, refresh, traceId }, outcome, news }: RefreshStep) {
  return {
    shipmentId: subject.shipmentId,
    outcome,
    eventsAdded: news?.inserts.length ?? 0,
    reason: reasonOf(refresh),
    httpStatus: refresh.httpStatus,
    durationMs: refresh.durationMs,
    source: sourceOfRefresh(refresh),
    traceId,
  };
}
