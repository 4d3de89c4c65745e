import { type DcsaDialect, standardReferences } from '../dialect.ts';

const apiKey = (settings: { apiKey: string | null }): Record<string, string> => ({ apikey: settings.apiKey ?? '' });

/**
 * Ocean Network Express (its OpenAPI file in buyco/go-one-sdk): transport and equipment events only, an exploded list
 * of event types, 60 calls a minute. The token request is a POST with the grant in its query, and `expires_in` is text.
 */
export const one: DcsaDialect = {
  connector: 'one',
  published: { baseUrl: 'https://apis.one-line.com', authUrl: 'https://apis.one-line.com/v1/oauth/accesstoken' },
  simulated: { basePath: '/sim/one', authPath: '/sim/one/v1/oauth/accesstoken' },
  budget: { calls: 50, perMs: 60_000, burst: 10 },
  eventsPath: '/v2/cargotracking/events',
  auth: [
    {
      kind: 'oauth2',
      needs: ['clientId', 'clientSecret', 'apiKey'],
      credentialsIn: 'basic',
      grantIn: 'query',
      headers: apiKey,
    },
  ],
  references: standardReferences,
  billPrefix: 'bareThenPrefixed',
  parameters: { eventType: ['TRANSPORT', 'EQUIPMENT'], limit: '100' },
  listStyle: 'exploded',
  paging: 'cursor',
  listKeys: ['events', 'payload'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: { FEEDER: 'VESSEL' },
  stableEventIds: false,
  answerHoldsMs: null,
};
