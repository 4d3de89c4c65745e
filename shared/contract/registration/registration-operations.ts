import { z } from 'zod';
import type { Operations } from '../operation.ts';
import { wireShipment } from '../wire-schemas.ts';
import { batchAnswer, batchBody, mostBatchRows, parseBatchBody } from './batch-body.ts';
import { parseRegisterShipmentBody, registerShipmentBody } from './register-shipment-body.ts';

/** 1,000 rows of 8 KiB each. */
const mostBatchBytes = 8 * 1024 * 1024;
const location = { description: 'The address of the record.', schema: z.string() };
const replayed = {
  description: '`true` when this is the first answer to the same Idempotency-Key, sent again.',
  schema: z.literal('true'),
};

export const registrationOperations = {
  registerShipment: {
    access: 'key_or_session',
    method: 'POST',
    path: '/v1/shipments',
    tag: 'Shipments',
    summary: 'Register one shipment',
    description:
      'Stores the shipment and has its carrier asked. The answer never waits for the carrier, and a registration that was answered is durable. ' +
      'When the account already has an open shipment with the same number, that one is given, with the identifiers it lacked.',
    scope: 'shipments:write',
    limit: 'write',
    idempotent: true,
    body: {
      schema: registerShipmentBody,
      parse: parseRegisterShipmentBody,
      description: 'What to follow.',
      examples: {
        bill_of_lading: {
          summary: 'A sea shipment by its bill of lading',
          value: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456789' } },
        },
        own_data: {
          summary: 'A booking with your own reference, tags and metadata',
          value: {
            transport_mode: 'ocean',
            carrier: 'HLCU',
            identifiers: { booking: 'HLCU2345678', container: 'HLXU1234567' },
            reference: 'PO-7741',
            tags: ['acme'],
            metadata: { buyer: 'acme' },
          },
        },
      },
    },
    answers: {
      201: {
        description: 'A new shipment.',
        schema: wireShipment,
        headers: { Location: location, 'Idempotent-Replayed': replayed },
      },
      200: {
        description:
          'An open shipment of this account already had one of these numbers; identifiers it lacked were added.',
        schema: wireShipment,
        headers: {
          Location: location,
          'Existing-Shipment': { description: 'Always `true` here.', schema: z.literal('true') },
          'Idempotent-Replayed': replayed,
        },
      },
    },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'identifier_conflict',
      'reference_conflict',
      'idempotency_in_progress',
      'idempotency_mismatch',
      'carrier_not_supported',
      'identifier_not_trackable',
      'identifier_mode_mismatch',
    ],
  },
  registerBatch: {
    access: 'key_or_session',
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
      parse: parseBatchBody,
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
  },
} as const satisfies Operations;
