import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TimePolicy } from '#shared/places/carrier-time.ts';
import type { BudgetLimit, CarrierSettings, Connector } from '../carrier.ts';

export type CredentialName =
  | 'authUrl'
  | 'clientId'
  | 'clientSecret'
  | 'apiKey'
  | 'certificate'
  | 'privateKey'
  | 'scope';

/**
 * One way to authenticate, used when all settings in `needs` are set. `headers` are sent with every call. OAuth 2.0
 * (client credentials) and an assertion (a JWT signed with the certificate's key, RFC 7523) also get a bearer token
 * from `authUrl`.
 */
export type DcsaAuth = {
  needs: readonly CredentialName[];
  headers?: (settings: CarrierSettings) => Record<string, string>;
} & (
  | { kind: 'headers' | 'assertion' }
  | {
      kind: 'oauth2';
      /** Place of the client id and secret in the token request. */
      credentialsIn: 'form' | 'basic';
      /** Place of `grant_type` in the token request; `query` sends an empty body. Default: `body`. */
      grantIn?: 'body' | 'query';
      /** Scope of the token request when the settings contain none. */
      scope?: string;
    }
);

/**
 * One way to query by an identifier: its query parameter, and further parameters where the line requires more than one.
 */
export type DcsaReference = {
  identifier: 'mbl' | 'booking' | 'container';
  parameter: string;
  also?: Readonly<Record<string, string>>;
  /** The line's own validation rule. Other values are rejected without a call. */
  pattern?: RegExp;
};

/** A line's implementation of DCSA Track & Trace 2.2. The engine needs nothing else about the line. */
export type DcsaDialect = {
  connector: ConnectorCode;
  published: Connector['published'];
  simulated: Connector['simulated'];
  budget: BudgetLimit;
  /** Path after the base URL, with its leading slash. */
  eventsPath: string;
  /** Path of the line's event subscriptions after the base URL. Absent: the line has none. */
  push?: { subscriptionsPath: string } | null;
  /** Ways to authenticate, best first. The first one whose settings are complete is used. */
  auth: readonly [DcsaAuth, ...DcsaAuth[]];
  /**
   * The references to query by, in order. Each query contains one reference, since lines differ in whether they accept
   * more.
   */
  references: readonly DcsaReference[];
  /**
   * Handling of the line's prefix of a B/L number. `strip` removes it, `add` adds it, and `bareThenPrefixed` tries both
   * because customers of this line use either form.
   */
  billPrefix: 'strip' | 'add' | 'bareThenPrefixed' | 'asGiven';
  /** Parameters of every query. */
  parameters: Readonly<Record<string, string | readonly string[]>>;
  /** `exploded` repeats the parameter for each value of a list. Default: comma-separated values. */
  listStyle?: 'comma' | 'exploded';
  paging: 'cursor' | 'none';
  /** Keys of a wrapper object around the list. A bare list is always accepted. */
  listKeys: readonly string[];
  /** Finds the events in a response that isn't a list of them. Returns null for any other response. */
  unwrap?: (body: unknown) => unknown[] | null;
  timePolicy: TimePolicy;
  /** The line's own key → the standard's, where they differ in more than case. */
  keyAliases: Readonly<Record<string, string>>;
  /** The line's own code → the standard's, in upper case. */
  codeAliases: Readonly<Record<string, string>>;
  /**
   * True only if the line guarantees that an event id is unique and stable. An event with a known id then replaces the
   * earlier one.
   */
  stableEventIds: boolean;
  /**
   * For lines that bill each call: how long a response without `Cache-Control` may be reused. Null: every refresh calls
   * the line.
   */
  answerHoldsMs: number | null;
};

/** The three references of the standard, best first. */
export const standardReferences: readonly DcsaReference[] = [
  { identifier: 'mbl', parameter: 'transportDocumentReference' },
  { identifier: 'booking', parameter: 'carrierBookingReference' },
  { identifier: 'container', parameter: 'equipmentReference' },
];

/** The line's name in a record's source: `dcsa:maersk`, or `dcsa` for the plain standard. */
export function sourceName({ connector }: Pick<DcsaDialect, 'connector'>): string {
  return connector === 'dcsa' ? 'dcsa' : `dcsa:${connector}`;
}
