import type { CarrierSettings, Connector } from './carrier.ts';

/** The instance's configuration for one carrier (`CARRIER_<CODE>_…`). */
export type ConfiguredCarrier = {
  baseUrl: string | null;
  authUrl: string | null;
  clientId: string | null;
  clientSecret: string | null;
  apiKey: string | null;
  certificate: string | null;
  privateKey: string | null;
  scope: string | null;
};

/** The simulator accepts any credentials except invalid ones. */
const simulatorCredentials = {
  clientId: 'simulated-client',
  clientSecret: 'simulated-secret',
  apiKey: 'simulated-key',
  certificate: null,
  privateKey: null,
  scope: null,
};

/**
 * Settings of a connector: the configured ones, or else the simulator's if its address is known, or else null (its
 * shipments then wait for credentials). A carrier is configured by its base URL, or by credentials for its published
 * address.
 */
export function settingsFor(
  connector: Pick<Connector, 'published' | 'simulated'>,
  configured: ConfiguredCarrier,
  simulatorUrl: string | null,
): CarrierSettings | null {
  const hasCredentials = configured.clientId !== null || configured.apiKey !== null || configured.privateKey !== null;
  const baseUrl = configured.baseUrl ?? (hasCredentials ? connector.published.baseUrl : null);
  if (baseUrl !== null) {
    // A simulated carrier at another address must not send its credentials to the real carrier's token endpoint.
    const authUrl = configured.authUrl ?? derivedAuthUrl(connector, baseUrl);
    return { ...configured, baseUrl: withoutSlash(baseUrl), authUrl, simulated: false };
  }
  if (simulatorUrl === null) return null;
  const origin = withoutSlash(simulatorUrl);
  const { basePath, authPath } = connector.simulated;
  return {
    ...simulatorCredentials,
    baseUrl: `${origin}${basePath}`,
    authUrl: authPath === null ? null : `${origin}${authPath}`,
    simulated: true,
  };
}

function derivedAuthUrl({ published }: Pick<Connector, 'published'>, baseUrl: string): string | null {
  const { baseUrl: publishedBase, authUrl } = published;
  if (publishedBase === null || authUrl === null) return null;
  if (withoutSlash(baseUrl) === withoutSlash(publishedBase)) return authUrl;
  // Some carriers have separate hosts for tokens and for data.
  const { pathname, search } = new URL(authUrl);
  return (
    withoutSlash(baseUrl) +
    (authUrl.startsWith(publishedBase) ? authUrl.slice(publishedBase.length) : `${pathname}${search}`)
  );
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
