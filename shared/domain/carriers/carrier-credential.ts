import type { TrackingReason } from '../shipments/shipment.ts';
import type { CredentialField } from './known-connectors.ts';

/** Whose credentials a carrier is asked with. */
export const credentialSources = ['account', 'instance', 'simulator', 'none'] as const;
export type CredentialSource = (typeof credentialSources)[number];

export const credentialStates = ['active', 'suspended'] as const;
export type CredentialState = (typeof credentialStates)[number];

/** Why credentials are not used at present. `at` is ISO UTC. */
export type Suspension = { at: string; reason: TrackingReason };

/** What an account may know of the credentials that serve it at a carrier: never a value. Times are ISO UTC. */
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
  /** One more with each change, also with a removal. */
  version: number;
  updatedAt: string;
  suspension: Suspension | null;
};

/** A test key's shipments need none. */
export const noCredentials: CredentialReport = {
  source: 'none',
  state: null,
  fields: [],
  updatedAt: null,
  suspension: null,
};
