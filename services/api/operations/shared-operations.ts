import { withDeadline } from '#shared/async/deadline.ts';
import { readOperations } from '#shared/core/operations/read-operations.ts';
import { countQueued } from '#shared/core/tracking/measure-work.ts';
import type { OperationsState } from '#shared/domain/operations/operations.ts';
import type { ApiContext } from '../context.ts';

/** Whoever looks within it sees the same moment, so that many readers cost as much as one. */
const sharedForMs = 2000;
const queueDeadlineMs = 1000;

/** How the installation does, read once for all who ask at the same time. */
export function sharedOperations({ core, producer }: ApiContext): () => Promise<OperationsState> {
  let shared: { atMs: number; state: Promise<OperationsState> } | null = null;
  return () => {
    const nowMs = performance.now();
    if (shared === null || nowMs - shared.atMs >= sharedForMs) {
      const state = readOperations(core, () => countInTime(producer));
      state.catch(() => {
        shared = null;
      });
      shared = { atMs: nowMs, state };
    }
    return shared.state;
  };
}

/** An unavailable queue must not hide what the database knows. */
function countInTime(producer: ApiContext['producer']) {
  return withDeadline(countQueued(producer), queueDeadlineMs, 'The queue is slow.');
}
