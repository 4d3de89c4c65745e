import { type ConnectorCode, connectorCodes } from './known-carriers.ts';

/** What credentials at a carrier may consist of, as clients name it. */
export const credentialFields = ['client_id', 'client_secret', 'api_key', 'certificate', 'private_key', 'scope'] as const;
export type CredentialField = (typeof credentialFields)[number];

/** The values that were given. */
export type CredentialValues = Partial<Record<CredentialField, string>>;

/** What a connector takes: all of one of `anyOf`, and any of `optional`. */
export type CredentialForm = { anyOf: readonly (readonly CredentialField[])[]; optional: readonly CredentialField[] };

const key: CredentialForm = { anyOf: [['api_key']], optional: [] };
const pair: CredentialForm = { anyOf: [['client_id', 'client_secret']], optional: [] };
const keyOrPair: CredentialForm = { anyOf: [['api_key'], ['client_id', 'client_secret']], optional: ['scope'] };

/** By connector; what the carriers' own documentation asks for. Names beyond this release's connectors do no harm. */
const forms: Readonly<Record<ConnectorCode, CredentialForm> & Record<string, CredentialForm>> = {
  'cma-cgm': keyOrPair,
  dcsa: keyOrPair,
  dhl: key,
  evergreen: pair,
  fedex: pair,
  'hapag-lloyd': pair,
  hmm: key,
  'lufthansa-cargo': key,
  maersk: { ...pair, optional: ['api_key'] },
  msc: { anyOf: [['client_id', 'certificate', 'private_key', 'scope'], ['api_key']], optional: [] },
  'nmfta-dsdc': key,
  one: { anyOf: [['api_key', 'client_id', 'client_secret']], optional: [] },
  'one-record': { ...pair, optional: ['scope'] },
  ups: pair,
  'yang-ming': key,
  zim: key,
};

/** What credentials for this connector consist of. */
export function credentialFormOf(connector: ConnectorCode): CredentialForm {
  return forms[connector];
}

/** The connectors for which a form is missing: none, which a test states. */
export function connectorsWithoutForm(): ConnectorCode[] {
  return connectorCodes.filter((connector) => forms[connector] === undefined);
}

/** Everything that the form takes, in the order of `credentialFields`. */
export function fieldsOf({ anyOf, optional }: CredentialForm): CredentialField[] {
  return credentialFields.filter((field) => optional.includes(field) || anyOf.some((needed) => needed.includes(field)));
}

/** What keeps these fields from being credentials: fields that are missing (of the alternative that lacks least), and those not taken. */
export function credentialMistakes(
  form: CredentialForm,
  given: readonly CredentialField[],
): { missing: CredentialField[]; notTaken: CredentialField[] } {
  const taken = fieldsOf(form);
  const lacking = form.anyOf.map((needed) => needed.filter((field) => !given.includes(field)));
  const [missing = []] = lacking.toSorted((left, right) => left.length - right.length);
  return { missing, notTaken: given.filter((field) => !taken.includes(field)) };
}

/** The form in words: "client_id and client_secret, or api_key". */
export function describeForm({ anyOf, optional }: CredentialForm): string {
  const alternatives = anyOf.map((needed) => needed.join(' and ')).join(', or ');
  return optional.length === 0 ? alternatives : `${alternatives}; if you have it, ${optional.join(', ')}`;
}
