import type { TrackingReason } from '#shared/domain/record/shipment.ts';
import type { CarrierContext } from '../carriers/carrier.ts';
import type { Budget } from '../pacing/budget.ts';
import type { CarrierService } from '../pacing/carrier-service.ts';
import type { Circuit } from '../pacing/circuit.ts';
import { describeOpenCircuit, describePause } from '../pacing/why-not-asked.ts';
import type { Credential } from './credentials.ts';

/** Access to a carrier with one credential: open, or closed for a reason that the shipment shows. */
export type CarrierAccess =
  | {
      kind: 'open';
      credential: Credential;
      /** Returns the context for a connector's calls about these shipments. */
      carrierFor: (shipmentIds: readonly string[]) => CarrierContext;
      /** One call tests whether the carrier responds again, or accepts the credential again. */
      isProbe: boolean;
      reserve: Budget['reserve'];
      circuit: Pick<Circuit, 'waitMs' | 'refreshed'>;
    }
  | {
      kind: 'closed';
      reason: TrackingReason;
      /** For the account; the same text each time. */
      detail: string;
      /** For operators: since when, and after which failure. */
      why: string;
      retryAfterMs: number | null;
      /** Milliseconds until the circuit lets the next call through. Null: it isn't what stops the call. */
      circuitOpenMs: number | null;
      credentialId: string | null;
    };

export type OpenService = CarrierService & {
  version: number;
  carrierFor: (shipmentIds: readonly string[]) => CarrierContext;
  budget: Budget;
  usedAtMs: number;
};

/** Open unless the carrier asked for a pause or its circuit is open. */
export function grantAccess(credential: Credential, service: OpenService): CarrierAccess {
  const { id, connector, suspended } = credential;
  const { closedMs } = service.bucket.standing();
  if (closedMs > 0) {
    return closedAccess('carrier_rate_limited', 'The carrier requested a pause. Calls resume when it ends.', {
      why: describePause(connector, closedMs),
      retryAfterMs: Math.ceil(closedMs),
      credentialId: id,
    });
  }
  const waitMs = service.circuit.enter();
  if (waitMs > 0) {
    const reason = service.recorder.read().lastErrorReason ?? 'carrier_unreachable';
    return closedAccess(reason, 'The carrier failed repeatedly. Calls resume after a pause.', {
      why: describeOpenCircuit(connector, service),
      retryAfterMs: null,
      circuitOpenMs: Math.ceil(waitMs),
      credentialId: id,
    });
  }
  const { carrierFor, budget, circuit } = service;
  const isProbe = suspended !== null || circuit.state() !== 'closed';
  return { kind: 'open', credential, carrierFor, isProbe, reserve: budget.reserve, circuit };
}

type ClosedMore = {
  why?: string;
  retryAfterMs: number | null;
  circuitOpenMs?: number;
  credentialId: string | null;
};

export function closedAccess(
  reason: TrackingReason,
  detail: string,
  more: ClosedMore = { retryAfterMs: null, credentialId: null },
): CarrierAccess {
  return { kind: 'closed', reason, detail, why: detail, circuitOpenMs: null, ...more };
}
