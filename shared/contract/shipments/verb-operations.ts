import { z } from 'zod';
import { testNumbers } from '#shared/domain/test-journeys/test-journeys.ts';
import { parseBody } from '../input/parse-body.ts';
import type { Operations } from '../operation.ts';
import { parseShipmentParams, shipmentParams } from '../record/shipment-id.ts';
import { wireShipment } from '../record/shipment-schemas.ts';
import { parseUpdateShipmentBody, updateShipmentBody } from './update-shipment-body.ts';

const etag = { ETag: { description: 'Of the updated record, for `If-Match` of the next change.', schema: z.string() } };
const record = {
  description: 'The updated record, unchanged if there was nothing to do.',
  schema: wireShipment,
  headers: etag,
};
const repeatable = 'Safe to repeat.';

const ofOneShipment = {
  access: 'key_or_session',
  scope: 'shipments:write',
  limit: 'write',
  params: shipmentParams,
  parseParams: parseShipmentParams,
} as const;
const verb = { ...ofOneShipment, method: 'POST', tag: 'Shipments' } as const;
/** A schema each: the document names them after their operations. */
const noFields = () =>
  ({ schema: z.strictObject({}), description: 'Empty, or an empty object.', required: false }) as const;
const verbErrors = [
  'unknown_parameter',
  'unknown_field',
  'shipment_not_found',
  'precondition_failed',
  'invalid_state',
] as const;

export const verbOperations = {
  updateShipment: {
    ...ofOneShipment,
    method: 'PATCH',
    path: '/v1/shipments/{shipment_id}',
    tag: 'Shipments',
    summary: 'Update a shipment',
    description:
      'Updates the reference, tags, metadata and assignee, adds identifiers, or corrects an identifier or the ' +
      'carrier before the first event. Omitted fields stay unchanged. To change only the version that you have read, ' +
      'send its ETag as `If-Match`. `archived: false` restores an archived shipment, unless its identifiers have ' +
      'been registered again. An update without effect keeps the version and adds no change to the feed. ' +
      `${repeatable}`,
    body: {
      schema: updateShipmentBody,
      parse: parseUpdateShipmentBody,
      description: 'The fields to update.',
      examples: {
        reference: {
          summary: 'Set the reference and tags',
          value: { reference: 'PO-7741', tags: ['acme', 'urgent'] },
        },
        metadata: {
          summary: 'Set one metadata key and remove another',
          value: { metadata: { buyer: 'acme', desk: null } },
        },
        booking: { summary: 'Add the booking number', value: { identifiers: { booking: '123456789' } } },
        assignee: { summary: 'Assign to a member', value: { assignee: 'user_01kahf3m2xfr5tq4d8z9w6c7yb' } },
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
      'precondition_failed',
      'identifier_conflict',
      'reference_conflict',
      'invalid_state',
      'carrier_not_supported',
      'identifier_mode_mismatch',
    ],
  },
  archiveShipment: {
    ...ofOneShipment,
    method: 'DELETE',
    path: '/v1/shipments/{shipment_id}',
    tag: 'Shipments',
    summary: 'Archive a shipment',
    description:
      'Removes the shipment from lists and stops polling the carrier. The record can still be retrieved, its ' +
      'identifiers can be registered ' +
      `again, and PATCH with \`archived: false\` restores it. Its reference stays in use. ${repeatable}`,
    answers: { 204: { description: 'The shipment is archived.' } },
    errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found', 'precondition_failed'],
  },
  purgeShipment: {
    ...verb,
    scope: 'shipments:delete',
    path: '/v1/shipments/{shipment_id}/purge',
    body: noFields(),
    summary: 'Remove a shipment for good',
    description:
      'Removes the shipment with all of its data: its events, refreshes and changes in the feed, and stored ' +
      'responses, failed import rows and deliveries of carrier subscriptions that mention it. Download its bundle ' +
      'first if you need a copy. This cannot be undone, and the feed does not announce it.',
    answers: { 204: { description: 'The shipment is removed.' } },
    errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found'],
  },
  refreshShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/refresh',
    body: noFields(),
    summary: 'Refresh a shipment',
    description:
      'Requests a refresh now instead of at `tracking.next_refresh_at`, at most once every 10 minutes per shipment. ' +
      'The response does not wait for the carrier: read the record or the change feed afterwards. A refresh that is ' +
      'already running is superseded.',
    answers: { 202: { description: 'The refresh was requested.', schema: wireShipment, headers: etag } },
    errors: [...verbErrors, 'refresh_too_soon'],
  },
  stopShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/stop',
    body: noFields(),
    summary: 'Stop tracking a shipment',
    description:
      'Stops polling the carrier and sets `tracking.state` to `stopped`, with the reason `stopped_by_client`. ' +
      'Tracking that has already failed, ' +
      `completed or stopped keeps its state and reason. ${repeatable}`,
    answers: { 200: record },
    errors: verbErrors,
  },
  resumeShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/resume',
    body: noFields(),
    summary: 'Resume tracking a shipment',
    description:
      'Sets `stopped`, `failed` or `completed` tracking back to `queued` and requests a refresh. The periods after ' +
      'which tracking gives up or completes start over. Reverts your own cancellation by voiding its event. Active ' +
      'tracking stays unchanged. ' +
      repeatable,
    answers: { 200: record },
    errors: verbErrors,
  },
  cancelShipment: {
    ...verb,
    path: '/v1/shipments/{shipment_id}/cancel',
    body: noFields(),
    summary: 'Mark a shipment as cancelled',
    description:
      'Adds a `cancelled` event with the source `client`, which sets the status to `cancelled`, and stops tracking ' +
      'with the reason `booking_cancelled`. The carrier is not notified. A shipment that was delivered or returned, ' +
      'even in part, cannot be cancelled. ' +
      `Resume reverts it. ${repeatable}`,
    answers: { 200: record },
    errors: verbErrors,
  },
} as const satisfies Operations;

