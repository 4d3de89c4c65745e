/** The fields of carrier credentials, as clients name them. */
export const credentialFields = [
  'client_id',
  'client_secret',
  'api_key',
  'certificate',
  'private_key',
  'scope',
] as const;
export type CredentialField = (typeof credentialFields)[number];

/** The values that were sent. */
export type CredentialValues = Partial<Record<CredentialField, string>>;

/** Fields that a connector accepts: all fields of one of `anyOf`, and any of `optional`. */
export type CredentialForm = { anyOf: readonly (readonly CredentialField[])[]; optional: readonly CredentialField[] };

const key: CredentialForm = { anyOf: [['api_key']], optional: [] };
const pair: CredentialForm = { anyOf: [['client_id', 'client_secret']], optional: [] };
const keyOrPair: CredentialForm = { anyOf: [['api_key'], ['client_id', 'client_secret']], optional: ['scope'] };

/**
 * The connectors to real carriers, which are also the names of their queues, each with the credentials that the
 * carrier's documentation requires. The worker's registry is closed over this list.
 */
export const knownConnectors = {
  'cma-cgm': keyOrPair,
  cosco: { anyOf: [['api_key', 'client_secret']], optional: [] },
  dcsa: keyOrPair,
  dhl: key,
  evergreen: pair,
  fedex: pair,
  gls: pair,
  'hapag-lloyd': pair,
  hmm: key,
  'lufthansa-cargo': key,
  maersk: { ...pair, optional: ['api_key'] },
  msc: { anyOf: [['client_id', 'certificate', 'private_key', 'scope'], ['api_key']], optional: [] },
  'nmfta-dsdc': keyOrPair,
  one: { anyOf: [['api_key', 'client_id', 'client_secret']], optional: [] },
  'one-record': { ...pair, optional: ['scope'] },
  ups: pair,
  usps: pair,
  'yang-ming': key,
  zim: key,
} as const satisfies Record<string, CredentialForm>;

export type ConnectorCode = keyof typeof knownConnectors;
export const connectorCodes = Object.keys(knownConnectors) as readonly ConnectorCode[];

/** Connectors whose carriers publish no address. The operator sets it. */
export const connectorsWithoutAddress: readonly ConnectorCode[] = ['dcsa', 'evergreen', 'nmfta-dsdc', 'one-record'];

/** Connectors for several carriers, by the standard that they follow. */
export const connectorStandards: Readonly<Record<string, string>> = {
  dcsa: 'DCSA Track & Trace',
  'nmfta-dsdc': 'NMFTA DSDC',
  'one-record': 'IATA ONE Record',
};
