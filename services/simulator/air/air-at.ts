import type { AirJourney, AirMilestone } from './air-journey.ts';

export type AirClassifier = 'planned' | 'estimated' | 'actual';

/** Something that the airline has said; times in epoch ms. */
export type AirWord = { milestone: AirMilestone; classifier: AirClassifier; timeMs: number; publishedMs: number };

/** What the airline has said of a shipment by a virtual moment, oldest first. `startMs` is when it was booked (epoch ms both). */
export function airWordsAt(journey: AirJourney, startMs: number, virtualMs: number): AirWord[] {
  const words = journey.milestones.flatMap((milestone) =>
    (['plan', 'estimate', 'actual'] as const).flatMap((kind): AirWord[] => {
      const said = milestone[kind];
      if (said === null) return [];
      const classifier = kind === 'plan' ? 'planned' : kind === 'estimate' ? 'estimated' : 'actual';
      return [{ milestone, classifier, timeMs: startMs + said.timeMs, publishedMs: startMs + said.publishedMs }];
    }),
  );
  return words
    .filter((word) => word.publishedMs <= virtualMs)
    .sort((one, other) => one.publishedMs - other.publishedMs || one.timeMs - other.timeMs);
}
