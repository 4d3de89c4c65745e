import { type DcsaDialect, standardReferences } from '../dialect.ts';

const hourMs = 3_600_000;

/**
 * CMA CGM, with ANL, APL and CNC (its OpenAPI file 1.2.7 in buyco/go-cma-sdk). It sends no shipment events, and
 * `carrierSpecificData` states the leg role. Every call is billed, including rejected ones, so a response is reused for
 * one hour. An API key alone gives the public view; a client id and secret give the private one.
 */
export const cmaCgm: DcsaDialect = {
  connector: 'cma-cgm',
  published: { baseUrl: 'https://apis.cma-cgm.net', authUrl: 'https://auth.cma-cgm.com/as/token.oauth2' },
  simulated: { basePath: '/sim/cma-cgm', authPath: '/sim/cma-cgm/as/token.oauth2' },
  budget: { calls: 30, perMs: 60_000, burst: 30 },
  eventsPath: '/operation/trackandtrace/v1/events',
  auth: [
    {
      kind: 'oauth2',
      needs: ['clientId', 'clientSecret', 'authUrl'],
      credentialsIn: 'form',
      scope: 'tandtcommercial:read:be tandtpublic:read:be',
    },
    { kind: 'headers', needs: ['apiKey'], headers: ({ apiKey }) => ({ keyId: apiKey ?? '' }) },
  ],
  references: standardReferences,
  billPrefix: 'bareThenPrefixed',
  parameters: { limit: '100' },
  paging: 'cursor',
  listKeys: ['events'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: {},
  stableEventIds: false,
  answerHoldsMs: hourMs,
};
