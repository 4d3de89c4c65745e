import { type ApiKeyParts, apiKeyBody, formatApiKey, parseApiKey } from '#shared/domain/keys/api-key.ts';
import { sha256Hex } from './sha256-hex.ts';

/** A key that was never used, with what is stored of it. */
export function newSecret(test: boolean): { secret: string; stored: ApiKeyParts & { keyHash: string } } {
  const body = apiKeyBody((count) => globalThis.crypto.getRandomValues(new Uint8Array(count)));
  const secret = formatApiKey(body, test);
  const parts = parseApiKey(secret);
  if (parts === null) throw new Error('a key that was just made does not parse');
  return { secret, stored: { ...parts, keyHash: sha256Hex(secret) } };
}
