import { type DcsaDialect, standardReferences } from '../dialect.ts';

/**
 * ZIM: B/L numbers include the `ZIMU` prefix, limit and filters are ignored, and transport events have no transport
 * call.
 */
export const zim: DcsaDialect = {
  connector: 'zim',
  published: { baseUrl: 'https://apigw.zim.com', authUrl: null },
  simulated: { basePath: '/sim/zim', authPath: null },
  budget: { calls: 30, perMs: 60_000, burst: 10 },
  eventsPath: '/trackAndTrace/v2/',
  auth: [
    { kind: 'headers', needs: ['apiKey'], headers: ({ apiKey }) => ({ 'Ocp-Apim-Subscription-Key': apiKey ?? '' }) },
  ],
  references: standardReferences,
  billPrefix: 'add',
  parameters: {},
  paging: 'none',
  listKeys: ['events'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: {},
  stableEventIds: false,
  answerHoldsMs: null,
};
