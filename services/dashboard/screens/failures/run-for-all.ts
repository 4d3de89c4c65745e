import { ProblemError } from '../../api/problem-error.ts';

/** What became of a verb that many shipments were asked for. `skipped`: it was not the time for it; `refused`: why, and how many. */
export type Tally = { done: number; skipped: number; refused: Map<string, number>; of: number };

const atOnce = 4;
const mostTurns = 5;
const pauseMs = 2000;
const notNow = ['refresh_too_soon', 'invalid_state'];

/** Runs a verb for each, a few at a time, and tells after each how far it is. Never throws: one refusal stops no other. */
export async function runForAll(
  ids: readonly string[],
  verb: (id: string) => Promise<unknown>,
  { onProgress, wait = pause }: { onProgress: (tally: Tally) => void; wait?: (ms: number) => Promise<void> },
): Promise<Tally> {
  const tally: Tally = { done: 0, skipped: 0, refused: new Map(), of: ids.length };
  const waiting = [...ids];
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      count(tally, await outcomeOf(id, verb, wait));
      onProgress({ ...tally });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return tally;
}

/** Null: it was done; else the problem. A limit on requests is waited out. */
async function outcomeOf(
  id: string,
  verb: (id: string) => Promise<unknown>,
  wait: (ms: number) => Promise<void>,
): Promise<unknown> {
  for (let turn = 1; ; turn++) {
    try {
      await verb(id);
      return null;
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'rate_limited') || turn === mostTurns) return error;
      await wait(pauseMs * turn);
    }
  }
}

function count(tally: Tally, problem: unknown): void {
  if (problem === null) tally.done += 1;
  else if (problem instanceof ProblemError && notNow.includes(problem.code)) tally.skipped += 1;
  else {
    const why = problem instanceof Error ? problem.message : String(problem);
    tally.refused.set(why, (tally.refused.get(why) ?? 0) + 1);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What happened, in one sentence that hides nothing. */
export function tallyWords(tally: Tally, { doing, done }: { doing: string; done: string }): string {
  const refused = [...tally.refused.values()].reduce((sum, each) => sum + each, 0);
  const told = tally.done + tally.skipped + refused;
  if (told < tally.of) return `${doing} ${told.toLocaleString('en')} of ${tally.of.toLocaleString('en')}`;
  const parts = [`${tally.done.toLocaleString('en')} ${done}`];
  if (tally.skipped > 0)
    parts.push(`${tally.skipped.toLocaleString('en')} left: asked for less than 10 minutes ago, or under way already`);
  for (const [why, times] of tally.refused) parts.push(`${times.toLocaleString('en')} refused: ${why}`);
  return `${parts.join('. ')}.`;
}
