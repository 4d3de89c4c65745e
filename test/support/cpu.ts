import process from 'node:process';

/** The CPU time of this thread while `work` runs, in milliseconds. Other processes don't change it. */
export async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
