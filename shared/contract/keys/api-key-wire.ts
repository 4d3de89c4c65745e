import { z } from 'zod';
import { scopes } from '#shared/domain/caller.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { knownValues } from '../schema-parts.ts';

const time = z.iso.datetime();

export const scopeList = z.array(z.string()).meta({
  description: `Scopes of the key. ${knownValues(scopes)}`,
  examples: [['shipments:read', 'shipments:write']],
});

/** A key without its secret. */
export const wireApiKey = z
  .strictObject({
    api_key_id: z
      .string()
      .meta({ description: 'Public id of the key. Not secret.', examples: ['key_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
    object: z.literal('api_key').meta({ description: 'Always `api_key`.' }),
    name: z.string().meta({ description: 'Name of the key.', examples: ['production server'] }),
    prefix: z.string().meta({ description: 'First characters of the key.', examples: ['svc_live_Ab3d'] }),
    last_four: z.string().meta({ description: 'Last four characters of the key.', examples: ['x9Zk'] }),
    scopes: scopeList,
    test: z.boolean().meta({ description: 'Whether the key is limited to test shipments.', examples: [false] }),
    created_at: time.meta({ description: 'When the key was created.', examples: ['2026-04-15T09:30:00.000Z'] }),
    expires_at: time
      .nullable()
      .meta({ description: 'When the key expires. Null: never.', examples: ['2027-04-15T00:00:00.000Z'] }),
    revoked_at: time
      .nullable()
      .meta({ description: 'When the key was revoked. Null if it is not.', examples: ['2026-05-01T12:00:00.000Z'] }),
    last_used_at: time.nullable().meta({
      description: 'When the key was last used, to the minute. Null: never.',
      examples: ['2026-04-16T08:00:12.000Z'],
    }),
    rotated_to: z
      .string()
      .nullable()
      .meta({
        description: 'Id of the key that replaces this one, which expires at `expires_at`. Null if it was not rotated.',
        examples: ['key_01kahf9q4pf0wr2s6t8v0x2z4b'],
      }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });

/** A new key. */
export const wireCreatedApiKey = wireApiKey
  .extend({
    secret: z.string().meta({
      description: 'The key itself, sent as `Authorization: Bearer …`. Returned only once, and stored only as a hash.',
      examples: ['svc_live_…'],
    }),
  })
  .meta({ id: 'CreatedApiKey', description: 'A new API key with its secret.' });

/** One page of keys. */
export const wireApiKeyList = z
  .strictObject({
    data: z.array(wireApiKey).meta({ description: 'The keys, newest first.' }),
    page: z
      .strictObject({
        limit: z.int().meta({ description: 'Page size.', examples: [25] }),
        has_more: z.boolean().meta({ description: 'Whether there is another page.', examples: [false] }),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: '`cursor` of the next page. Null on the last page.', examples: [null] }),
      })
      .meta({ description: 'Pagination.' }),
  })
  .meta({ id: 'ApiKeyList', description: 'One page of API keys.' });

export type WireApiKey = z.infer<typeof wireApiKey>;

/** The public fields of a key. Ids are uuids, times ISO UTC. */
export type ShownApiKey = {
  id: string;
  name: string;
  prefix: string;
  lastFour: string;
  scopes: readonly string[];
  test: boolean;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  rotatedTo: string | null;
};

/** The public id of a key. */
export function toApiKeyId(uuid: string): string {
  return encodeTypeId('key', uuid);
}

/** The uuid of a public key id, or null if the text is not one. */
export function readApiKeyId(text: string): string | null {
  return decodeTypeId('key', text);
}

export function toWireApiKey(key: ShownApiKey): WireApiKey {
  return {
    api_key_id: toApiKeyId(key.id),
    object: 'api_key',
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: [...key.scopes],
    test: key.test,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    rotated_to: key.rotatedTo === null ? null : toApiKeyId(key.rotatedTo),
  };
}

/** The only response that contains the secret. */
export function toWireCreatedApiKey(key: ShownApiKey & { secret: string }): z.infer<typeof wireCreatedApiKey> {
  return { ...toWireApiKey(key), secret: key.secret };
}
