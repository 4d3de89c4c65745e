import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { wireShipment } from '../wire-schemas.ts';
import { shipmentParams } from './shipment-parameters.ts';
import { updateShipmentBody } from './update-shipment-body.ts';

const record = {
  description: 'The record as it now is; unchanged when there was nothing to do.',
  schema: wireShipment,
};
const repeatable = 'Sending it again is safe.';

export const updateShipmentOperation: Operation = {
  id: 'updateShipment',
  method: 'PATCH',
  path: '/v1/shipments/{shipment_id}',
  tag: 'Shipments',
  summary: 'Change one shipment',
  description:
    'Changes what is yours: reference, tags, metadata, more identifiers, and the carrier while it has given no event. What is left out stays. ' +
    '`archived: false` restores an archived shipment, unless its numbers were registered again meanwhile. ' +
    `When nothing differs, the version stays and no change is told. ${repeatable}`,
  scope: 'shipments:write',
  limit: 'write',
  params: shipmentParams,
  body: {
    schema: updateShipmentBody,
    description: 'The fields to change.',
    examples: {
      reference: {
        summary: 'A new reference and one more tag',
        value: { reference: 'PO-7741', tags: ['acme', 'urgent'] },
      },
      metadata: {
        summary: 'Set one key of the metadata, remove another',
        value: { metadata: { buyer: 'acme', desk: null } },
      },
      booking: { summary: 'Add the booking number', value: { identifiers: { booking: '123456789' } } },
      restore: { summary: 'Restore an archived shipment', value: { archived: false } },
    },
  },
  answers: { 200: record },
  errors: [
    'invalid_json',
    'validation_failed',
    'unknown_field',
    'unknown_parameter',
    'shipment_not_found',
    'identifier_conflict',
    'reference_conflict',
    'invalid_state',
    'carrier_not_supported',
    'identifier_mode_mismatch',
  ],
};

export const archiveShipmentOperation: Operation = {
  id: 'archiveShipment',
  method: 'DELETE',
  path: '/v1/shipments/{shipment_id}',
  tag: 'Shipments',
  summary: 'Archive one shipment',
  description:
    'Hides the shipment from lists and ends its refreshes. It can still be read, its numbers can be registered again, and PATCH with ' +
    `\`archived: false\` restores it. Its reference stays taken. ${repeatable}`,
  scope: 'shipments:write',
  limit: 'write',
  params: shipmentParams,
  answers: { 204: { description: 'It is archived.' } },
  errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found'],
};

export const refreshShipmentOperation: Operation = verb('refresh', {
  id: 'refreshShipment',
  summary: 'Refresh at the carrier now',
  description:
    'Has the carrier asked now instead of at `tracking.next_refresh_at`, at most once in 10 minutes for one shipment. The answer does not wait for ' +
    'the carrier: read the record or the change feed afterwards. A refresh that is under way gives way to the new one.',
  answers: { 202: { description: 'The carrier will be asked at once.', schema: wireShipment } },
  errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found', 'invalid_state', 'refresh_too_soon'],
});

export const stopShipmentOperation: Operation = verb('stop', {
  id: 'stopShipment',
  summary: 'Stop tracking',
  description:
    'The carrier is asked no more: `tracking.state` is `stopped`, with the reason `stopped_by_client`. Tracking that has failed, completed or ' +
    `stopped before stays as it is, with its reason. ${repeatable}`,
});

export const resumeShipmentOperation: Operation = verb('resume', {
  id: 'resumeShipment',
  summary: 'Start tracking again',
  description:
    'From `stopped`, `failed` or `completed` tracking is `queued` again and the carrier is asked at once; the periods after which tracking gives up or ' +
    'completes begin anew. Your own cancellation is taken back: its event is voided. Tracking that goes on stays as it is. ' +
    repeatable,
});

export const cancelShipmentOperation: Operation = verb('cancel', {
  id: 'cancelShipment',
  summary: 'Say that the booking or label is cancelled',
  description:
    'Adds a `cancelled` event whose source is `client`, so that the status becomes `cancelled`, and stops tracking with the reason ' +
    '`booking_cancelled`. It does not tell the carrier. What has been delivered or returned, even in part, cannot be cancelled. ' +
    `Resume takes it back. ${repeatable}`,
});

type VerbDetails = Pick<Operation, 'id' | 'summary' | 'description'> & Partial<Pick<Operation, 'answers' | 'errors'>>;

function verb(name: string, details: VerbDetails): Operation {
  return {
    method: 'POST',
    path: `/v1/shipments/{shipment_id}/${name}`,
    tag: 'Shipments',
    scope: 'shipments:write',
    limit: 'write',
    params: shipmentParams,
    body: { schema: z.strictObject({}), description: 'Nothing, or an empty object.', required: false },
    answers: { 200: record },
    errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found', 'invalid_state'],
    ...details,
  };
}
