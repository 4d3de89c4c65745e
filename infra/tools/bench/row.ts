import type { Bench } from './bench.ts';

/** The cost of one side of a comparison; medians over the rounds. */
export type Measurement = {
  operationsPerS: number;
  /** CPU time of the serving process only, across all its threads, in microseconds. */
  cpuPerOperationUs: number;
  /** CPU time of all PostgreSQL processes, in microseconds. Absent where it isn't compared or can't be read. */
  databaseCpuPerOperationUs?: number;
  p50Ms: number;
  p99Ms: number;
  /** Resident memory of the serving process at the end of the measurement, in MB. */
  rssMb: number;
};

/** The required `ratio`. */
export type Goal = { atLeast: number } | { atMost: number };

/** One line of the report. */
export type Result = {
  work: string;
  baseline: string;
  /** Number that the ratio compares, and its direction. */
  compares: string;
  ratio: number;
  /** The lowest and the highest of the single rounds. */
  spread: [number, number];
  goal: Goal;
  product: Measurement;
  baselineCost: Measurement;
};

/** A row of the benchmark: prepares, measures product and baseline in turn, and returns the results. */
export type Row = { name: string; measure: (bench: Bench) => Promise<Result[]> };

export function meetsGoal({ ratio, goal }: Pick<Result, 'ratio' | 'goal'>): boolean {
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}
