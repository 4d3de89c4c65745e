import type { FetchResult, RefreshOutcome, Shipment } from '#shared/domain/shipments/shipment.ts';
import type { CadenceResult } from '#shared/domain/tracking/cadence.ts';
import type { TrackingEvent } from '#shared/domain/tracking/event.ts';
import { composeFrom } from '#shared/domain/tracking/journey.ts';
import type { Work } from './fetched-refresh.ts';
import { findVisibleChanges } from './journey-changes.ts';
import type { Publication } from './publish-journey.ts';
import { scheduleNextRefresh } from './schedule-next-refresh.ts';
import { type News, takeInReading } from './take-in-reading.ts';

/** What a refresh does. `publication` null: nothing that anybody sees. */
export type RefreshStep = {
  work: Work;
  outcome: RefreshOutcome;
  plan: CadenceResult;
  news: News | null;
  /** Null keeps the last one. */
  readingHash: string | null;
  publication: Publication | null;
};

/** A refresh before its shipment is locked: what it needs of the database, and the step that this then makes. */
export type RefreshDraft = {
  work: Work;
  needsShipment: boolean;
  needsEvents: boolean;
  /** Null: it needs a shipment, and there is none. */
  step: (shipment: Shipment | null, stored: readonly TrackingEvent[]) => RefreshStep | null;
};

export function draftRefresh(work: Work): RefreshDraft {
  const { refresh, isSameReading, eligible } = work;
  if (refresh.outcome === 'found' && (!isSameReading || eligible)) {
    return {
      work,
      needsShipment: true,
      needsEvents: true,
      step: (shipment, stored) => shipment && readingStep({ work, refresh, shipment, stored }),
    };
  }
  const { subject } = work;
  const outcome: RefreshOutcome = refresh.outcome === 'found' ? 'unchanged' : refresh.outcome;
  const plan = scheduleNextRefresh(work, { journey: subject.journey, outcome });
  const isVisible = plan.state !== subject.polling.state || plan.reason !== subject.polling.reason;
  if (!isVisible && !eligible) {
    const step: RefreshStep = { work, outcome, plan, news: null, readingHash: null, publication: null };
    return { work, needsShipment: false, needsEvents: false, step: () => step };
  }
  return {
    work,
    needsShipment: true,
    needsEvents: eligible,
    step: (shipment, stored) => shipment && quietStep({ work, outcome, plan, shipment, stored }),
  };
}

/**
 * Nothing new from the carrier: the journey stays, unless one of its events begins to count while the carrier is away. Only that and a
 * changed tracking state are visible. The hash stays as it is: it may have been forgotten meanwhile, for the next answer to be read in full.
 */
function quietStep(quiet: {
  work: Work;
  outcome: RefreshOutcome;
  plan: CadenceResult;
  shipment: Shipment;
  stored: readonly TrackingEvent[];
}): RefreshStep {
  const { work, outcome, plan, shipment, stored } = quiet;
  const { journey, statusChangedAt } = work.eligible ? composeFrom(stored, shipment, work.nowMs) : shipment;
  const visible = findVisibleChanges(
    { journey: shipment.journey, tracking: shipment.tracking },
    { journey, tracking: plan },
  );
  const context = { events: stored, addedIds: [] };
  const { traceId, traceparent } = work;
  const journeyText = work.ctx.journeyText?.(journey) ?? null;
  const publication = { shipment, journey, journeyText, statusChangedAt, visible, context, traceId, traceparent };
  return { work, outcome, plan, news: null, readingHash: null, publication };
}

function readingStep(read: {
  work: Work;
  refresh: FetchResult & { outcome: 'found' };
  shipment: Shipment;
  stored: readonly TrackingEvent[];
}): RefreshStep {
  const { work, refresh, shipment, stored } = read;
  const { nowMs, traceId, traceparent } = work;
  // What the client said is no word of the carrier: its readings neither repeat nor replace it.
  const clientEvents = stored.filter((event) => event.source === 'client');
  const carrierEvents = stored.filter((event) => event.source !== 'client');
  const news = takeInReading(carrierEvents, refresh.reading, nowMs);
  const events = [...news.events, ...clientEvents];
  const { journey, statusChangedAt } = composeFrom(events, shipment, nowMs);
  const changed =
    news.inserts.length > 0 ||
    news.superseded.length > 0 ||
    journey.status !== shipment.journey.status ||
    journey.nextEligibleAt !== shipment.journey.nextEligibleAt;
  const outcome: RefreshOutcome = changed ? 'changed' : 'unchanged';
  const plan = scheduleNextRefresh(work, { journey, outcome });
  const visible = findVisibleChanges(
    { journey: shipment.journey, tracking: shipment.tracking },
    { journey, tracking: plan },
  );
  const context = { events, addedIds: news.inserts.map(({ event }) => event.id) };
  const step = { work, outcome, plan, news, readingHash: work.readingHash };
  if (!changed && visible.length === 0) return { ...step, publication: null };
  const journeyText = work.ctx.journeyText?.(journey) ?? null;
  return {
    ...step,
    publication: { shipment, journey, journeyText, statusChangedAt, visible, context, traceId, traceparent },
  };
}
