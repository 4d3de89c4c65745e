import { z } from 'zod';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { Operations } from '../operation.ts';

const days = z.int().min(1).max(36_500);

const wireAccount = z
  .strictObject({
    object: z.literal('account').meta({ description: 'Always `account`.' }),
    account_id: z.string().meta({ description: 'Id of the account.', examples: ['acc_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
    name: z.string().meta({ description: 'Name of the account.', examples: ['Acme'] }),
    retention_days: days.nullable().meta({
      description: 'Days after which a closed shipment is removed for good, set by the account. Null: not set.',
      examples: [365],
    }),
    effective_retention_days: days.nullable().meta({
      description:
        'The smaller of `retention_days` and the setting of the installation. Null: closed shipments are kept.',
      examples: [365],
    }),
  })
  .meta({ id: 'Account', description: 'An account and its settings.' });

const accountBody = z.strictObject({
  retention_days: days.nullable().meta({
    description:
      'Days after which a closed shipment is removed for good, 1 to 36,500. Null: the setting of the installation ' +
      'applies. A number above that setting has no effect.',
    examples: [365],
  }),
});

const common = { access: 'key_or_session', path: '/v1/account', tag: 'API keys' } as const;
const account = { 200: { description: 'The account.', schema: wireAccount } };

export const accountOperations = {
  getAccount: {
    ...common,
    method: 'GET',
    scope: 'shipments:read',
    limit: 'read',
    summary: 'Get the account',
    description: 'Returns the account with its name and how long it keeps closed shipments.',
    answers: account,
    errors: ['unknown_parameter'],
  },
  updateAccount: {
    ...common,
    method: 'PATCH',
    scope: 'shipments:delete',
    limit: 'write',
    liveKeysOnly: true,
    summary: 'Update the account',
    description:
      'Sets how long the account keeps closed shipments. Within minutes, Landfall starts to remove those that have ' +
      'been closed for longer, with everything about them. This cannot be undone, and the feed does not announce it. ' +
      'Safe to repeat.',
    body: {
      schema: accountBody,
      description: 'The settings.',
      examples: {
        year: { summary: 'Remove shipments a year after they closed', value: { retention_days: 365 } },
      },
    },
    answers: account,
    errors: ['invalid_json', 'validation_failed', 'unknown_field', 'unknown_parameter', 'test_key_not_allowed'],
  },
} as const satisfies Operations;

/** An account, as the core returns it. */
export type ShownAccount = {
  accountId: string;
  name: string;
  retentionDays: number | null;
  effectiveRetentionDays: number | null;
};

export function toWireAccount(shown: ShownAccount): z.infer<typeof wireAccount> {
  return {
    object: 'account',
    account_id: encodeTypeId('acc', shown.accountId),
    name: shown.name,
    retention_days: shown.retentionDays,
    effective_retention_days: shown.effectiveRetentionDays,
  };
}
