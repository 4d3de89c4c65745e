import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { batchAnswer, batchBody, mostBatchRows } from './batch-body.ts';

/** 1,000 rows of 8 KiB each. */
const mostBatchBytes = 8 * 1024 * 1024;

export const registerBatchOperation: Operation = {
  id: 'registerBatch',
  method: 'POST',
  path: '/v1/shipments/batch',
  tag: 'Shipments',
  summary: 'Register many shipments',
  description:
    `Registers up to ${mostBatchRows} shipments in one call, at most 8 MiB. Each row ends as if it had been sent alone, in order: created, existing, or failed ` +
    'with its own error; a bad row never fails its neighbours. The rows and the answer that is kept under the Idempotency-Key are stored ' +
    'together, or not at all. For more rows use an import.',
  scope: 'shipments:write',
  limit: 'batch',
  idempotent: true,
  body: {
    schema: batchBody,
    description: 'The registrations.',
    maxBytes: mostBatchBytes,
    examples: {
      two: {
        summary: 'Two ocean shipments',
        value: {
          shipments: [
            { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456789' }, reference: 'PO-7741' },
            { transport_mode: 'ocean', carrier: 'HLCU', identifiers: { container: 'HLXU1234567' } },
          ],
        },
      },
    },
  },
  answers: {
    200: {
      description: 'Every row was looked at; `results` says what became of each.',
      schema: batchAnswer,
      headers: {
        'Idempotent-Replayed': {
          description: '`true` when this is the first answer to the same Idempotency-Key, sent again.',
          schema: z.literal('true'),
        },
      },
    },
  },
  errors: [
    'invalid_json',
    'validation_failed',
    'unknown_field',
    'unknown_parameter',
    'idempotency_in_progress',
    'idempotency_mismatch',
  ],
};
