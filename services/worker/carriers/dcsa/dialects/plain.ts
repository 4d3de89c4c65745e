import { type DcsaDialect, standardReferences } from '../dialect.ts';

/** The standard as written, for every line without a dialect of its own; an API key, if there is one, goes into the usual headers. */
export const plain: DcsaDialect = {
  connector: 'dcsa',
  published: { baseUrl: null, authUrl: null },
  simulated: { basePath: '/sim/dcsa', authPath: null },
  budget: { calls: 30, perMs: 60_000, burst: 30 },
  eventsPath: '/v2/events',
  push: { subscriptionsPath: '/v2/event-subscriptions' },
  auth: [
    {
      kind: 'headers',
      needs: [],
      headers: ({ apiKey }): Record<string, string> =>
        apiKey === null ? {} : { apikey: apiKey, KeyId: apiKey, 'Ocp-Apim-Subscription-Key': apiKey },
    },
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
