import { type DcsaDialect, standardReferences } from '../dialect.ts';

/**
 * Yang Ming (its OpenAPI file in buyco/go-yangming-sdk): transport and equipment events only, exactly one reference,
 * neither limit nor cursor.
 */
export const yangMing: DcsaDialect = {
  connector: 'yang-ming',
  published: { baseUrl: 'https://apidoc.yangming.com', authUrl: null },
  simulated: { basePath: '/sim/yang-ming', authPath: null },
  budget: { calls: 30, perMs: 60_000, burst: 10 },
  eventsPath: '/v2/events',
  auth: [{ kind: 'headers', needs: ['apiKey'], headers: ({ apiKey }) => ({ KeyId: apiKey ?? '' }) }],
  references: standardReferences,
  billPrefix: 'bareThenPrefixed',
  parameters: {},
  paging: 'none',
  listKeys: ['events'],
  timePolicy: 'localNoOffset',
  keyAliases: {},
  codeAliases: {},
  stableEventIds: false,
  answerHoldsMs: null,
};
