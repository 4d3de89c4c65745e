import { type DcsaDialect, standardReferences } from '../dialect.ts';

/** Hapag-Lloyd: no event ids, no paging, times in UTC with milliseconds, nulls where other lines omit a field. */
export const hapagLloyd: DcsaDialect = {
  connector: 'hapag-lloyd',
  published: { baseUrl: 'https://api.hlag.com', authUrl: null },
  simulated: { basePath: '/sim/hapag-lloyd', authPath: null },
  budget: { calls: 8, perMs: 60_000, burst: 8 },
  eventsPath: '/hlag/external/v2/events/',
  auth: [
    {
      kind: 'headers',
      needs: ['clientId', 'clientSecret'],
      headers: ({ clientId, clientSecret }) => ({
        'X-IBM-Client-Id': clientId ?? '',
        'X-IBM-Client-Secret': clientSecret ?? '',
      }),
    },
  ],
  references: standardReferences,
  billPrefix: 'asGiven',
  parameters: {},
  paging: 'none',
  listKeys: ['events'],
  timePolicy: 'assumeUtc',
  keyAliases: {},
  codeAliases: {},
  stableEventIds: false,
  answerHoldsMs: null,
};
