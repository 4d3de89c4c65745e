import type { Measurement } from './row.ts';

export type Sides<Name extends string, Measured extends Measurement = Measurement> = Record<
  Name,
  () => Promise<Measured>
>;

/** Every measurement of every side, in the order of the rounds. */
export type Rounds<Name extends string, Measured extends Measurement = Measurement> = Record<Name, Measured[]>;

/**
 * Measures the sides in turn, round after round, so that background load on the machine affects all of them. One extra
 * round at the start warms everything up and is discarded.
 */
export async function interleave<Name extends string, Measured extends Measurement = Measurement>(
  rounds: number,
  sides: Sides<Name, Measured>,
): Promise<Rounds<Name, Measured>> {
  const names = Object.keys(sides) as Name[];
  const kept = Object.fromEntries(names.map((name) => [name, []])) as unknown as Rounds<Name, Measured>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const measurement = await sides[name]();
      if (round > 0) kept[name].push(measurement);
    }
  }
  return kept;
}

/** The middle value, or the mean of the two middle values if the count is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('the median of an empty list is undefined');
  return (upper + lower) / 2;
}

/** The medians of one side, number by number. */
export function medians(rounds: readonly Measurement[]): Measurement {
  const of = (field: Exclude<keyof Measurement, 'databaseCpuPerOperationUs'>) =>
    median(rounds.map((round) => round[field]));
  const ofDatabase = rounds.flatMap((round) => round.databaseCpuPerOperationUs ?? []);
  return {
    operationsPerS: of('operationsPerS'),
    cpuPerOperationUs: of('cpuPerOperationUs'),
    ...(ofDatabase.length === 0 ? {} : { databaseCpuPerOperationUs: median(ofDatabase) }),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    rssMb: of('rssMb'),
  };
}

/** `divide` applied to each round's two measurements: the median, the lowest and the highest. */
export function compareRounds<Measured extends Measurement>(
  product: readonly Measured[],
  baseline: readonly Measured[],
  divide: (product: Measured, baseline: Measured) => number,
): { ratio: number; spread: [number, number] } {
  const ratios = product.map((measurement, round) => {
    const other = baseline[round];
    if (other === undefined) throw new Error('product and baseline were not measured equally often');
    return divide(measurement, other);
  });
  return { ratio: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)] };
}
