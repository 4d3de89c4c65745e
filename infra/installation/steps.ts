import process from 'node:process';

/** Prints one line of progress. */
export function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

/** Runs a step and prints it with a tick and its milliseconds, or with a cross if it fails. */
export async function step<T>(
  name: string,
  run: () => T | Promise<T>,
  describe: (result: T) => string = () => name,
): Promise<T> {
  const startedAt = performance.now();
  try {
    const result = await run();
    say(`✓ ${describe(result).padEnd(44)} ${String(Math.round(performance.now() - startedAt)).padStart(5)} ms`);
    return result;
  } catch (error) {
    say(`✗ ${name}`);
    throw error;
  }
}
