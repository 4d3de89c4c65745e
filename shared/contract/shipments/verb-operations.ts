import { z } from 'zod';
import { testNumbers } from '#shared/domain/tracking/test-journeys.ts';
import type { Operations } from '../operation.ts';
import { wireShipment } from '../wire-schemas.ts';
import { advanceBody, parseAdvanceBody } from './advance-body.ts';
import { parseShipmentParams, shipmentParams } from './shipment-id.ts';
import { parseUpdateShipmentBody, updateShipmentBody } from './update-shipment-body.ts';

const record = {
  description: 'The record as it now is; unchanged when there was nothing to do.',
  schema: wireShipment,
};
const repeatable = 'Sending it again is safe.';

/** A verb without input. */
const verb = {
  access: 'key_or_session',
  method: 'POST',
  tag: 'Shipments',
  scope: 'shipments:write',
  limit: 'write',
  params: shipmentParams,
  parseParams: parseShipmentParams,
} as const;
/** A schema each: the document names them after their operations. */
const noFields = () =>
  ({ schema: z.strictObject({}), description: 'Nothing, or an empty object.', required: false }) as const;
const verbErrors = ['unknown_parameter', 'unknown_field', 'shipment_not_found', 'invalid_state'] as const;

export const verbOperations = {
  updateShipment: {
    access: 'key_or_session',
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
    parseParams: parseShipmentParams,
    body: {
      schema: updateShipmentBody,
      parse: parseUpdateShipmentBody,
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
  },
  archiveShipment: {
    access: 'key_or_session',
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
    parseParams: parseShipmentParams,
    answers: { 204: { description: 'It is archived.' } },
    errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found'],
  },
  refreshShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/refresh',
    body: noFields(),
    summary: 'Refresh at the carrier now',
    description:
      'Has the carrier asked now instead of at `tracking.next_refresh_at`, at most once in 10 minutes for one shipment. The answer does not wait for ' +
      'the carrier: read the record or the change feed afterwards. A refresh that is under way gives way to the new one.',
    answers: { 202: { description: 'The carrier will be asked at once.', schema: wireShipment } },
    errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found', 'invalid_state', 'refresh_too_soon'],
  },
  stopShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/stop',
    body: noFields(),
    summary: 'Stop tracking',
    description:
      'The carrier is asked no more: `tracking.state` is `stopped`, with the reason `stopped_by_client`. Tracking that has failed, completed or ' +
      `stopped before stays as it is, with its reason. ${repeatable}`,
    answers: { 200: record },
    errors: verbErrors,
  },
  resumeShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/resume',
    body: noFields(),
    summary: 'Start tracking again',
    description:
      'From `stopped`, `failed` or `completed` tracking is `queued` again and the carrier is asked at once; the periods after which tracking gives up or ' +
      'completes begin anew. Your own cancellation is taken back: its event is voided. Tracking that goes on stays as it is. ' +
      repeatable,
    answers: { 200: record },
    errors: verbErrors,
  },
  cancelShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/cancel',
    body: noFields(),
    summary: 'Say that the booking or label is cancelled',
    description:
      'Adds a `cancelled` event whose source is `client`, so that the status becomes `cancelled`, and stops tracking with the reason ' +
      '`booking_cancelled`. It does not tell the carrier. What has been delivered or returned, even in part, cannot be cancelled. ' +
      `Resume takes it back. ${repeatable}`,
    answers: { 200: record },
    errors: verbErrors,
  },
} as const satisfies Operations;

export const testOperations = {
  advanceTestShipment: {
    access: 'key_or_session',
    method: 'POST',
    path: '/v1/test/shipments/{shipment_id}/advance',
    tag: 'Test mode',
    summary: 'Move a test journey on',
    description:
      'Test shipments never reach a real carrier: their numbers say what happens. Any of these is valid in any mode, with any carrier and as any ' +
      `trackable identifier: ${testNumbers.map((number) => `\`${number}\``).join(', ')}. An ending of your own makes another one of a kind ` +
      '(`TEST-DELIVERED-2`), and any other number plays `TEST-JOURNEY`. `TEST-JOURNEY` begins before the booking and goes one step with each ' +
      'advance, to the end; it happened in the weeks before its registration. `TEST-CUSTOMS-HOLD`, `TEST-NOT-FOUND`, `TEST-CARRIER-DOWN`, ' +
      '`TEST-STALE`, `TEST-OUT-OF-ORDER` and `TEST-MULTI-CONTAINER` can be advanced too; the others stay as they are. The answer does not wait ' +
      'for the refresh that follows.',
    scope: 'shipments:write',
    limit: 'write',
    testKeysOnly: true,
    params: shipmentParams,
    parseParams: parseShipmentParams,
    body: {
      schema: advanceBody,
      parse: parseAdvanceBody,
      description: 'How far; one step when there is no body.',
      required: false,
      examples: { far: { summary: 'Five steps', value: { steps: 5 } } },
    },
    answers: {
      202: { description: 'The record as it still is; the refresh that follows changes it.', schema: wireShipment },
    },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'live_key_not_allowed',
      'shipment_not_found',
      'invalid_state',
    ],
  },
} as const satisfies Operations;
