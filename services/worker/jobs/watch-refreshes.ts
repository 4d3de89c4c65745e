export type RefreshWatch = {
  /** Notes that this worker has recorded a refresh. */
  completed: () => void;
  /** Since this worker recorded a refresh or started, in seconds. */
  completedAgeS: () => number;
  /** Measures whether the refreshes of the installation have stopped. */
  check: () => Promise<undefined>;
  /** Returns the time in seconds for which they have not completed. Null: they complete. */
  stalledS: () => number | null;
  /** Returns the reason why this worker isn't ready; null if refreshes complete. */
  obstacle: () => string | null;
};

/** `measure`: as `measureStall`, given the age of this worker's last refresh. If it fails, its last result stands. */
export function createRefreshWatch(
  measure: (completedAgeS: number) => Promise<number | null>,
  nowMs: () => number = () => performance.now(),
): RefreshWatch {
  let completedAtMs = nowMs();
  let measured: number | null = null;
  const completedAgeS = (): number => (nowMs() - completedAtMs) / 1000;
  return {
    completed: () => {
      completedAtMs = nowMs();
    },
    completedAgeS,
    check: async () => {
      measured = await measure(completedAgeS());
      return undefined;
    },
    stalledS: () => measured,
    obstacle: () => (measured === null ? null : `due, but nothing completes: no refresh for ${Math.round(measured)} s`),
  };
}
