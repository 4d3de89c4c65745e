import type { DeliveryState } from './delivery.ts';
import type { DeliveryError } from './delivery-error.ts';

/** One delivery after a try, or one that waits behind another of its shipment (`tries` 0, `triedAt` null). */
export type DeliveryOutcome = {
  sequence: number;
  /** Uuids. */
  changeId: string;
  shipmentId: string | null;
  type: string;
  state: DeliveryState;
  tries: number;
  /** Milliseconds until the next try. Null unless it is waiting. */
  nextTryInMs: number | null;
  /** ISO UTC. */
  triedAt: string | null;
  status: number | null;
  latencyMs: number | null;
  error: DeliveryError | null;
  traceId: string | null;
  answer: string | null;
  /** Later deliveries of the shipment wait for this one. */
  holdsBack: boolean;
};

/** The outcome of a delivery without a request. `nextTryInMs` null: it is given up. */
export function unsentOutcome(
  place: Pick<DeliveryOutcome, 'sequence' | 'changeId' | 'shipmentId' | 'type' | 'tries' | 'nextTryInMs'>,
): DeliveryOutcome {
  const { sequence, changeId, shipmentId, type, tries, nextTryInMs } = place;
  const state = nextTryInMs === null ? 'exhausted' : 'waiting';
  const unsent = { triedAt: null, status: null, latencyMs: null, error: null, traceId: null, answer: null };
  return { sequence, changeId, shipmentId, type, state, tries, nextTryInMs, ...unsent, holdsBack: false };
}
