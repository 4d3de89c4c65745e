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
 * One way to sign in; it is taken when all settings that it `needs` are there. `headers` go with every call. With OAuth 2.0 (client
 * credentials) and with an assertion (a JWT signed with the certificate's key, RFC 7523) a bearer token comes from the `authUrl` too.
 */
export type DcsaAuth = {
  needs: readonly CredentialName[];
  headers?: (settings: CarrierSettings) => Record<string, string>;
} & (
  | { kind: 'headers' | 'assertion' }
  | {
      kind: 'oauth2';
      /** Where the token request carries id and secret. */
      credentialsIn: 'form' | 'basic';
      /** Where it says which grant it asks for; `query` sends an empty body. Default: `body`. */
      grantIn?: 'body' | 'query';
      /** Asked for when the settings name no other. */
      scope?: string;
    }
);

/** One way to ask: the query parameter of an identifier, with further ones where the line wants more than one. */
export type DcsaReference = {
  identifier: 'mbl' | 'booking' | 'container';
  parameter: string;
  also?: Readonly<Record<string, string>>;
  /** What the line's own validation lets through; anything else is refused without a call. */
  pattern?: RegExp;
};

/** How one line speaks DCSA Track & Trace 2.2: all that the one engine has to know of it. */
export type DcsaDialect = {
  connector: ConnectorCode;
  published: Connector['published'];
  simulated: Connector['simulated'];
  budget: BudgetLimit;
  /** After the base URL, with its leading slash. */
  eventsPath: string;
  /** Where the line's event-subscriptions are, after the base URL; absent: it has none. */
  push?: { subscriptionsPath: string } | null;
  /** Ways to sign in, best first; the settings decide. */
  auth: readonly [DcsaAuth, ...DcsaAuth[]];
  /** Each question names one reference, since lines differ in whether they take more; in the order in which they are tried. */
  references: readonly DcsaReference[];
  /**
   * What becomes of the line's prefix before a B/L number: `strip` and `add` ask without and with it, `bareThenPrefixed` tries both, since
   * customers of this line write either.
   */
  billPrefix: 'strip' | 'add' | 'bareThenPrefixed' | 'asGiven';
  /** Sent with every query. */
  parameters: Readonly<Record<string, string | readonly string[]>>;
  /** `exploded` repeats the parameter for each value of a list; default: values with commas. */
  listStyle?: 'comma' | 'exploded';
  paging: 'cursor' | 'none';
  /** Keys of a wrapper object around the list; a bare list is always accepted. */
  listKeys: readonly string[];
  /** Finds the events in an answer that is no list of them; null when this is not that answer. */
  unwrap?: (body: unknown) => unknown[] | null;
  timePolicy: TimePolicy;
  /** The line's own key → the standard's, where they differ in more than case. */
  keyAliases: Readonly<Record<string, string>>;
  /** The line's own code → the standard's, upper case. */
  codeAliases: Readonly<Record<string, string>>;
  /** True only where the line promises that an id stays with its event and is no other's: then an id that comes back replaces its event. */
  stableEventIds: boolean;
  /** Where calls cost money: an answer without `Cache-Control` holds for so long, with one as long as it says. Null: every look asks. */
  answerHoldsMs: number | null;
};

/** The three references of the standard, best first. */
export const standardReferences: readonly DcsaReference[] = [
  { identifier: 'mbl', parameter: 'transportDocumentReference' },
  { identifier: 'booking', parameter: 'carrierBookingReference' },
  { identifier: 'container', parameter: 'equipmentReference' },
];

/** What a record's source calls the line: `dcsa:maersk`; `dcsa` for the standard as written. */
export function sourceName({ connector }: Pick<DcsaDialect, 'connector'>): string {
  return connector === 'dcsa' ? 'dcsa' : `dcsa:${connector}`;
}