const advanceBody = z.strictObject({
  steps: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .meta({ description: 'Number of steps, 1 to 20. Stops at the end of the journey.', examples: [1] }),
});

const anyTestNumber = testNumbers.map((number) => `\`${number}\``).join(', ');

export const testOperations = {
  advanceTestShipment: {
    ...ofOneShipment,
    method: 'POST',
    path: '/v1/test/shipments/{shipment_id}/advance',
    tag: 'Test mode',
    summary: 'Advance a test shipment',
    description:
      'Test shipments never reach a real carrier; their number determines the journey. These numbers are valid in ' +
      'any transport mode, with any ' +
      `carrier and as any trackable identifier: ${anyTestNumber}. Add a suffix to register ` +
      'several of a kind (`TEST-DELIVERED-2`). Any other number plays `TEST-JOURNEY`, which begins before the ' +
      'booking and takes one step with each call until the end; its events are dated in the weeks before the ' +
      'registration. `TEST-CUSTOMS-HOLD`, `TEST-NOT-FOUND`, `TEST-CARRIER-DOWN`, `TEST-STALE`, `TEST-OUT-OF-ORDER`, ' +
      '`TEST-MULTI-CONTAINER`, `TEST-MULTI-PIECE`, `TEST-WINDOW`, `TEST-LOCKER` and `TEST-RETURN` can be advanced ' +
      'too; the others are fixed. The response does not wait for the refresh that follows.',
    testKeysOnly: true,
    body: {
      schema: advanceBody,
      parse: (body: unknown) => parseBody(advanceBody, body ?? {}),
      description: 'Number of steps. Default: one.',
      required: false,
      examples: { far: { summary: 'Five steps', value: { steps: 5 } } },
    },
    answers: {
      202: {
        description: 'The record before the step. The refresh that follows updates it.',
        schema: wireShipment,
        headers: etag,
      },
    },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'live_key_not_allowed',
      'shipment_not_found',
      'precondition_failed',
      'invalid_state',
    ],
  },
} as const satisfies Operations;
