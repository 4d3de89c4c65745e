import { testNumbers } from '#shared/domain/tracking/test-journeys.ts';
import type { Operation } from '../operation.ts';
import { wireShipment } from '../wire-schemas.ts';
import { advanceBody } from './advance-body.ts';
import { shipmentParams } from './shipment-parameters.ts';

export const advanceTestShipmentOperation: Operation = {
  id: 'advanceTestShipment',
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
  body: {
    schema: advanceBody,
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
};
