import { sleep } from '#shared/async/sleep.ts';
import {
  type EndpointProgress,
  endpointLeaseS,
  type HeldEndpoint,
  type RecordedEndpoint,
} from '#shared/core/webhooks/claim-endpoints.ts';
import type { DeliveryOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';

export type ProgressOptions = {
  endpoint: HeldEndpoint;
  /** Writes progress of many endpoints together. Null: another worker has the endpoint. */
  record: (progress: EndpointProgress) => Promise<RecordedEndpoint | null>;
  onRecorded: (recorded: RecordedEndpoint) => void;
  /** The endpoint is another worker's, or its progress can't be written. */
  onLost: () => void;
};

/** Progress of an endpoint, and the outcomes of its deliveries that are not stored yet. */
export type Progress = {
  /** The last change that was read. */
  readTo: () => number;
  /** Too much waits to be written: nothing more should begin. */
  isFull: () => boolean;
  /** The changes up to `sequence` are none of the endpoint's. */
  skipTo: (sequence: number) => void;
  /** A delivery begins, in the order of the feed. */
  begin: (sequence: number) => void;
  /** Ends a delivery that began, or one from before that was tried again. */
  end: (outcome: DeliveryOutcome) => void;
  /** Resolves when all outcomes so far and the sequence are written. */
  written: () => Promise<void>;
  /** The worker has the endpoint until then (`performance.now()`), if nothing renews it. */
  heldUntilMs: () => number;
  renewed: (startedAtMs: number) => void;
};

/** A lease counts as expired this long before it is: requests that begin then must not meet another worker's. */
const marginMs = 1000;
/** Outcomes of one endpoint. */
const maxUnwritten = 1000;
const writeTries = 5;
const writePauseMs = 300;

export function openProgress({ endpoint, record, onRecorded, onLost }: ProgressOptions): Progress {
  const { accountId, endpointId, epoch } = endpoint;
  /** Sequences whose deliveries began, in order. */
  const open = new Set<number>();
  let readTo = endpoint.sequence;
  let writtenTo = endpoint.sequence;
  let outcomes: DeliveryOutcome[] = [];
  let writing: Promise<void> | null = null;
  let isLost = false;
  let heldUntilMs = performance.now() + endpoint.leaseLeftMs - marginMs;

  const contiguous = (): number => {
    for (const sequence of open) return sequence - 1;
    return readTo;
  };
  const writeOnce = async (): Promise<void> => {
    const taken = outcomes;
    outcomes = [];
    const sequence = contiguous();
    const progress = { accountId, endpointId, epoch, sequence, ...countTries(taken), outcomes: taken };
    const startedAtMs = performance.now();
    const recorded = await withRetries(() => record(progress));
    if (recorded === null) {
      isLost = true;
      onLost();
      return;
    }
    writtenTo = sequence;
    heldUntilMs = startedAtMs + endpointLeaseS * 1000 - marginMs;
    onRecorded(recorded);
  };
  const write = async (): Promise<void> => {
    try {
      while (outcomes.length > 0 && !isLost) await writeOnce();
    } finally {
      writing = null;
    }
  };
  const startWriting = (): void => {
    writing ??= write();
  };

  return {
    readTo: () => readTo,
    isFull: () => outcomes.length >= maxUnwritten,
    skipTo: (sequence) => {
      readTo = Math.max(readTo, sequence);
    },
    begin: (sequence) => {
      open.add(sequence);
      readTo = sequence;
    },
    end: (outcome) => {
      open.delete(outcome.sequence);
      outcomes.push(outcome);
      startWriting();
    },
    written: async () => {
      while (writing !== null) await writing;
      if (contiguous() > writtenTo && !isLost) {
        writing = writeOnce().finally(() => {
          writing = null;
        });
        await writing;
      }
    },
    heldUntilMs: () => (isLost ? 0 : heldUntilMs),
    renewed: (startedAtMs) => {
      heldUntilMs = startedAtMs + endpointLeaseS * 1000 - marginMs;
    },
  };
}

/** Null when the store is unavailable for too long: then the lease expires, and what was not written is repeated. */
async function withRetries<T>(work: () => Promise<T | null>): Promise<T | null> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch {
      if (tried === writeTries) return null;
      await sleep(writePauseMs * tried);
    }
  }
}

function countTries(outcomes: readonly DeliveryOutcome[]) {
  let [successes, failures, trailingFailures] = [0, 0, 0];
  for (const { state, triedAt } of outcomes) {
    if (triedAt === null) continue;
    if (state === 'delivered') {
      successes += 1;
      trailingFailures = 0;
    } else {
      failures += 1;
      trailingFailures += 1;
    }
  }
  return { successes, failures, trailingFailures };
}
