import { z } from 'zod';
import { type CredentialCheck, checkOutcomes } from '#shared/domain/carriers/credential-check.ts';
import { instant, openEnum } from '../schema-parts.ts';

export const wireCredentialCheck = z
  .strictObject({
    object: z.literal('carrier_credential_check').meta({ description: 'Always `carrier_credential_check`.' }),
    carrier: z.string().meta({ description: 'Code of the carrier.', examples: ['MAEU'] }),
    credentials: openEnum(['entered', 'stored'], 'Which credentials were tried.', ['entered']),
    outcome: openEnum(
      checkOutcomes,
      'The outcome. `wrong_address`: the address of the carrier or of its sign-in is not configured or not right; ' +
        '`unreachable`: no usable response, or calls are paused after failures; `unreadable_answer`: a response ' +
        'without information on the credentials; `nothing_to_verify`: you have no credentials at this carrier.',
      ['accepted'],
    ),
    message: z
      .string()
      .meta({ description: 'The outcome, as a sentence.', examples: ['Maersk accepted the credentials.'] }),
    http_status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last response. Null: there was none.', examples: [404] }),
    duration_ms: z
      .int()
      .min(0)
      .meta({ description: 'Duration of the call.', examples: [312] }),
    retry_after_s: z
      .int()
      .nullable()
      .meta({ description: 'Seconds until another check makes sense. Null: unknown.', examples: [null] }),
    checked_at: instant('When the carrier was called.'),
  })
  .meta({ id: 'CarrierCredentialCheck', description: 'Result of one call to the carrier with credentials.' });

export function toWireCredentialCheck(check: CredentialCheck): z.infer<typeof wireCredentialCheck> {
  return {
    object: 'carrier_credential_check',
    carrier: check.carrier,
    credentials: check.credentials,
    outcome: check.outcome,
    message: check.message,
    http_status: check.httpStatus,
    duration_ms: check.durationMs,
    retry_after_s: check.retryAfterMs === null ? null : Math.ceil(check.retryAfterMs / 1000),
    checked_at: check.checkedAt,
  };
}
