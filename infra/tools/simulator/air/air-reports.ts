import type { Truth } from '../carrier-route.ts';
import type { PlayedNow } from '../freight-world.ts';
import type { AirJourney, AirMilestone } from './air-journey.ts';

export type AirClassifier = 'planned' | 'estimated' | 'actual';

/** A status report that the airline has published. Times in epoch ms. */
export type AirReport = { milestone: AirMilestone; classifier: AirClassifier; timeMs: number; publishedMs: number };

/**
 * The airline's reports about a shipment up to a virtual moment, oldest first. `startMs` is the time of booking (both
 * in epoch ms).
 */
export function airReportsAt(journey: AirJourney, startMs: number, virtualMs: number): AirReport[] {
  const reports = journey.milestones.flatMap((milestone) =>
    (['plan', 'estimate', 'actual'] as const).flatMap((kind): AirReport[] => {
      const published = milestone[kind];
      if (published === null) return [];
      const classifier = kind === 'plan' ? 'planned' : kind === 'estimate' ? 'estimated' : 'actual';
      return [
        { milestone, classifier, timeMs: startMs + published.timeMs, publishedMs: startMs + published.publishedMs },
      ];
    }),
  );
  return reports
    .filter((report) => report.publishedMs <= virtualMs)
    .sort((one, other) => one.publishedMs - other.publishedMs || one.timeMs - other.timeMs);
}

/** Counts the pieces that these milestones have handed over. */
export function deliveredPieces(milestones: readonly Pick<AirMilestone, 'code' | 'pieces'>[]): number {
  return milestones.reduce((sum, { code, pieces }) => (code === 'DLV' ? sum + pieces : sum), 0);
}

/** The actual events of an air waybill, limited to the statuses that its carrier publishes. */
export function airTruth(
  { journey, startMs, virtualMs }: PlayedNow<AirJourney>,
  isPublished: (code: string) => boolean,
): Truth {
  const past = journey.milestones.filter(
    ({ code, actual }) => actual !== null && isPublished(code) && startMs + actual.publishedMs <= virtualMs,
  );
  const done = past.map(({ code, station, actual }) => ({
    code,
    place: station.iata,
    at: new Date(startMs + (actual?.timeMs ?? 0)).toISOString(),
    container: null,
  }));
  const has = (code: string, iata: string) => done.some((each) => each.code === code && each.place === iata);
  const { origin, destination } = journey;
  const status =
    deliveredPieces(past) >= journey.pieces
      ? 'delivered'
      : has('NFD', destination.iata)
        ? 'available_for_pickup'
        : has('ARR', destination.iata)
          ? 'arrived'
          : has('DEP', origin.iata)
            ? 'in_transit'
            : done.length > 0
              ? 'booked'
              : 'pending';
  return { status, events: done };
}
