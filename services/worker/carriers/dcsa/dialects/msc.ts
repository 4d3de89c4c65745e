import { type DcsaDialect, standardReferences } from '../dialect.ts';

/**
 * MSC (its OpenAPI file in buyco/go-msc-sdk): exactly one reference; actual and estimated events only; repeated event
 * ids; local times marked `Z`; 1,200 calls in five minutes. Authenticates by certificate at its Azure tenant, or with
 * an older subscription key.
 */
export const msc: DcsaDialect = {
  connector: 'msc',
  published: {
    baseUrl: 'https://api.tech.msc.com',
    authUrl: 'https://login.microsoftonline.com/088e9b00-ffd0-458e-bfa1-acf4c596d3cb/oauth2/v2.0/token',
  },
  simulated: { basePath: '/sim/msc', authPath: '/sim/msc/oauth2/v2.0/token' },
  budget: { calls: 1000, perMs: 300_000, burst: 20 },
  eventsPath: '/msc/trackandtrace/v2.2/events',
  auth: [
    { kind: 'assertion', needs: ['clientId', 'certificate', 'privateKey', 'scope', 'authUrl'] },
    { kind: 'headers', needs: ['apiKey'], headers: ({ apiKey }) => ({ 'Ocp-Apim-Subscription-Key': apiKey ?? '' }) },
  ],
  references: standardReferences,
  billPrefix: 'bareThenPrefixed',
  parameters: {},
  paging: 'cursor',
  listKeys: ['events'],
  timePolicy: 'localStampedZ',
  keyAliases: { vesselOperatorCarrierCodeList: 'vesselOperatorCarrierCodeListProvider' },
  codeAliases: {},
  stableEventIds: false,
  answerHoldsMs: null,
};
