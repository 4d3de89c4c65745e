import { z } from 'zod';
import { scopes } from '#shared/domain/caller.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';

const instant = z.iso.datetime();

/** A key as it is listed: never the key itself. */
export const wireApiKey = z
  .strictObject({
    api_key_id: z
      .string()
      .meta({ description: 'Public id of the key; not secret.', examples: ['key_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
    object: z.literal('api_key').meta({ description: 'Always `api_key`.' }),
    name: z.string().meta({ description: 'What you called it.', examples: ['production server'] }),
    prefix: z.string().meta({ description: 'How the key begins, to recognise it by.', examples: ['svc_live_Ab3d'] }),
    last_four: z.string().meta({ description: 'How the key ends.', examples: ['x9Zk'] }),
    scopes: z.array(z.string()).meta({
      description: `What the key may do. Open: accept new values. Known: ${scopes.join(', ')}.`,
      examples: [['shipments:read', 'shipments:write']],
    }),
    test: z.boolean().meta({ description: 'True: the key sees and makes test shipments only.', examples: [false] }),
    created_at: instant.meta({ description: 'When the key was made.', examples: ['2026-04-15T09:30:00.000Z'] }),
    expires_at: instant
      .nullable()
      .meta({ description: 'When the key ends; null: never.', examples: ['2027-04-15T00:00:00.000Z'] }),
    revoked_at: instant
      .nullable()
      .meta({ description: 'When the key was revoked; null: it was not.', examples: ['2026-05-01T12:00:00.000Z'] }),
    last_used_at: instant.nullable().meta({
      description: 'When the key was last used, to the minute; null: never.',
      examples: ['2026-04-16T08:00:12.000Z'],
    }),
    rotated_to: z
      .string()
      .nullable()
      .meta({
        description: 'Id of the key that replaces this one, which ends at `expires_at`; null: it was not rotated.',
        examples: ['key_01kahf9q4pf0wr2s6t8v0x2z4b'],
      }),
  })
  .meta({ id: 'ApiKey', description: 'An API key, without its secret.' });

/** A key that was just made. */
export const wireCreatedApiKey = wireApiKey
  .extend({
    secret: z.string().meta({
      description:
        'The key itself, to send as `Authorization: Bearer …`. Shown in this one answer only and stored nowhere.',
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
        limit: z.int().meta({ description: 'Keys asked for.', examples: [25] }),
        has_more: z.boolean().meta({ description: 'There are older keys.', examples: [false] }),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: 'Send as `cursor` for the next page; null on the last one.', examples: [null] }),
      })
      .meta({ description: 'Where this page stands.' }),
  })
  .meta({ id: 'ApiKeyList', description: 'One page of API keys.' });

type WireApiKey = z.infer<typeof wireApiKey>;

/** What of a key can be shown. Ids are uuids, times ISO UTC. */
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

/** The uuid of a public key id, or null when the text is none. */
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

/** The answer to making a key: the only one that holds its secret. */
export function toWireCreatedApiKey(key: ShownApiKey & { secret: string }): z.infer<typeof wireCreatedApiKey> {
  return { ...toWireApiKey(key), secret: key.secret };
}
