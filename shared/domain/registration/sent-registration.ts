import type { InputMistake } from '../errors.ts';
import type { TransportMode } from '../events/transport-mode.ts';
import type { Registration } from '../record/shipment.ts';

/**
 * A registration as a client sent it: its shape has been checked, what it means has not. A part that could not be read is
 * null or empty, and `mistakes` says why. Every `Registration` is one, too.
 */
export type SentRegistration = Omit<Registration, 'transportMode' | 'carrier' | 'identifiers'> & {
  transportMode: TransportMode | null;
  /** Code, alias or name. */
  carrier: string | null;
  identifiers: Readonly<Record<string, unknown>> | null;
  /** Of a shipment whose events are pushed: hours without events after which it is stale. Null or absent: polled. */
  staleAfterHours?: number | null;
  /** Mistakes in the shape. Default: none. */
  mistakes?: readonly InputMistake[];
};
