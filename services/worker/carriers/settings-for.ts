import type { ConnectorCode } from '#shared/domain/carrier-catalogue.ts';
import type { CarrierSettings } from './carrier.ts';

/** What the instance's configuration says about one carrier (`CARRIER_<CODE>_…`). */
export type ConfiguredCarrier = {
  baseUrl: string | null;
  authUrl: string | null;
  clientId: string | null;
  clientSecret: string | null;
  apiKey: string | null;
};

type Endpoints = { baseUrl: string | null; authUrl: string | null };

/** The carriers' own addresses; a line that has none must be configured with `BASE_URL`. */
const published = {
  maersk: { baseUrl: 'https://api.maersk.com', authUrl: 'https://api.maersk.com/customer-identity/oauth/v2/access_token' },
  'hapag-lloyd': { baseUrl: 'https://api.hlag.com', authUrl: null },
  dcsa: { baseUrl: null, authUrl: null },
} satisfies Record<ConnectorCode, Endpoints>;

const simulated = {
  maersk: { baseUrl: '/sim/maersk', authUrl: '/sim/maersk/customer-identity/oauth/v2/access_token' },
  'hapag-lloyd': { baseUrl: '/sim/hapag-lloyd', authUrl: null },
  dcsa: { baseUrl: '/sim/dcsa', authUrl: null },
} satisfies Record<ConnectorCode, Endpoints>;

/** The simulator takes any credentials but wrong ones. */
const simulatorCredentials = { clientId: 'simulated-client', clientSecret: 'simulated-secret', apiKey: null };

/**
 * Settings of a connector: configured ones first, else the simulator's when its address is known, else null (then its shipments wait
 * for credentials). A carrier is configured by its base URL, or by credentials for its published address.
 */
export function settingsFor(connector: ConnectorCode, configured: ConfiguredCarrier, simulatorUrl: string | null): CarrierSettings | null {
  const hasCredentials = configured.clientId !== null || configured.apiKey !== null;
  const baseUrl = configured.baseUrl ?? (hasCredentials ? published[connector].baseUrl : null);
  if (baseUrl !== null) {
    // A stand-in at another address must not send its credentials to the real carrier's token endpoint.
    const authUrl = configured.authUrl ?? derivedAuthUrl(connector, baseUrl);
    return { ...configured, baseUrl: withoutSlash(baseUrl), authUrl, simulated: false };
  }
  if (simulatorUrl === null) return null;
  const origin = withoutSlash(simulatorUrl);
  const { baseUrl: base, authUrl } = simulated[connector];
  return {
    ...simulatorCredentials,
    baseUrl: `${origin}${base}`,
    authUrl: authUrl === null ? null : `${origin}${authUrl}`,
    simulated: true,
  };
}

function derivedAuthUrl(connector: ConnectorCode, baseUrl: string): string | null {
  const { baseUrl: publishedBase, authUrl } = published[connector];
  if (publishedBase === null || authUrl === null) return null;
  return withoutSlash(baseUrl) + authUrl.slice(publishedBase.length);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
