import { setImmediate as turn } from 'node:timers/promises';

/** Reading gives way to other requests after this time. */
const sliceMs = 10;

/** A function to await between steps of a long computation: it lets other requests run when a slice of time is over. */
export function createGiveWay(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await turn();
    since = performance.now();
  };
}
