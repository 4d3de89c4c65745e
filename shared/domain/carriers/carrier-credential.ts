import type { TrackingReason } from '../record/shipment.ts';
import type { CredentialField } from './known-connectors.ts';

/** Sources of the credentials that are used at a carrier. */
export const credentialSources = ['account', 'instance', 'simulator', 'none'] as const;
export type CredentialSource = (typeof credentialSources)[number];

export const credentialStates = ['active', 'suspended'] as const;
export type CredentialState = (typeof credentialStates)[number];

/** Reason for suspending credentials. `at` is ISO UTC. */
export type Suspension = { at: string; reason: TrackingReason };

/** Report to an account on the credentials that serve it at a carrier, never with their values. Times are ISO UTC. */
export type CredentialReport = {
  source: CredentialSource;
  /** Null: there are none. */
  state: CredentialState | null;
  fields: readonly CredentialField[];
  updatedAt: string | null;
  suspension: Suspension | null;
};

/** The account's own credentials at a carrier, without their values. */
export type CarrierCredential = {
  id: string;
  carrier: string;
  fields: CredentialField[];
  /** Increases with each change, including removal. */
  version: number;
  updatedAt: string;
  suspension: Suspension | null;
};

/** Test shipments need none. */
export const noCredentials: CredentialReport = {
  source: 'none',
  state: null,
  fields: [],
  updatedAt: null,
  suspension: null,
};
