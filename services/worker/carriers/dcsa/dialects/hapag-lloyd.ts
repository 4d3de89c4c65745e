import type { DcsaDialect } from '../dialect.ts';

/** Hapag-Lloyd: no event ids, no paging, times in UTC with milliseconds, nulls where others leave a field out. */
export const hapagLloyd: DcsaDialect = {
  connector: 'hapag-lloyd',
  published: { baseUrl: 'https://api.hlag.com', authUrl: null },
  simulated: { basePath: '/sim/hapag-lloyd', authPath: null },
  budget: { calls: 8, perMs: 60_000, burst: 8 },
  eventsPath: '/hlag/external/v2/events/',
  auth: {
    kind: 'headers',
    headers: ({ clientId, clientSecret }): Record<string, string> => ({
      'X-IBM-Client-Id': clientId ?? '',
      'X-IBM-Client-Secret': clientSecret ?? '',
    }),
  },
  requiredSettings: ['clientId', 'clientSecret'],
  references: [
    { identifier: 'mbl', parameter: 'transportDocumentReference' },
    { identifier: 'booking', parameter: 'carrierBookingReference' },
    { identifier: 'container', parameter: 'equipmentReference' },
  ],
  billPrefix: 'asGiven',
  parameters: {},
  paging: 'none',
  listKeys: ['events'],
  timePolicy: 'assumeUtc',
  keyAliases: {},
  codeAliases: {},
};
