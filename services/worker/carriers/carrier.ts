import type { DeliveryReader, SubscriptionCarrier } from '#shared/domain/push/push.ts';
import type { FetchResult } from '#shared/domain/shipments/shipment.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';

/** Where a carrier is and how to sign in; from the instance's configuration (`CARRIER_<CODE>_…`), never from a client. */
export type CarrierSettings = {
  baseUrl: string;
  authUrl: string | null;
  clientId: string | null;
  clientSecret: string | null;
  apiKey: string | null;
  /** PEM, for a line that wants a signed assertion instead of a secret. */
  certificate: string | null;
  privateKey: string | null;
  /** OAuth 2.0 scope, where it differs from customer to customer. */
  scope: string | null;
  /** `simulator` prefixes the record's `tracking.source`, so that simulated data says so. */
  simulated: boolean;
};

export type Endpoints = { baseUrl: string | null; authUrl: string | null };

/** Calls per period on average, and how many at once after a quiet time. */
export type BudgetLimit = { calls: number; perMs: number; burst: number };

/** What a connector is given: its settings, HTTP with caps and deadlines, and the clock. */
export type CarrierContext = {
  settings: CarrierSettings;
  fetch: CarrierFetch;
  budget: CarrierBudget;
  tokens: TokenCache;
  now: () => Date;
  /** Of the code that reads answers; absent: every answer is read, also one that came before. */
  readerIdentity?: string;
};

/** What one credential may ask of one carrier. */
export type CarrierBudget = {
  /** Takes one call; returns 0, or the milliseconds until one is free (then nothing was taken). */
  take: () => number;
  /** Counts a call that must not be refused, such as the next page of an answer; the debt delays later calls. */
  charge: () => void;
  /** Calls that are free now. */
  free: () => number;
  /** The carrier said to wait: no call is free for that long. */
  close: (forMs: number) => void;
};

/** Access tokens by credential. Callers who ask at the same moment share one request. */
export type TokenCache = {
  /** The cached token, or a new one from `request`; `refused` is a token that the carrier no longer takes. */
  get: (key: string, request: () => Promise<AccessToken>, refused: string | null) => Promise<string>;
};

export type AccessToken = { token: string; lifetimeMs: number };

export type CarrierResponse = { status: number; headers: Headers; text: string };

/**
 * Sends one request to the carrier. Same-origin only, no redirects to other hosts, body at most 8 MiB, deadline by `signal`.
 * Throws `CarrierUnreachable` on network failures, timeouts and oversized bodies; any HTTP status is an answer.
 */
export type CarrierFetch = (
  url: string,
  request: {
    method?: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE';
    headers?: Record<string, string>;
    body?: string;
    signal: AbortSignal;
  },
) => Promise<CarrierResponse>;

/** How a carrier that sends events of its own accord is subscribed to and read. */
export type CarrierPush = {
  subscriptions: (ctx: CarrierContext, signal: AbortSignal) => SubscriptionCarrier;
  /** `simulated`: what is read comes from the simulator, and says so. */
  reader: (simulated: boolean) => DeliveryReader;
};

/** The one type of a carrier connector. */
export type Connector = {
  /** The connector's code, also its queue: `maersk`, `hapag-lloyd`, `dcsa`. */
  code: string;
  /** Shipments that one call to the carrier can carry. */
  batchSize: number;
  /** The carrier's published addresses; null: it must be configured. */
  published: Endpoints;
  /** Paths under the simulator's address. */
  simulated: { basePath: string; authPath: string | null };
  /** What one credential may ask: below the published limit; where none is published, a guess that is set low. */
  budget: BudgetLimit;
  /** Absent: the carrier sends nothing of its own accord. */
  push?: CarrierPush;
  /** Refreshes at the carrier for each subject; resolves to exactly one result per subject and never rejects for a carrier's fault. */
  fetch: (ctx: CarrierContext, subjects: RefreshSubject[], signal: AbortSignal) => Promise<Map<string, FetchResult>>;
};
