import { freshnessOf } from '#shared/domain/record/freshness.ts';
import { lateFrom, overdueFrom, overdueHoursAt } from '#shared/domain/record/lateness.ts';
import { needsAttentionAt } from '#shared/domain/record/needs-attention.ts';
import type { Journey, Shipment, Tracking } from '#shared/domain/record/shipment.ts';
import type { PollingOutcome } from '#shared/store/tracking/refreshes.ts';
import type { JourneyWrite } from './publish-journeys.ts';

/** `nowUs`: the transaction's time, in microseconds since 1970. */
export type WrittenBy = { end: PollingOutcome; trackingSince: string; nowUs: number };

/**
 * The shipment as it will be read after `finishClaims` and `updateJourneys` in this transaction, so that the feed's
 * snapshot needs no second read.
 */
export function predictShipment(
  { shipment, journey, statusChangedAt }: JourneyWrite,
  { end, trackingSince, nowUs }: WrittenBy,
): Shipment {
  const nowMs = nowUs / 1000;
  const late = lateFrom(journey, shipment.transportMode);
  const tracking = trackingAfter(shipment.tracking, end, nowUs);
  return {
    ...shipment,
    journey,
    statusChangedAt: statusChangedAt === null ? null : new Date(statusChangedAt).toISOString(),
    overdueHours: overdueHoursAt(journey, nowMs),
    late: late !== null && (late === '-infinity' || Date.parse(late) <= nowMs),
    tracking,
    needsAttention: isDecidedAgain(shipment, { journey, tracking })
      ? needsAttentionAt(
          { ...tracking, hasException: journey.hasException, trackingSince, overdueAt: overdueAtOf(shipment, journey) },
          nowMs,
        )
      : shipment.needsAttention,
    // Stored in milliseconds, which PostgreSQL rounds. The other times are read as whole milliseconds.
    updatedAt: isoOf(Math.round(nowMs)),
    version: shipment.version + 1,
  };
}

function trackingAfter(before: Tracking, end: PollingOutcome, nowUs: number): Tracking {
  const afterS = (seconds: number) => isoOf((nowUs + Math.round(seconds * 1_000_000)) / 1000);
  const now = afterS(0);
  const { state, reason, consecutiveFailures, traceId, traceKept, nextRefreshInS, staleInS } = end;
  const lastSucceededAt = end.succeeded ? now : before.lastSucceededAt;
  return {
    ...before,
    state,
    reason,
    freshness: freshnessOf({ state, lastSucceededAt, staleInMs: staleInS === null ? null : staleInS * 1000 }),
    source: end.source ?? before.source,
    lastRefreshedAt: now,
    lastSucceededAt,
    lastChangedAt: end.changed ? now : before.lastChangedAt,
    nextRefreshAt: nextRefreshInS === null ? null : afterS(nextRefreshInS),
    consecutiveFailures,
    traceId,
    traceKept,
  };
}

/** The database decides again when one of these changes; otherwise it keeps what it decided before. */
function isDecidedAgain(before: Shipment, after: Pick<Shipment, 'journey' | 'tracking'>): boolean {
  const mode = before.transportMode;
  return (
    before.tracking.state !== after.tracking.state ||
    before.tracking.reason !== after.tracking.reason ||
    before.journey.hasException !== after.journey.hasException ||
    overdueFrom(before.journey) !== overdueFrom(after.journey) ||
    lateFrom(before.journey, mode) !== lateFrom(after.journey, mode)
  );
}

/** From when on an overdue shipment needs attention: when it is late, at the earliest when it is overdue. */
function overdueAtOf({ transportMode }: Shipment, journey: Journey): string | null {
  const overdue = overdueFrom(journey);
  const late = lateFrom(journey, transportMode);
  if (overdue === null || late === null || late === '-infinity') return overdue;
  return Date.parse(late) > Date.parse(overdue) ? late : overdue;
}

function isoOf(ms: number): string {
  return new Date(Math.floor(ms)).toISOString();
}
