import { countTroubled } from './answer-sentence.ts';
import type { WireOperations } from './operations-types.ts';

/** The numbers of one moment that are drawn over time. */
export type Sample = {
  at: number;
  oldestDueS: number;
  callsPerMinute: number;
  troubled: number;
  failedRefreshes: number;
  feedAgeS: number;
};

const mostSamples = 240;
let samples: readonly Sample[] = [];

/** The service keeps no history of these, so the page remembers what it saw since it was opened. */
export function seenSamples(): readonly Sample[] {
  return samples;
}

/** The same moment is kept once. */
export function keepSample(state: WireOperations): void {
  samples = withSample(samples, state);
}

export function withSample(before: readonly Sample[], state: WireOperations): readonly Sample[] {
  const at = Date.parse(state.as_of);
  if (before.at(-1)?.at === at) return before;
  const sample: Sample = {
    at,
    oldestDueS: state.due.oldest_age_s,
    callsPerMinute: state.calls_per_minute,
    troubled: countTroubled(state),
    failedRefreshes: countFailed(state),
    feedAgeS: Math.max(state.feed_age_s, state.delivery_age_s),
  };
  return [...before, sample].slice(-mostSamples);
}

/** Refreshes that failed although the carrier was asked; a number that it does not know yet is no failure. */
export function countFailed({ failures }: Pick<WireOperations, 'failures'>): number {
  return failures.reduce(
    (sum, { refreshes, asked, reason }) => (asked && reason !== 'carrier_not_found_yet' ? sum + refreshes : sum),
    0,
  );
}
