import { setImmediate as nextTurn } from 'node:timers/promises';

/** A long computation gives way to other work after this time. */
const sliceMs = 10;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Computations take turns: in each turn of the event loop, one of them goes on, so that many delay others as one does.
 * One that is known to take milliseconds waits for its turn before it begins.
 */
export function takeTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/** A function to await between steps of a long computation: it lets other work run when a slice of time is over. */
export function createYield(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await takeTurn();
    since = performance.now();
  };
}

/** Runs a computation that yields between its steps, and gives way to other work in between. */
export async function runSteps<Result>(steps: Generator<void, Result>): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    // Awaiting each of a thousand short steps would cost more than the steps.
    if (performance.now() - since < sliceMs) continue;
    await takeTurn();
    since = performance.now();
  }
}
