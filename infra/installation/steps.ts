import process from 'node:process';

/** Prints one line of progress. */
export function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** Runs a step and prints a tick and its milliseconds, or a cross if it fails. An aborted step prints nothing. */
export async function step<T>(
  name: string,
  run: () => T | Promise<T>,
  describe: (result: T) => string = () => name,
  signal?: AbortSignal,
): Promise<T> {
  const startedAt = performance.now();
  try {
    const result = await run();
    say(`✓ ${describe(result).padEnd(44)} ${String(Math.round(performance.now() - startedAt)).padStart(5)} ms`);
    return result;
  } catch (error) {
    if (signal?.aborted !== true) say(`✗ ${name}`);
    throw error;
  }
}
