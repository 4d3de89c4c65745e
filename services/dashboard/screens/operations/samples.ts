import { countTroubled } from './answer-sentence.ts';
import type { WireOperations } from './operations-state.ts';

/** The numbers of one moment, for the trend lines. */
export type Sample = {
  at: number;
  oldestDueS: number;
  callsPerMinute: number;
  troubled: number;
  failedRefreshes: number;
  feedAgeS: number;
};

const maxSamples = 240;
let samples: readonly Sample[] = [];

/** The samples since the page was opened. The service keeps no history of these numbers. */
export function seenSamples(): readonly Sample[] {
  return samples;
}

/** Keeps each moment once. */
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
    feedAgeS: state.feed_age_s,
  };
  return [...before, sample].slice(-maxSamples);
}

/** Failed refreshes that called the carrier. A number that the carrier does not know yet is not a failure. */
export function countFailed({ failures }: Pick<WireOperations, 'failures'>): number {
  return failures.reduce(
    (sum, { refreshes, asked, reason }) => (asked && reason !== 'carrier_not_found_yet' ? sum + refreshes : sum),
    0,
  );
}
