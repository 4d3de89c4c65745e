import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { registerShipmentBody } from '../registration/register-shipment-body.ts';
import { wireShipment } from '../wire-schemas.ts';
import { getShipmentQuery } from './record-queries.ts';
import { shipmentParams } from './shipment-parameters.ts';

const location = { description: 'The address of the record.', schema: z.string() };
const replayed = {
  description: '`true` when this is the first answer to the same Idempotency-Key, sent again.',
  schema: z.literal('true'),
};

export const registerShipmentOperation: Operation = {
  id: 'registerShipment',
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
};

export const getShipmentOperation: Operation = {
  id: 'getShipment',
  method: 'GET',
  path: '/v1/shipments/{shipment_id}',
  tag: 'Shipments',
  summary: 'Get one shipment',
  description:
    'The whole record. With `If-None-Match` an unchanged record is answered with 304 and no body. With `as_of` the record as it stood at a moment of ' +
    'the past.',
  scope: 'shipments:read',
  limit: 'read',
  params: shipmentParams,
  query: getShipmentQuery,
  answers: {
    200: {
      description: 'The record.',
      schema: wireShipment,
      headers: {
        ETag: { description: 'Changes with the record, its tracking and its freshness.', schema: z.string() },
      },
    },
    304: { description: 'The record is the one whose ETag was sent.' },
  },
  errors: ['validation_failed', 'unknown_parameter', 'shipment_not_found'],
};
