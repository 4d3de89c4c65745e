import { expect, it } from 'vitest';
import { createYield, runSteps, takeTurn } from '#shared/async/yield-event-loop.ts';

/** More than a slice. */
function compute(): void {
  const end = performance.now() + 12;
  while (performance.now() < end);
}

it('continues with one computation in each turn of the event loop, for any number of them', async () => {
  const wentOn: string[][] = [[]];
  const note = (name: string) => wentOn.at(-1)?.push(name);
  function* steps(name: string): Generator<void, string> {
    for (let step = 0; step < 4; step++) {
      note(name);
      compute();
      yield;
    }
    return name;
  }
  const inALoop = async () => {
    const yieldIfDue = createYield();
    for (let step = 0; step < 4; step++) {
      note('loop');
      compute();
      await yieldIfDue();
    }
    return 'loop';
  };
  const afterATurn = async () => {
    await takeTurn();
    return runSteps(steps('third'));
  };
  let isDone = false;
  const watch = () => {
    wentOn.push([]);
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  const results = await Promise.all([runSteps(steps('first')), runSteps(steps('second')), inALoop(), afterATurn()]);
  isDone = true;
  expect(results).toEqual(['first', 'second', 'loop', 'third']);
  // These begin in the turn of their caller.
  expect(wentOn[0]).toEqual(['first', 'second', 'loop']);
  const later = wentOn.slice(1);
  expect(Math.max(...later.map((names) => names.length))).toBe(1);
  const counts = Map.groupBy(later.flat(), (name) => name);
  expect([...counts].map(([name, times]) => [name, times.length]).sort()).toEqual([
    ['first', 3],
    ['loop', 3],
    ['second', 3],
    ['third', 4],
  ]);
});
