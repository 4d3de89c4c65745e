import { LRUCache } from 'lru-cache';
import { settlesWithin } from '#shared/async/deadline.ts';
import { type FairQueue, fairQueue } from '#shared/async/fair-queue.ts';
import type { HeldEndpoint } from '#shared/core/webhooks/claim-endpoints.ts';
import type { DeliveryOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';

export type DeliveryPermits = {
  /** Sends at the account's turn. Throws an `AbortError` when the signal aborts before. */
  run: (
    endpoint: Pick<HeldEndpoint, 'accountId' | 'endpointId'>,
    send: () => Promise<DeliveryOutcome | null>,
    signal: AbortSignal,
  ) => Promise<DeliveryOutcome | null>;
};

/** A request that takes longer leaves its permit to others. */
const quickMs = 1000;
/** Endpoints whose last response was slow. Those forgotten are found out again. */
const maxSlow = 10_000;
const maxTimerMs = 2 ** 31 - 1;

/**
 * The permits of a process for requests. Accounts take turns, and one alone gets at most half of them. Nobody holds one for
 * more than a second: a request that takes longer goes on without, and its endpoint gets one of as many slow permits
 * until it responds in time. So receivers that respond after 29 s keep each other waiting, and nobody else. There are
 * never more than three times `count` requests.
 */
export function openDeliveryPermits(count: number): DeliveryPermits {
  const quick = openTurns(count);
  const slow = openTurns(count);
  const slowEndpoints = new LRUCache<string, true>({ max: maxSlow });
  let overtime = 0;

  return {
    run: async ({ accountId, endpointId }, send, signal) => {
      const timed = async (): Promise<DeliveryOutcome | null> => {
        const outcome = await send();
        const latencyMs = outcome?.latencyMs ?? null;
        if (latencyMs !== null && latencyMs < quickMs) slowEndpoints.delete(endpointId);
        return outcome;
      };
      let sending: Promise<DeliveryOutcome | null> | null = null;
      const atQuickPlace = async (): Promise<void> => {
        // It has become slow while this one waited.
        if (slowEndpoints.has(endpointId)) return;
        sending = timed();
        if (await settlesWithin(sending, quickMs)) return;
        slowEndpoints.set(endpointId, true);
        if (overtime >= count) {
          await settled(sending);
          return;
        }
        overtime += 1;
        void settled(sending).then(() => {
          overtime -= 1;
        });
      };
      if (!slowEndpoints.has(endpointId)) await quick.run(accountId, atQuickPlace, signal);
      return sending ?? slow.run(accountId, timed, signal);
    },
  };
}

function settled(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    () => undefined,
  );
}

function openTurns(permits: number): FairQueue {
  const ended = (): Error => new DOMException('The delivery was not sent.', 'AbortError');
  return fairQueue({
    maxRunning: permits,
    maxRunningOfKey: Math.max(1, Math.ceil(permits / 2)),
    maxWaitingOfKey: Number.MAX_SAFE_INTEGER,
    maxWaitMs: maxTimerMs,
    refusal: ended,
    cancellation: ended,
  });
}
