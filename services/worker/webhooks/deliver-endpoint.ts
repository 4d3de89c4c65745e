import { sleep } from '#shared/async/sleep.ts';
import type { HeldEndpoint } from '#shared/core/webhooks/claim-endpoints.ts';
import { isUnavailable } from '#shared/domain/errors.ts';
import { type DeliveryOutcome, unsentOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { FailureReason } from '#shared/domain/webhooks/endpoint.ts';
import { isFailingTooLong } from '#shared/domain/webhooks/tries.ts';
import { deliverChanges } from './deliver-changes.ts';
import { deliverWaiting } from './deliver-waiting.ts';
import type { DeliverContext, EndpointRun } from './endpoint-run.ts';
import { openLane } from './lane.ts';
import type { PreparedChange } from './prepared-changes.ts';
import { openProgress } from './progress.ts';
import { tryDelivery } from './try-delivery.ts';

export type RunningEndpoint = {
  endpoint: HeldEndpoint;
  /** Another worker has it. */
  lose: () => void;
  /** The lease was renewed by a call that began then (`performance.now()`). */
  renewed: (startedAtMs: number) => void;
  done: Promise<void>;
};

/** Requests of one endpoint at the same time. */
const maxRequests = 8;
/** After so many failures in a row, an endpoint gets one request at a time, so that it takes few permits of others. */
const manyFailures = 8;
const turnMs = 5000;

/** Delivers to one endpoint what it has to get. `stopping`: no more deliveries begin. `aborting`: requests end. */
export function runEndpoint(
  ctx: DeliverContext,
  endpoint: HeldEndpoint,
  { stopping, aborting }: { stopping: AbortSignal; aborting: AbortSignal },
): RunningEndpoint {
  const ending = new AbortController();
  const turnEndsAtMs = performance.now() + turnMs;
  let failuresInRow = endpoint.consecutiveFailures;
  let isDisabled = false;
  let disabling: Promise<void> | undefined;

  const lose = (): void => ending.abort();
  const disable = (reason: FailureReason): void => {
    isDisabled = true;
    disabling ??= ctx.disable(endpoint, reason);
    // It is awaited only when the requests have ended. A rejection that nobody handles until then ends the process.
    disabling.catch(() => undefined);
  };
  const progress = openProgress({
    endpoint,
    record: ctx.record,
    onLost: lose,
    onRecorded: ({ enabled, failingForS, consecutiveFailures }) => {
      if (!enabled) isDisabled = true;
      if (consecutiveFailures > 0 && isFailingTooLong(failingForS)) disable('failing');
    },
  });
  const isEnding = (): boolean =>
    isDisabled ||
    stopping.aborted ||
    ending.signal.aborted ||
    performance.now() >= Math.min(turnEndsAtMs, progress.heldUntilMs());

  const lane = openLane(() => (failuresInRow >= manyFailures ? 1 : maxRequests));
  const pace = openPace(endpoint.ratePerSecond);
  /** Null: there is nothing to send, or it can't be composed. One change must not hold up all later ones. */
  const compose = async (prepared: PreparedChange): Promise<string | null> => {
    try {
      return await prepared.bodyOf(endpoint.payload);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      ctx.core.log.error(
        { err: error, account_id: endpoint.accountId, change_id: prepared.id },
        'webhook body cannot be composed; delivery given up',
      );
      return null;
    }
  };
  const send = async (prepared: PreparedChange, tries: number): Promise<DeliveryOutcome | null> => {
    // What waited for its permit until the end of the turn is left to the next one.
    if (isEnding()) return null;
    const body = await compose(prepared);
    // Its record is gone, or its body can't be composed.
    if (body === null) return unsentOutcome({ ...prepared.place, tries, nextTryInMs: null });
    const outcome = await tryDelivery(ctx, { endpoint, prepared, body, tries, signal: ending.signal });
    if (outcome === null) return null;
    if (outcome.state === 'delivered') failuresInRow = 0;
    else failuresInRow += 1;
    lane.check();
    if (outcome.status === 410) disable('gone');
    return outcome;
  };
  const deliver = async (prepared: PreparedChange, tries: number): Promise<DeliveryOutcome | null> => {
    const waiting = lane.enter();
    if (waiting !== undefined) await waiting;
    try {
      // Before its permit among all endpoints, which others need.
      await pace();
      if (isEnding()) return null;
      return await ctx.permits.run(endpoint, () => send(prepared, tries), ending.signal);
    } catch (error) {
      if (ending.signal.aborted) return null;
      throw error;
    } finally {
      lane.leave();
    }
  };

  const run = async (): Promise<void> => {
    const selection = ctx.selections.of(endpoint.endpointId, endpoint);
    const isOnRecord = async (prepared: PreparedChange): Promise<boolean> => {
      try {
        const record = await prepared.record();
        return record !== null && selection.evaluateRecord(record);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        // It would hold up all later changes. One too many is better than one too few.
        ctx.core.log.error(
          { err: error, account_id: endpoint.accountId, change_id: prepared.id },
          'webhook filter cannot be applied; the change is delivered',
        );
        return true;
      }
    };
    const isWanted = (prepared: PreparedChange): boolean | Promise<boolean> => {
      const evaluated = selection.evaluate(prepared.change);
      return evaluated === 'record' ? isOnRecord(prepared) : evaluated;
    };
    const part: EndpointRun = { endpoint, isWanted, progress, isEnding, signal: ending.signal, deliver };
    await Promise.all([deliverChanges(ctx, part), deliverWaiting(ctx, part)]);
    await progress.written();
    await disabling;
    if (!ending.signal.aborted) await ctx.release(endpoint);
  };
  aborting.addEventListener('abort', lose);
  return {
    endpoint,
    lose,
    renewed: progress.renewed,
    done: run().finally(() => aborting.removeEventListener('abort', lose)),
  };
}

/** Resolves when the next request may begin: so long after the former one did, also if that was late. */
function openPace(ratePerSecond: number | null): () => Promise<void> | undefined {
  if (ratePerSecond === null) return () => undefined;
  let former = Promise.resolve(Number.NEGATIVE_INFINITY);
  return async () => {
    former = former.then(async (beganAtMs) => {
      const waitMs = beganAtMs + 1000 / ratePerSecond - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      return performance.now();
    });
    await former;
  };
}
