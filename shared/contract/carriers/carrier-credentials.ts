import { z } from 'zod';
import {
  type CarrierCredential,
  type CredentialReport,
  credentialSources,
  credentialStates,
} from '#shared/domain/carriers/carrier-credential.ts';
import {
  type CredentialField,
  type CredentialValues,
  credentialFields,
} from '#shared/domain/carriers/known-connectors.ts';
import { parseBody } from '../input/parse-body.ts';
import { instant, instantOrNull, knownValues, openEnum } from '../schema-parts.ts';

const maxTextLength = 4096;
const maxPemLength = 20_000;

/** Sent in a header or a form: only printable ASCII, so that nothing can be injected into the request. */
function credentialText(description: string, examples: string[]) {
  return z
    .string()
    .trim()
    .min(1)
    .max(maxTextLength)
    .refine((text) => /^[ -~]*$/.test(text), { error: 'must be printable ASCII.', params: { code: 'invalid_text' } })
    .optional()
    .meta({ description, examples, writeOnly: true });
}

function pem(label: RegExp, options: { error: string; description: string; examples: string[] }) {
  const { error, description, examples } = options;
  return z
    .string()
    .trim()
    .min(1)
    .max(maxPemLength)
    .refine((text) => isPem(text, label), { error, params: { code: 'invalid_pem' } })
    .optional()
    .meta({ description, examples, writeOnly: true });
}

/** One or more blocks with this label and nothing else. */
function isPem(text: string, label: RegExp): boolean {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----\s*/g)];
  return (
    blocks.length > 0 &&
    blocks.map(([block]) => block).join('') === text &&
    blocks.every(([, found = '']) => label.test(found))
  );
}

/** The body that sets credentials. */
export const carrierCredentialsBody = z.strictObject({
  client_id: credentialText('Your client id at the carrier.', ['my-client']),
  client_secret: credentialText('The client secret.', ['********']),
  api_key: credentialText('Your API key (consumer key, subscription key) at the carrier.', ['********']),
  certificate: pem(/^CERTIFICATE$/, {
    error: 'must be a certificate in PEM format: -----BEGIN CERTIFICATE----- …',
    description: 'Your certificate (PEM), for carriers that use signed assertions instead of a secret.',
    examples: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
  }),
  private_key: pem(/^((RSA|EC) )?PRIVATE KEY$/, {
    error: 'must be a private key in PEM format, without a passphrase: -----BEGIN PRIVATE KEY----- …',
    description: 'The private key of the certificate (PEM, without a passphrase).',
    examples: ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
  }),
  scope: credentialText('The OAuth 2.0 scope issued by the carrier.', ['api://carrier/.default']),
} satisfies Record<CredentialField, z.ZodType>);

/** Parses an untrusted body. Throws one LandfallError that names every mistake but never a value. */
export function parseCarrierCredentialsBody(body: unknown): CredentialValues {
  const sent = parseBody(carrierCredentialsBody, body);
  const values: CredentialValues = {};
  for (const field of credentialFields) {
    const value = sent[field];
    if (value !== undefined) values[field] = value;
  }
  return values;
}

const time = z.iso.datetime();

const fields = z.array(z.string()).meta({
  description: `Names of the fields that are set. ${knownValues(credentialFields)}`,
  examples: [['client_id', 'client_secret']],
});

export const wireCarrierCredentials = z
  .strictObject({
    object: z.literal('carrier_credentials').meta({ description: 'Always `carrier_credentials`.' }),
    carrier: z.string().meta({ description: 'Code of the carrier.', examples: ['MAEU'] }),
    state: openEnum(
      credentialStates,
      'State of the credentials. Suspended credentials were rejected by the carrier and are not used.',
      ['active'],
    ),
    fields,
    version: z.int().meta({ description: 'Increases with every change, including removal.', examples: [1] }),
    updated_at: instant('When they were last changed.'),
  })
  .meta({
    id: 'CarrierCredentials',
    description: 'Your credentials at a carrier, without their values, which cannot be retrieved.',
  });

export const wireCredentialReport = z
  .strictObject({
    source: openEnum(
      credentialSources,
      'Whose credentials are used. `account`: your own; `instance`: those of the operator; `simulator`: the carrier ' +
        'is simulated; `none`: shipments wait for credentials (test shipments need none).',
      ['account'],
    ),
    state: z
      .string()
      .nullable()
      .meta({
        description:
          'State of the credentials. Null if there are none. Suspended credentials were rejected by the carrier. ' +
          'They are not used until they ' +
          `are replaced, except for one trial refresh every half hour. ${knownValues(credentialStates)}`,
        examples: ['active'],
      }),
    fields,
    updated_at: instantOrNull('When they were last changed. Null if there are none.'),
    suspended_at: time
      .nullable()
      .meta({ description: 'When they were suspended. Null if they are not.', examples: [null] }),
    reason: z
      .string()
      .nullable()
      .meta({
        description: 'Why they are suspended, as in `tracking.reason` of the shipments. Null if they are not.',
        examples: [null],
      }),
  })
  .meta({
    id: 'CarrierCredentialReport',
    description: 'Whose credentials are used to poll the carrier for you, and whether the carrier accepts them.',
  });

export function toWireCarrierCredentials(credential: CarrierCredential): z.infer<typeof wireCarrierCredentials> {
  return {
    object: 'carrier_credentials',
    carrier: credential.carrier,
    state: credential.suspension === null ? 'active' : 'suspended',
    fields: credential.fields,
    version: credential.version,
    updated_at: credential.updatedAt,
  };
}

export function toWireCredentialReport(report: CredentialReport): z.infer<typeof wireCredentialReport> {
  return {
    source: report.source,
    state: report.state,
    fields: [...report.fields],
    updated_at: report.updatedAt,
    suspended_at: report.suspension?.at ?? null,
    reason: report.suspension?.reason ?? null,
  };
}
