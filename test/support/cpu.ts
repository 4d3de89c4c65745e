import process from 'node:process';

const sampleText = JSON.stringify(
  Array.from({ length: 4000 }, (_, place) => ({ id: `shp_${place}`, status: 'in_transit', tags: ['a', 'b'], place })),
);
const sampleRuns = 4;
/** CPU time of these runs on the machine on which the limits were set, when nothing else ran on it. */
const referenceMs = 5.8;
/** Less is below every limit, however slow the machine. */
const worthComparingMs = 10;

/**
 * The CPU time of this thread while `work` runs, in milliseconds of the reference machine: a slower machine, or one
 * whose cores are shared, takes longer for the sample, too.
 */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return onReferenceMachine((user + system) / 1000);
}

export function onReferenceMachine(ms: number, leastMs = worthComparingMs): number {
  if (ms < leastMs) return ms;
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < sampleRuns; turn++) JSON.parse(sampleText);
  const { user, system } = process.threadCpuUsage(before);
  return ms / Math.max(1, (user + system) / 1000 / referenceMs);
}

/** The longest CPU time of this thread, in the same milliseconds, before other work got its turn while `work` ran. */
export async function maxSliceMsOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  let before = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return onReferenceMachine(longest);
}

const maxMeasurements = 4;

/**
 * The least of a few measurements; the first within the limit ends them. The first may pay for compiling or for the
 * garbage of another test, and another process may slow down the work but not the sample after it.
 */
export async function leastMsOf(limitMs: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < maxMeasurements && least > limitMs; time++) least = Math.min(least, await measure());
  return least;
}
