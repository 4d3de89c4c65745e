import type { DeliveryReader, SubscriptionCarrier } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import type { StatedProof } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';

/**
 * The carrier's address and credentials. They come from the instance's configuration (`CARRIER_<CODE>_…`) or the
 * account's stored credentials, never from a request.
 */
export type CarrierSettings = {
  baseUrl: string;
  authUrl: string | null;
  clientId: string | null;
  clientSecret: string | null;
  apiKey: string | null;
  /** PEM, for a line that requires a signed assertion instead of a secret. */
  certificate: string | null;
  privateKey: string | null;
  /** OAuth 2.0 scope, where the carrier assigns one to each customer. */
  scope: string | null;
  /** True: `tracking.source` starts with `simulator`, so that simulated data is recognizable. */
  simulated: boolean;
};

export type Endpoints = { baseUrl: string | null; authUrl: string | null };

/** The average number of calls per period, and the maximum burst after an idle period. */
export type BudgetLimit = { calls: number; perMs: number; burst: number };

/** Environment of a connector: its settings, HTTP with size limits and deadlines, and the clock. */
export type CarrierContext = {
  settings: CarrierSettings;
  fetch: CarrierFetch;
  budget: CarrierBudget;
  tokens: TokenCache;
  now: () => Date;
  /** Identifies the build that parses responses. Absent: every response is parsed, even a repeated one. */
  readerIdentity?: string;
};

/** Number of calls that one set of credentials may make to one carrier. */
export type CarrierBudget = {
  /** Takes one call and returns 0, or takes nothing and returns the milliseconds until a call is free. */
  take: () => number;
  /** Counts a call that must not be refused, such as the next page of a response. The debt delays later calls. */
  charge: () => void;
  /** Number of calls that are free now. */
  free: () => number;
  /** The carrier rate-limited a call: no call is free for this long. */
  close: (forMs: number) => void;
};

/** Access tokens by credentials. Concurrent callers share one request. */
export type TokenCache = {
  /** The cached token, or a new one from `request`. `refused` is a token that the carrier has rejected. */
  get: (key: string, request: () => Promise<AccessToken>, refused: string | null) => Promise<string>;
};

export type AccessToken = { token: string; lifetimeMs: number };

export type CarrierResponse = {
  status: number;
  headers: Headers;
  text: string;
  /** The body, if it was requested as bytes and the status is below 400. Then `text` is empty. */
  bytes?: Uint8Array;
  /** Reason for an unreadable body, for example its size or its encoding: then `text` is empty. */
  unreadable?: string;
  /** The call carried an access token that the carrier had just issued. */
  signedIn?: boolean;
};

/**
 * Sends one request to the carrier: same origin only, no redirects, a response body of at most the connector's
 * `maxBodyBytes`, deadline by `signal`. Returns any HTTP status. Throws `CarrierUnreachable` on network failures and
 * timeouts.
 */
export type CarrierFetch = (
  url: string,
  request: {
    method?: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE';
    headers?: Record<string, string>;
    body?: string;
    /** For a response that contains a document. Absent: text of at most the connector's `maxBodyBytes`. */
    document?: DocumentRequest;
    signal: AbortSignal;
  },
) => Promise<CarrierResponse>;

/** `asBytes`: the response is the document itself. */
export type DocumentRequest = { maxBytes: number; asBytes: boolean };

/** A proof of delivery to fetch. */
export type ProofRequest = { proof: StatedProof } & Pick<RefreshSubject, 'identifiers' | 'transportMode'>;

/** Subscribes to a carrier that pushes events, and parses its deliveries. */
export type CarrierPush = {
  subscriptions: (ctx: CarrierContext, signal: AbortSignal) => SubscriptionCarrier;
  /** `simulated`: deliveries come from the simulator and are marked as such. */
  reader: (simulated: boolean) => DeliveryReader;
};

/** A carrier connector. */
export type Connector = {
  /** The connector's code, also the name of its queue: `maersk`, `hapag-lloyd`, `dcsa`. */
  code: string;
  /** Maximum number of shipments in one call to the carrier. */
  batchSize: number;
  /** The carrier's published addresses. Null: the address must be configured. */
  published: Endpoints;
  /** Paths below the simulator's address. */
  simulated: { basePath: string; authPath: string | null };
  /**
   * The budget of one set of credentials: below the published limit, or a conservative guess where none is published.
   */
  budget: BudgetLimit;
  /** Limit for a response body after decoding, in bytes. A larger one is unreadable. */
  maxBodyBytes: number;
  /** Absent: the carrier has no push. */
  push?: CarrierPush;
  /**
   * Refreshes each subject at the carrier. Resolves to exactly one result per subject and never rejects because of a
   * carrier failure.
   */
  fetch: (ctx: CarrierContext, subjects: RefreshSubject[], signal: AbortSignal) => Promise<Map<string, FetchResult>>;
  /**
   * Fetches a document that a reading stated. Throws `FetchFailure`. Its size and type are checked by the caller.
   * Absent: the carrier has no documents for programs.
   */
  fetchProof?: (ctx: CarrierContext, request: ProofRequest, signal: AbortSignal) => Promise<Uint8Array>;
};
