import { z } from 'zod';
import type { Scope } from '#shared/domain/caller.ts';
import type { Limits } from '#shared/domain/keys/limits.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { scopeList, toApiKeyId } from './api-key-wire.ts';

const time = z.iso.datetime();

const perMinute = (what: string, example: number) =>
  z.int().meta({ description: `${what} per minute.`, examples: [example] });

export const wireMe = z
  .strictObject({
    object: z.literal('caller').meta({ description: 'Always `caller`.' }),
    account: z
      .strictObject({
        account_id: z
          .string()
          .meta({ description: 'Id of the account.', examples: ['acc_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
        name: z.string().meta({ description: 'Name of the account.', examples: ['Acme'] }),
      })
      .meta({ description: 'Account of the key.' }),
    api_key: z
      .strictObject({
        api_key_id: z.string().meta({ description: 'Id of the key.', examples: ['key_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
        name: z.string().meta({ description: 'Name of the key.', examples: ['production server'] }),
        prefix: z.string().meta({ description: 'First characters of the key.', examples: ['svc_live_Ab3d'] }),
        last_four: z.string().meta({ description: 'Last four characters of the key.', examples: ['x9Zk'] }),
        expires_at: time.nullable().meta({ description: 'When the key expires. Null: never.', examples: [null] }),
        last_used_at: time
          .nullable()
          .meta({ description: 'When the key was last used, to the minute.', examples: ['2026-04-16T08:00:12.000Z'] }),
      })
      .meta({ description: 'Key of this request.' }),
    test: z.boolean().meta({ description: 'Whether the key is limited to test shipments.', examples: [false] }),
    scopes: scopeList,
    limits: z
      .strictObject({
        read: perMinute('Reads', 6000),
        write: perMinute('Writes', 3000),
        batch: perMinute('Batches', 120),
        mcp: perMinute('MCP requests', 600),
      })
      .meta({ description: 'Rate limits of the key.' }),
  })
  .meta({ id: 'Caller', description: 'The account and key of a request.' });

/** The public fields of a caller. Ids are uuids, times ISO UTC. */
export type ShownCaller = {
  accountId: string;
  keyId: string;
  key: {
    accountName: string;
    name: string;
    prefix: string;
    lastFour: string;
    scopes: readonly Scope[];
    test: boolean;
    expiresAt: string | null;
    lastUsedAt: string | null;
  };
  limits: Limits;
};

export function toWireMe({ accountId, keyId, key, limits }: ShownCaller): z.infer<typeof wireMe> {
  return {
    object: 'caller',
    account: { account_id: encodeTypeId('acc', accountId), name: key.accountName },
    api_key: {
      api_key_id: toApiKeyId(keyId),
      name: key.name,
      prefix: key.prefix,
      last_four: key.lastFour,
      expires_at: key.expiresAt,
      last_used_at: key.lastUsedAt,
    },
    test: key.test,
    scopes: [...key.scopes],
    limits: { read: limits.read, write: limits.write, batch: limits.batch, mcp: limits.mcp },
  };
}
