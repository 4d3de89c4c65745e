import { LandfallError } from '#shared/domain/errors.ts';
import type { LookResult } from '#shared/domain/shipment.ts';
import { insertEventsOf, insertRejectedEventsOf, readEventsOf, supersedeEvents } from '#shared/store/events.ts';
import { lockShipments } from '#shared/store/journeys.ts';
import { keepLooks } from '#shared/store/looks.ts';
import { finishClaims } from '#shared/store/polling.ts';
import { type Tx, withAccountByKey } from '#shared/store/with-account.ts';
import type { CoreContext } from './core-context.ts';
import { draftLook, type LookDraft, type LookStep } from './look-step.ts';
import { pollingOutcomeOf, reasonOf } from './plan-next-look.ts';
import { addCarrierContainers, publishJourneys } from './publish-journey.ts';
import { answerHashOf, type RecordedLook, sourceOfLook, type Work } from './taken-look.ts';

/**
 * Records looks, those of one account together in one transaction; each has its own answer. One that cannot be recorded with the others, or
 * whose shipment somebody has locked, is recorded by itself, so that nobody suffers from a neighbour.
 */
export function recordLooks(ctx: CoreContext, works: readonly Work[]): Promise<RecordedLook>[] {
  const groups = Map.groupBy(works, ({ subject }) => subject.accountId);
  const together = new Map([...groups].map(([accountId, group]) => [accountId, recordGroup(ctx, accountId, group)]));
  return works.map(async (work) => (await together.get(work.subject.accountId))?.get(work) ?? recordAlone(ctx, work));
}

/** Records one look; one that cannot be recorded is recorded as an `internal_error`. Throws LandfallError `unavailable` when the database is away. */
export async function recordAlone(ctx: CoreContext, work: Work): Promise<RecordedLook> {
  const { subject, look } = work;
  const record = async (one: Work): Promise<RecordedLook> => {
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
      'a look could not be recorded',
    );
    const failed: LookResult = {
      outcome: 'error',
      httpStatus: look.httpStatus,
      durationMs: look.durationMs,
      reason: 'internal_error',
      permanent: false,
      retryAfterMs: null,
      detail: 'the look could not be recorded',
      source: sourceOfLook(look),
    };
    return record({ ...work, look: failed, readingHash: null, isSameReading: false });
  }
}

async function recordGroup(
  ctx: CoreContext,
  accountId: string,
  group: readonly Work[],
): Promise<ReadonlyMap<Work, RecordedLook>> {
  // A shipment twice, at two epochs, is never recorded with itself.
  const works = [...new Map(group.map((work) => [work.subject.shipmentId, work])).values()];
  if (works.length === 1) return new Map();
  try {
    return await withAccountByKey(ctx.store, accountId, (tx) => recordIn(tx, accountId, { works, waits: false }));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    ctx.log.warn(
      { err: error, accountId, looks: works.length },
      'looks could not be recorded together; each is recorded by itself',
    );
    return new Map();
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof LandfallError && error.code === 'unavailable';
}

type Recording = { works: readonly Work[]; waits: boolean };

/** Gives what was recorded. A look that is missing was not: its shipment was locked, or is no more. */
async function recordIn(tx: Tx, accountId: string, { works, waits }: Recording): Promise<Map<Work, RecordedLook>> {
  const drafts = works.map(draftLook);
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
  await keepLooks(tx, accountId, live.map(keptOf));
  const publications = live.flatMap(({ publication }) => publication ?? []);
  await addCarrierContainers(tx, accountId, publications);
  await publishJourneys(tx, accountId, publications);
  return new Map(steps.map(({ work, outcome }) => [work, { outcome, stale: !finished.has(work.subject.shipmentId) }]));
}

function idsOf(drafts: readonly LookDraft[]): string[] {
  return drafts.map(({ work }) => work.subject.shipmentId);
}

function endOf({ work, outcome, plan, readingHash }: LookStep) {
  const answerHash = answerHashOf(work.look);
  const end = pollingOutcomeOf(work, {
    plan,
    readingHash,
    answerHash,
    changed: outcome === 'changed',
    traceId: work.traceId,
  });
  return { shipmentId: work.subject.shipmentId, ...end };
}

async function writeNews(tx: Tx, accountId: string, steps: readonly LookStep[]): Promise<void> {
  const inserts = steps.flatMap(({ work, news }) =>
    (news?.inserts ?? []).map((event) => ({ ...event, shipmentId: work.subject.shipmentId })),
  );
  await insertEventsOf(tx, accountId, inserts);
  await supersedeEvents(
    tx,
    accountId,
    steps.flatMap(({ news }) => news?.superseded ?? []),
  );
  const rejected = steps.flatMap(({ work: { subject, look }, news }) => {
    if (news === null || look.outcome !== 'found') return [];
    return look.reading.rejected.map((one) => ({ ...one, shipmentId: subject.shipmentId }));
  });
  await insertRejectedEventsOf(tx, accountId, rejected);
}

function keptOf({ work: { subject, look, traceId }, outcome, news }: LookStep) {
  return {
    shipmentId: subject.shipmentId,
    outcome,
    eventsAdded: news?.inserts.length ?? 0,
    reason: reasonOf(look),
    httpStatus: look.httpStatus,
    durationMs: look.durationMs,
    source: sourceOfLook(look),
    traceId,
  };
}
