import { sleep } from '#shared/async/sleep.ts';
import type { HeldEndpoint } from '#shared/core/webhooks/claim-endpoints.ts';
import { isUnavailable } from '#shared/domain/errors.ts';
import { type DeliveryOutcome, unsentOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { FailureReason } from '#shared/domain/webhooks/endpoint.ts';
import { isFailingTooLong } from '#shared/domain/webhooks/tries.ts';
import { deliverChanges } from './deliver-changes.ts';
import { deliverWaiting } from './deliver-waiting.ts';
import type { DeliverContext, EndpointRun } from './endpoint-run.ts';
import { type Lane, openLane } from './lane.ts';
import type { PreparedChange } from './prepared-changes.ts';
import { openProgress, type Progress } from './progress.ts';
import { tryDelivery } from './try-delivery.ts';

export type RunningEndpoint = {
  endpoint: HeldEndpoint;
  /** Another worker has it. */
  lose: () => void;
  /** The lease was renewed by a call that began then (`performance.now()`). */
  renewed: (startedAtMs: number) => void;
  done: Promise<void>;
};

type Selection = ReturnType<DeliverContext['selections']['of']>;

/** Requests of one endpoint at the same time. */
const maxRequests = 8;
/** After so many failures in a row, an endpoint gets one request at a time, so that it takes few permits of others. */
const manyFailures = 8;
const turnMs = 5000;

/** State of one turn of an endpoint. Its phases, `run`, `deliver`, `send` and `compose`, are functions of it. */
type Turn = TurnState & {
  progress: Progress;
  lane: Lane;
  /** Resolves when the rate of the endpoint allows the next request. */
  pace: () => Promise<void> | undefined;
};

type TurnState = {
  ctx: DeliverContext;
  endpoint: HeldEndpoint;
  /** No more deliveries begin. */
  stopping: AbortSignal;
  /** Aborts requests: the endpoint is lost, or the worker has no more time. */
  ending: AbortController;
  endsAtMs: number;
  failuresInRow: number;
  isDisabled: boolean;
  disabling: Promise<void> | undefined;
};

/** Delivers to one endpoint what it has to get. `stopping`: no more deliveries begin. `aborting`: requests end. */
export function runEndpoint(
  ctx: DeliverContext,
  endpoint: HeldEndpoint,
  { stopping, aborting }: { stopping: AbortSignal; aborting: AbortSignal },
): RunningEndpoint {
  const turn = openTurn(ctx, endpoint, stopping);
  const lose = (): void => turn.ending.abort();
  aborting.addEventListener('abort', lose);
  return {
    endpoint,
    lose,
    renewed: turn.progress.renewed,
    done: run(turn).finally(() => aborting.removeEventListener('abort', lose)),
  };
}

function openTurn(ctx: DeliverContext, endpoint: HeldEndpoint, stopping: AbortSignal): Turn {
  const state: TurnState = {
    ctx,
    endpoint,
    stopping,
    ending: new AbortController(),
    endsAtMs: performance.now() + turnMs,
    failuresInRow: endpoint.consecutiveFailures,
    isDisabled: false,
    disabling: undefined,
  };
  const progress = openProgress({
    endpoint,
    record: ctx.record,
    onLost: () => state.ending.abort(),
    onRecorded: ({ enabled, failingForS, consecutiveFailures }) => {
      if (!enabled) state.isDisabled = true;
      if (consecutiveFailures > 0 && isFailingTooLong(failingForS)) disable(state, 'failing');
    },
  });
  const lane = openLane(() => (state.failuresInRow >= manyFailures ? 1 : maxRequests));
  // One object: what a phase changes, the limit of the lane sees.
  return Object.assign(state, { progress, lane, pace: openPace(endpoint.ratePerSecond) });
}

function disable(state: TurnState, reason: FailureReason): void {
  state.isDisabled = true;
  state.disabling ??= state.ctx.disable(state.endpoint, reason);
  // It is awaited only when the requests have ended. A rejection that nobody handles until then ends the process.
  state.disabling.catch(() => undefined);
}

function isEnding({ isDisabled, stopping, ending, endsAtMs, progress }: Turn): boolean {
  return (
    isDisabled ||
    stopping.aborted ||
    ending.signal.aborted ||
    performance.now() >= Math.min(endsAtMs, progress.heldUntilMs())
  );
}

/** Delivers what is new and what waits, then gives the endpoint back. */
async function run(turn: Turn): Promise<void> {
  const { ctx, endpoint, progress, ending } = turn;
  const selection = ctx.selections.of(endpoint.endpointId, endpoint);
  const part: EndpointRun = {
    endpoint,
    isWanted: (prepared) => isWanted(turn, selection, prepared),
    progress,
    isEnding: () => isEnding(turn),
    signal: ending.signal,
    deliver: (prepared, tries) => deliver(turn, prepared, tries),
  };
  await Promise.all([deliverChanges(ctx, part), deliverWaiting(ctx, part)]);
  await progress.written();
  await turn.disabling;
  if (!ending.signal.aborted) await ctx.release(endpoint);
}

/** Sends a change once it has a place among the requests of the endpoint, its rate and its permit allow it. */
async function deliver(turn: Turn, prepared: PreparedChange, tries: number): Promise<DeliveryOutcome | null> {
  const { ctx, endpoint, lane, ending } = turn;
  const waiting = lane.enter();
  if (waiting !== undefined) await waiting;
  try {
    // Before its permit among all endpoints, which others need.
    await turn.pace();
    if (isEnding(turn)) return null;
    return await ctx.permits.run(endpoint, () => send(turn, prepared, tries), ending.signal);
  } catch (error) {
    if (ending.signal.aborted) return null;
    throw error;
  } finally {
    lane.leave();
  }
}

/** One request, and what its outcome means for the turn. */
async function send(turn: Turn, prepared: PreparedChange, tries: number): Promise<DeliveryOutcome | null> {
  // A delivery that waited for its permit until the end of the turn is left to the next turn.
  if (isEnding(turn)) return null;
  const { ctx, endpoint, ending, lane } = turn;
  const body = await compose(turn, prepared);
  // Its record is gone, or its body can't be composed.
  if (body === null) return unsentOutcome({ ...prepared.place, tries, nextTryInMs: null });
  const outcome = await tryDelivery(ctx, { endpoint, prepared, body, tries, signal: ending.signal });
  if (outcome === null) return null;
  if (outcome.state === 'delivered') turn.failuresInRow = 0;
  else turn.failuresInRow += 1;
  lane.check();
  if (outcome.status === 410) disable(turn, 'gone');
  return outcome;
}

/** Null: there is nothing to send, or it can't be composed. One change must not hold up all later ones. */
async function compose({ ctx, endpoint }: TurnState, prepared: PreparedChange): Promise<string | null> {
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
}

function isWanted(state: TurnState, selection: Selection, prepared: PreparedChange): boolean | Promise<boolean> {
  const evaluated = selection.evaluate(prepared.change);
  return evaluated === 'record' ? isOnRecord(state, selection, prepared) : evaluated;
}

async function isOnRecord(
  { ctx, endpoint }: TurnState,
  selection: Selection,
  prepared: PreparedChange,
): Promise<boolean> {
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
