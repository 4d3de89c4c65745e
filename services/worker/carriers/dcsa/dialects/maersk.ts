import { type DcsaDialect, standardReferences } from '../dialect.ts';

/**
 * Maersk (its OpenAPI file in buyco/go-maersk-sdk): the list is wrapped in `events`, several events share an id, some
 * times have no offset, and B/L numbers omit `MAEU`. Its plan for parties allows about 4,000 calls an hour.
 */
export const maersk: DcsaDialect = {
  connector: 'maersk',
  published: {
    baseUrl: 'https://api.maersk.com',
    authUrl: 'https://api.maersk.com/customer-identity/oauth/v2/access_token',
  },
  simulated: { basePath: '/sim/maersk', authPath: '/sim/maersk/customer-identity/oauth/v2/access_token' },
  budget: { calls: 3000, perMs: 3_600_000, burst: 20 },
  eventsPath: '/track-and-trace-private/events',
  auth: [
    {
      kind: 'oauth2',
      needs: ['clientId', 'clientSecret'],
      credentialsIn: 'form',
      headers: (settings): Record<string, string> => {
        const key = settings.apiKey ?? settings.clientId;
        return key === null ? {} : { 'Consumer-Key': key };
      },
    },
  ],
  references: standardReferences.map((each) =>
    each.identifier === 'container' ? { ...each, pattern: /^[A-Z0-9]{11}$/ } : each,
  ),
  billPrefix: 'strip',
  parameters: { limit: '100' },
  paging: 'cursor',
  listKeys: ['events'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: {},
  stableEventIds: false,
  answerHoldsMs: null,
};
