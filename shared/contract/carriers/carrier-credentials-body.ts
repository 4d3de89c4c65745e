import { z } from 'zod';
import {
  type CredentialField,
  type CredentialValues,
  credentialFields,
} from '#shared/domain/carriers/known-connectors.ts';
import { parseBody } from '../parse-body.ts';

const mostText = 4096;
const mostPem = 20_000;

/** What goes into a header or a form: nothing but printable ASCII, so that no line can be added to a request. */
function credentialText(description: string, examples: string[]) {
  return z
    .string()
    .trim()
    .min(1)
    .max(mostText)
    .refine((text) => /^[ -~]*$/.test(text), { error: 'must be printable ASCII', params: { code: 'invalid_text' } })
    .optional()
    .meta({ description, examples, writeOnly: true });
}

function pem(label: RegExp, options: { error: string; description: string; examples: string[] }) {
  const { error, description, examples } = options;
  return z
    .string()
    .trim()
    .min(1)
    .max(mostPem)
    .refine((text) => isPem(text, label), { error, params: { code: 'invalid_pem' } })
    .optional()
    .meta({ description, examples, writeOnly: true });
}

/** One or several blocks of this label and nothing else. */
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
  client_secret: credentialText('The secret of that client.', ['********']),
  api_key: credentialText('Your API key (consumer key, subscription key) at the carrier.', ['********']),
  certificate: pem(/^CERTIFICATE$/, {
    error: 'must be a certificate as PEM: -----BEGIN CERTIFICATE----- …',
    description: 'Your certificate (PEM), where the carrier takes signed assertions instead of a secret.',
    examples: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
  }),
  private_key: pem(/^((RSA|EC) )?PRIVATE KEY$/, {
    error: 'must be a private key without a passphrase as PEM: -----BEGIN PRIVATE KEY----- …',
    description: 'The private key (PEM, without a passphrase) of that certificate.',
    examples: ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
  }),
  scope: credentialText('The OAuth 2.0 scope that the carrier gave you.', ['api://carrier/.default']),
} satisfies Record<CredentialField, z.ZodType>);

/**
 * Reads an untrusted body. Throws one LandfallError that names every mistake, never a value: `unknown_field` when that is all, else
 * `validation_failed`.
 */
export function parseCarrierCredentialsBody(body: unknown): CredentialValues {
  const sent = parseBody(carrierCredentialsBody, body);
  const values: CredentialValues = {};
  for (const field of credentialFields) {
    const value = sent[field];
    if (value !== undefined) values[field] = value;
  }
  return values;
}
