import { z } from 'zod';
import { defaultScopes, type Scope, scopes } from '#shared/domain/caller.ts';
import { readMoment } from '../moment.ts';
import { parseBody } from '../parse-body.ts';
import { plainText } from '../plain-text.ts';

const expiry = z
  .string()
  .refine((text) => text.includes(':') && readMoment(text, 'from') !== null, {
    error: 'must be a time with an offset, for example 2027-04-15T00:00:00Z',
    params: { code: 'invalid_time' },
  })
  .meta({
    description: 'When the key ends, in the future; absent or null: never.',
    examples: ['2027-04-15T00:00:00Z'],
  });

/** The body that makes a key. */
export const createApiKeyBody = z.strictObject({
  name: plainText({ max: 200 }).meta({
    description: 'What you call it: who or what uses the key.',
    examples: ['production server'],
  }),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .default([...defaultScopes])
    .meta({ description: 'What the key may do; no more than the key that makes it.', examples: [['shipments:read']] }),
  expires_at: expiry.nullish(),
  test: z
    .boolean()
    .optional()
    .meta({
      description:
        'True: a key for test shipments. Default: of the same kind as the key that makes it. A test key makes test keys only.',
      examples: [false],
    }),
});

export type CreateApiKeyInput = { name: string; scopes: Scope[]; expiresAt: string | null; test: boolean | undefined };

/** Reads an untrusted body. Throws one LandfallError that names every mistake: `unknown_field` when that is all, else `validation_failed`. */
export function parseCreateApiKeyBody(body: unknown): CreateApiKeyInput {
  const { name, test, expires_at: expiresAt, scopes: sent } = parseBody(createApiKeyBody, body);
  return {
    name,
    scopes: [...new Set(sent)],
    expiresAt: typeof expiresAt === 'string' ? readMoment(expiresAt, 'from') : null,
    test,
  };
}
