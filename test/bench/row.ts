import type { Bench } from './bench.ts';

/** What one side of a comparison cost; medians over the rounds. */
export type Measurement = {
  operationsPerS: number;
  /** CPU time of the serving process alone, all its threads, in microseconds. */
  cpuPerOperationUs: number;
  p50Ms: number;
  p99Ms: number;
  /** Resident memory of the serving process at the end of the window, in MB. */
  rssMb: number;
};

/** What `ratio` must be. */
export type Goal = { atLeast: number } | { atMost: number };

/** One line of the report. */
export type Result = {
  work: string;
  baseline: string;
  /** Which of the numbers the ratio compares, and which way. */
  compares: string;
  ratio: number;
  /** The lowest and the highest of the single rounds. */
  spread: [number, number];
  goal: Goal;
  product: Measurement;
  baselineCost: Measurement;
};

/** A row of the bench: prepares, measures product and baseline in turn, and gives what it found. */
export type Row = { name: string; measure: (bench: Bench) => Promise<Result[]> };

export function meetsGoal({ ratio, goal }: Pick<Result, 'ratio' | 'goal'>): boolean {
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}
