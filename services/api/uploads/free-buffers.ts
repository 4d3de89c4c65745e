import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;

/** Bytes of bodies between two collections, each of which takes a few milliseconds. */
const everyBytes = 8 * 1024 ** 2;

let passed = 0;
let collect: Collect | null = null;

/**
 * Counts bytes of a body whose buffers nothing refers to any more, and frees them. Their objects are few and small, so
 * that V8 starts a collection of its own only after some 64 MB of them. They are young, and their collection is short.
 */
export function freeBuffers(bytes: number): void {
  passed += bytes;
  if (passed < everyBytes) return;
  passed = 0;
  collect ??= openCollect();
  collect({ type: 'minor' });
}

function openCollect(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
