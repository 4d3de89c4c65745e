import { jittered } from '#shared/async/sleep.ts';
import { pacing } from './pacing.ts';

export type CircuitStateName = 'closed' | 'half_open' | 'open';

export type Circuit = {
  state: () => CircuitStateName;
  /** When the circuit last left the closed state, by this machine's clock. Null: it is closed. */
  openSince: () => Date | null;
  /** Milliseconds until a refresh may be sent; 0: now. During a probe: until the next one may start. */
  waitMs: () => number;
  /** Like `waitMs`, for a refresh that is then sent: after the pause, only one refresh at a time gets 0. */
  enter: () => number;
  /** True while the pause lasts and every call is rejected. */
  isPaused: () => boolean;
  /** Sends a call. Rejects with `CircuitOpen` without sending it while the circuit is open. */
  run: <T>(call: () => Promise<T>, evaluated: EvaluatedCall<T>) => Promise<T>;
  /** These shipments were refreshed. If they fail again, that counts again. */
  refreshed: (shipmentIds: readonly string[]) => void;
};

export type EvaluatedCall<T> = {
  isFailure: (answer: T) => boolean;
  isFault: (error: unknown) => boolean;
  /** The shipments that the call is about. Empty: it concerns all of them, such as a sign-in. */
  about: readonly string[];
};

/** Rejects a call that was not sent. */
export class CircuitOpen extends Error {
  constructor() {
    super('The carrier failed repeatedly. Calls resume after a pause.');
    this.name = 'CircuitOpen';
  }
}

export type CircuitOptions = { firstPauseMs: number; maxPauseMs: number; onOpen: () => void; onClose: () => void };

const { maxFailuresInARow, window, pauseJitter, probeMs, maxFailing } = pacing.circuit;

/**
 * Opens after 5 failures in a row, or when more than half of the last 20 calls failed. A shipment that fails again and
 * again counts once: the carrier may serve all the others. After a pause, which doubles up to 15 s, one call probes the
 * carrier and closes the circuit if it succeeds.
 */
export function openCircuit(options: CircuitOptions): Circuit {
  const { firstPauseMs, maxPauseMs, onOpen, onClose } = options;
  let state: CircuitStateName = 'closed';
  let outcomes = countOutcomes();
  const failing = rememberFailing();
  let pauses = 0;
  let probeAtMs = 0;
  let probingUntilMs = 0;
  let openedAtMs: number | null = null;
  let probe: Promise<void> | null = null;

  const isPaused = (): boolean => state === 'open' && probeAtMs > Date.now();

  const waitMs = (): number => {
    if (state === 'closed') return 0;
    return Math.max(0, (isPaused() ? probeAtMs : probingUntilMs) - Date.now());
  };

  const open = (): void => {
    const nowMs = Date.now();
    state = 'open';
    probeAtMs = nowMs + Math.round(jittered(Math.min(maxPauseMs, firstPauseMs * 2 ** pauses), pauseJitter));
    pauses += 1;
    probingUntilMs = 0;
    openedAtMs ??= nowMs;
    onOpen();
  };

  const close = (): void => {
    state = 'closed';
    outcomes = countOutcomes();
    pauses = 0;
    probingUntilMs = 0;
    openedAtMs = null;
    onClose();
  };

  /** A call may end in another state than it began in. Only the probe decides a half-open circuit. */
  const note = (succeeded: boolean, { isProbe, about }: { isProbe: boolean; about: readonly string[] }): void => {
    if (isProbe && succeeded && state === 'half_open') close();
    const isFailing = (succeeded || failing.add(about)) && outcomes.add(succeeded);
    if (state !== 'open' && (isFailing || (isProbe && !succeeded))) open();
  };

  const send: Circuit['run'] = async (call, { isFailure, isFault, about }) => {
    const isProbe = state === 'half_open';
    try {
      const answer = await call();
      note(!isFailure(answer), { isProbe, about });
      return answer;
    } catch (error) {
      if (isFault(error)) note(false, { isProbe, about });
      throw error;
    }
  };

  return {
    state: () => state,
    openSince: () => (openedAtMs === null ? null : new Date(openedAtMs)),
    waitMs,
    isPaused,
    enter: () => {
      const leftMs = waitMs();
      if (leftMs === 0 && state !== 'closed') probingUntilMs = Date.now() + probeMs;
      return leftMs;
    },
    refreshed: failing.remove,
    run: async (call, evaluated) => {
      while (probe !== null) await probe;
      if (isPaused()) throw new CircuitOpen();
      if (state === 'closed') return send(call, evaluated);
      state = 'half_open';
      const probing = send(call, evaluated);
      const ended = (): void => {
        probe = null;
      };
      probe = probing.then(ended, ended);
      return probing;
    },
  };
}

/** Shipments whose failure has counted and that have not been refreshed since, the newest last. */
function rememberFailing(): { add: (ids: readonly string[]) => boolean; remove: (ids: readonly string[]) => void } {
  const known = new Set<string>();
  const remove = (ids: readonly string[]): void => {
    for (const id of ids) known.delete(id);
  };
  return {
    /** A failure counts if one of the shipments is new. */
    add: (ids) => {
      const isNew = ids.length === 0 || ids.some((id) => !known.has(id));
      remove(ids);
      for (const id of ids) known.add(id);
      for (const id of known) {
        if (known.size <= maxFailing) break;
        known.delete(id);
      }
      return isNew;
    },
    remove,
  };
}

/** Counts the last calls. `add` returns whether they are failing. */
function countOutcomes(): { add: (succeeded: boolean) => boolean } {
  const last: boolean[] = [];
  let failuresInARow = 0;
  return {
    add: (succeeded) => {
      last.push(succeeded);
      if (last.length > window.calls) last.shift();
      failuresInARow = succeeded ? 0 : failuresInARow + 1;
      if (succeeded) return false;
      const failures = last.filter((each) => !each).length;
      return failuresInARow >= maxFailuresInARow || (last.length === window.calls && failures > window.maxFailures);
    },
  };
}
