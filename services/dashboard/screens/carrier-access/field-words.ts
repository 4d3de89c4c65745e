import type { CredentialField } from '#shared/domain/carriers/known-connectors.ts';

type FieldWords = { name: string; hint: string; lines?: number; secret?: boolean };

/** What each field is called in carriers' portals. */
export const fieldWords: Record<CredentialField, FieldWords> = {
  client_id: { name: 'Client id', hint: 'Also called consumer key or application id.' },
  client_secret: { name: 'Client secret', hint: 'Shown once where you made the client.', secret: true },
  api_key: { name: 'API key', hint: 'Also called consumer key or subscription key.', secret: true },
  certificate: { name: 'Certificate', hint: 'PEM: -----BEGIN CERTIFICATE----- …', lines: 4 },
  private_key: { name: 'Private key', hint: 'PEM, without a passphrase, of that certificate.', lines: 4 },
  scope: { name: 'Scope', hint: 'The OAuth 2.0 scope that the carrier gave you.' },
};

/** `Client id and client secret` */
export function fieldList(fields: readonly CredentialField[]): string {
  const names = fields.map((field, index) => (index === 0 ? fieldWords[field].name : lower(fieldWords[field].name)));
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function lower(name: string): string {
  return name.startsWith('API') ? name : name.toLowerCase();
}
