import { z } from 'zod';
import { defaultScopes, grantableScopes, type Scope } from '#shared/domain/caller.ts';
import { defaultOverlapHours, maxOverlapHours } from '#shared/domain/keys/api-key.ts';
import { cursorAfterId, type ListOfIds, pageOfIdsQuery, parsePageOfIds } from '../input/page-of-ids.ts';
import { parseBody } from '../input/parse-body.ts';
import { plainText } from '../input/plain-text.ts';
import { readInstant } from '../input/read-instant.ts';
import type { RawQuery } from '../operation.ts';
import { readApiKeyId, toApiKeyId } from './api-key-wire.ts';

const expiry = z
  .string()
  .refine((text) => text.includes(':') && readInstant(text, 'from') !== null, {
    error: 'must be a time with an offset, such as 2027-04-15T00:00:00Z.',
    params: { code: 'invalid_time' },
  })
  .meta({
    description:
      'When the key expires, in the future. Absent or null: never, or with the key that creates it. A key that ' +
      'expires can only create keys that expire no later.',
    examples: ['2027-04-15T00:00:00Z'],
  });

/** The body that creates a key. */
export const createApiKeyBody = z.strictObject({
  name: plainText({ max: 200 }).meta({
    description: 'Name of the key, such as the program that uses it.',
    examples: ['production server'],
  }),
  scopes: z
    .array(z.enum(grantableScopes))
    .min(1)
    .max(grantableScopes.length)
    .default([...defaultScopes])
    .meta({
      description: 'Scopes of the key, limited to those of the key that creates it.',
      examples: [['shipments:read']],
    }),
  expires_at: expiry.nullish(),
  test: z
    .boolean()
    .optional()
    .meta({
      description:
        'Whether the key is a test key. Default: like the key that creates it. Test keys can only create test keys.',
      examples: [false],
    }),
});

export type CreateApiKeyInput = { name: string; scopes: Scope[]; expiresAt: string | null; test: boolean | undefined };

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseCreateApiKeyBody(body: unknown): CreateApiKeyInput {
  const { name, test, expires_at: expiresAt, scopes: sent } = parseBody(createApiKeyBody, body);
  return {
    name,
    scopes: [...new Set(sent)],
    expiresAt: typeof expiresAt === 'string' ? readInstant(expiresAt, 'from') : null,
    test,
  };
}

/** The optional body that rotates a key. */
export const rotateApiKeyBody = z.strictObject({
  overlap_hours: z
    .number()
    .min(0)
    .max(maxOverlapHours)
    .default(defaultOverlapHours)
    .meta({
      description: 'Hours for which the old key stays valid, 0 to 168. With 0 it expires at once.',
      examples: [24],
    }),
});

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseRotateApiKeyBody(body: unknown): { overlapHours: number } {
  return { overlapHours: parseBody(rotateApiKeyBody, body ?? {}).overlap_hours };
}

export const listApiKeysQuery = pageOfIdsQuery;

const apiKeys: ListOfIds = { binding: 'api-keys', toId: toApiKeyId, readId: readApiKeyId };

/**
 * Parses the query of the list of keys. Throws LandfallError `validation_failed`, `unknown_parameter` or
 * `invalid_cursor`.
 */
export function parseListApiKeysQuery(query: RawQuery): { limit: number; after: string | null } {
  return parsePageOfIds(apiKeys, query);
}

/** The cursor after this key. */
export function apiKeyCursor(uuid: string): string {
  return cursorAfterId(apiKeys, uuid);
}
