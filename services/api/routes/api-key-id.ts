import type { FastifyRequest } from 'fastify';
import { readApiKeyId } from '#shared/contract/keys/api-key-wire.ts';
import { LandfallError } from '#shared/domain/errors.ts';

/** The uuid in the path. Throws LandfallError `api_key_not_found` when the text is no id: it reads like a key that is not there. */
export function apiKeyIdOf(request: FastifyRequest): string {
  const { api_key_id: text } = request.params as { api_key_id: string };
  const keyId = readApiKeyId(text);
  if (keyId === null) throw new LandfallError('api_key_not_found', 'There is no API key with this id.');
  return keyId;
}
