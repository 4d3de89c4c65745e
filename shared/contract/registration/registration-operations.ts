import { z } from 'zod';
import { rowLimits } from '../input/read-json.ts';
import { maxRowBytes } from '../input/read-rows.ts';
import type { Operations } from '../operation.ts';
import { wireShipment } from '../record/shipment-schemas.ts';
import { batchAnswer, batchBody, maxBatchRows } from './batch-body.ts';
import { readBatch } from './read-batch.ts';
import { parseRegisterShipmentBody, registerShipmentBody } from './register-shipment-body.ts';

const maxBatchBytes = 8 * 1024 * 1024;
const location = { description: 'Path of the record.', schema: z.string() };
const replayed = {
  description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
  schema: z.literal('true'),
};

export const registrationOperations = {
  registerShipment: {
    access: 'key_or_session',
    method: 'POST',
    path: '/v1/shipments',
    tag: 'Shipments',
    summary: 'Register a shipment',
    description:
      'Stores the shipment and starts polling its carrier. The response does not wait for the carrier. Once it is ' +
      'sent, the registration is durable. If the account already has an open shipment with the same identifier, that ' +
      'shipment is returned and missing identifiers are added to it. If you had stopped it, its tracking resumes ' +
      '(warning `tracking_resumed`). Tracking that failed, completed or was cancelled stays ended; the warning ' +
      '`tracking_not_resumed` states why.',
    scope: 'shipments:write',
    limit: 'write',
    idempotent: true,
    body: {
      schema: registerShipmentBody,
      parse: parseRegisterShipmentBody,
      description: 'The shipment to track.',
      examples: {
        bill_of_lading: {
          summary: 'An ocean shipment by bill of lading',
          value: { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456789' } },
        },
        own_data: {
          summary: 'A booking with a reference, tags and metadata',
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
          'An open shipment of the account already had one of the identifiers. Missing identifiers were added to it.',
        schema: wireShipment,
        headers: {
          Location: location,
          'Existing-Shipment': { description: 'Always `true`.', schema: z.literal('true') },
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
    summary: 'Register a batch of shipments',
    description:
      `Registers up to ${maxBatchRows.toLocaleString('en')} shipments in one request of at most 8 MiB. ` +
      'Each row is handled like a single registration, in order: created, existing, or failed with its own error. A ' +
      'failed row does not affect the others. The rows and the response that is stored for the Idempotency-Key are ' +
      `committed together. A row may have ${maxRowBytes / 1024} KiB, ${rowLimits.keys} keys and ${rowLimits.depth} ` +
      'levels. For more rows, use an import.',
    scope: 'shipments:write',
    limit: 'batch',
    idempotent: true,
    body: {
      schema: batchBody,
      read: readBatch,
      tooLarge: 'Send more rows as an import: POST /v1/imports.',
      description: 'The registrations.',
      maxBytes: maxBatchBytes,
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
        description: 'The batch was processed. `results` contains the outcome of each row.',
        schema: batchAnswer,
        headers: { 'Idempotent-Replayed': replayed },
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
