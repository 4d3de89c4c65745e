import type { ConnectorCode } from '#shared/domain/carrier-catalogue.ts';
import type { TimePolicy } from '#shared/places/carrier-time.ts';
import type { BudgetLimit, CarrierSettings, Connector } from '../carrier.ts';

/** How a line signs its callers in. `headers` go with every call; with OAuth 2.0 a bearer token comes from the settings' `authUrl` too. */
export type DcsaAuth =
  | { kind: 'headers'; headers: (settings: CarrierSettings) => Record<string, string> }
  | {
      kind: 'oauth2';
      headers: (settings: CarrierSettings) => Record<string, string>;
      /** Where the token request carries id and secret. */
      credentialsIn: 'form' | 'basic';
    };

/** The query parameter of each identifier, in the order in which they are tried. */
export type DcsaReference = { identifier: 'mbl' | 'booking' | 'container'; parameter: string };

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
  auth: DcsaAuth;
  /** Settings without which the line cannot be asked. */
  requiredSettings: readonly ('clientId' | 'clientSecret' | 'apiKey')[];
  references: readonly DcsaReference[];
  /** `strip` removes the line's prefix from a B/L number; `bareThenPrefixed` tries both, since lines of this connector differ. */
  billPrefix: 'strip' | 'bareThenPrefixed' | 'asGiven';
  /** Sent with every query. */
  parameters: Readonly<Record<string, string>>;
  paging: 'cursor' | 'none';
  /** Keys of a wrapper object around the list; a bare list is always accepted. */
  listKeys: readonly string[];
  timePolicy: TimePolicy;
  /** The line's own key → the standard's, where they differ in more than case. */
  keyAliases: Readonly<Record<string, string>>;
  /** The line's own code → the standard's, upper case. */
  codeAliases: Readonly<Record<string, string>>;
};
