import type { CarrierSettings } from '../../carrier.ts';
import { type DcsaDialect, standardReferences } from '../dialect.ts';

const headers = ({ apiKey }: CarrierSettings): Record<string, string> =>
  apiKey === null ? {} : { apikey: apiKey, KeyId: apiKey, 'Ocp-Apim-Subscription-Key': apiKey };

/**
 * The standard as published, for every line without a dialect of its own. The standard leaves authentication to the
 * lines: with a token address it is OAuth 2.0; an API key, if set, goes into the usual headers.
 */
export const plain: DcsaDialect = {
  connector: 'dcsa',
  published: { baseUrl: null, authUrl: null },
  simulated: { basePath: '/sim/dcsa', authPath: null },
  budget: { calls: 30, perMs: 60_000, burst: 30 },
  eventsPath: '/v2/events',
  push: { subscriptionsPath: '/v2/event-subscriptions' },
  auth: [
    { kind: 'oauth2', needs: ['clientId', 'clientSecret', 'authUrl'], credentialsIn: 'form', headers },
    { kind: 'headers', needs: [], headers },
  ],
  references: standardReferences,
  billPrefix: 'bareThenPrefixed',
  parameters: { limit: '100' },
  paging: 'cursor',
  listKeys: ['events', 'data', 'payload'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: { PLAN: 'PLN', FEEDER: 'VESSEL' },
  stableEventIds: false,
  answerHoldsMs: null,
};
