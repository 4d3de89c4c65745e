import type { DcsaDialect } from '../dialect.ts';

/** Maersk: the list is wrapped in `events`, event ids are shared by several events, some times have no offset, B/L without `MAEU`. */
export const maersk: DcsaDialect = {
  connector: 'maersk',
  published: {
    baseUrl: 'https://api.maersk.com',
    authUrl: 'https://api.maersk.com/customer-identity/oauth/v2/access_token',
  },
  simulated: { basePath: '/sim/maersk', authPath: '/sim/maersk/customer-identity/oauth/v2/access_token' },
  budget: { calls: 3000, perMs: 3_600_000, burst: 20 },
  eventsPath: '/track-and-trace-private/events',
  auth: {
    kind: 'oauth2',
    credentialsIn: 'form',
    headers: (settings): Record<string, string> => {
      const key = settings.apiKey ?? settings.clientId;
      return key === null ? {} : { 'Consumer-Key': key };
    },
  },
  requiredSettings: ['clientId', 'clientSecret'],
  references: [
    { identifier: 'mbl', parameter: 'transportDocumentReference' },
    { identifier: 'booking', parameter: 'carrierBookingReference' },
    { identifier: 'container', parameter: 'equipmentReference' },
  ],
  billPrefix: 'strip',
  parameters: { limit: '100' },
  paging: 'cursor',
  listKeys: ['events'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: {},
};
