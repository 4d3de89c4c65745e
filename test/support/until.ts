import { scaled } from './run-scale.ts';

/**
 * The longest wait for something that must happen. It only decides how long a failing test takes: a busy machine must
 * not fail a test that would pass.
 */
export const patienceMs = scaled({ short: 120_000, full: 1_800_000 });

const minPauseMs = 50;
/** Slow conditions are checked less often, so that the checks don't use the CPU that the condition needs. */
const maxPauseMs = 250;

/**
 * Asks again until the answer satisfies, for effects in another process that announces nothing. Rejects with the last
 * answer, so that a failure shows what was seen instead.
 */
export async function until<T>(ask: () => Promise<T>, satisfies: (answer: T) => boolean): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(pauseMs * 1.1, maxPauseMs)) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (Date.now() > deadline)
      throw new Error(`not seen within ${patienceMs} ms; last seen: ${JSON.stringify(answer)?.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Asks until the answer satisfies and returns how many ms after this call the last other answer was asked for: 0 if
 * there was none. Unlike the time until the answer, a busy machine does not change it.
 */
export async function lastAskedBefore<T>(ask: () => Promise<T>, satisfies: (answer: T) => boolean): Promise<number> {
  const startedAt = performance.now();
  let lastAskedMs = 0;
  await until(async () => {
    const askedMs = performance.now() - startedAt;
    const answer = await ask();
    if (!satisfies(answer)) lastAskedMs = askedMs;
    return answer;
  }, satisfies);
  return lastAskedMs;
}
