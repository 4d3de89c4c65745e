import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TokenBucket } from '#shared/limits/token-bucket.ts';
import type { CarrierRecorder } from './carrier-health.ts';
import type { Circuit } from './circuit.ts';

/** One credential of one connector, as seen by this worker. */
export type CarrierService = {
  connector: ConnectorCode;
  credentialId: string;
  bucket: TokenBucket;
  circuit: Circuit;
  recorder: CarrierRecorder;
  /** Calls that scheduled refreshes may make now. */
  free: () => number;
  /** Milliseconds until the carrier may be called; 0: now. */
  closedMs: () => number;
};

/** The credential that served an account's shipments with a carrier. */
export type Served = {
  connector: ConnectorCode;
  accountId: string;
  carrier: string;
  credentialId: string;
  seenAtMs: number;
};

/** The credentials that this worker uses. */
export type CarrierServices = {
  /** The credential that would serve; null: there is none, or it is suspended. Makes no call and takes no probe. */
  serviceFor: (connector: ConnectorCode, accountId: string, carrierCode: string) => Promise<CarrierService | null>;
  services: (connector?: ConnectorCode) => CarrierService[];
  served: (connector?: ConnectorCode) => Served[];
};
