import { type DcsaDialect, standardReferences } from '../dialect.ts';

/**
 * Evergreen sends `PLAN` for `PLN` and empty strings for unknown vessel fields, and rejects a B/L number that has its
 * prefix. It gives its addresses to customers only and accepts calls only from listed networks, so both addresses must
 * be configured.
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
