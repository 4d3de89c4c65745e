import { type DcsaDialect, standardReferences } from '../dialect.ts';

/**
 * Evergreen: `PLAN` for `PLN`, empty texts for what is not known of a ship, and a failure for a B/L number with its prefix. It tells customers
 * its addresses alone and takes calls from listed networks only: both addresses have to be configured.
 */
export const evergreen: DcsaDialect = {
  connector: 'evergreen',
  published: { baseUrl: null, authUrl: null },
  simulated: { basePath: '/sim/evergreen', authPath: '/sim/evergreen/oauth2/token' },
  budget: { calls: 30, perMs: 60_000, burst: 10 },
  eventsPath: '/tnt/v2/events',
  push: { subscriptionsPath: '/tnt/v2/event-subscriptions' },
  auth: [{ kind: 'oauth2', needs: ['clientId', 'clientSecret', 'authUrl'], credentialsIn: 'form' }],
  references: standardReferences,
  billPrefix: 'strip',
  parameters: { limit: '100' },
  paging: 'cursor',
  listKeys: ['events'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: { PLAN: 'PLN' },
  stableEventIds: false,
  answerHoldsMs: null,
};
