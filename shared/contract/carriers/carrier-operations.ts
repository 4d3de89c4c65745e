import { z } from 'zod';
import { connectionStates } from '#shared/domain/carriers/connection.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { plainText } from '../input/plain-text.ts';
import type { Operations } from '../operation.ts';
import { carrierCredentialsBody, parseCarrierCredentialsBody, wireCarrierCredentials } from './carrier-credentials.ts';
import { wireCarrier, wireCarrierList } from './carrier-wire.ts';
import { wireCredentialCheck } from './credential-check-wire.ts';
import { detectBody, parseDetectBody, wireDetection } from './detection.ts';

const params = z.object({
  carrier_code: z
    .string()
    .meta({ description: 'Code, name or alias of the carrier. Case is ignored.', examples: ['MAEU'] }),
});
const catalogue = { access: 'key_or_session', tag: 'Carriers', scope: 'shipments:read', limit: 'read' } as const;
const credentials = {
  access: 'key_or_session',
  tag: 'Carriers',
  path: '/v1/carriers/{carrier_code}/credentials',
  scope: 'carriers:manage',
  limit: 'write',
  liveKeysOnly: true,
  params,
} as const;

export const carrierOperations = {
  listCarriers: {
    ...catalogue,
    method: 'GET',
    path: '/v1/carriers',
    summary: 'List carriers',
    description:
      'Returns the catalogue: names and codes of each carrier, its identifiers, and its health for your account.',
    query: z.strictObject({
      transport_mode: z
        .enum(transportModes)
        .optional()
        .meta({ description: 'Only carriers of this transport mode.', examples: ['ocean'] }),
      connection: z
        .enum(connectionStates)
        .optional()
        .meta({ description: 'Only carriers whose `connection` is this one.', examples: ['ready'] }),
      q: plainText({ max: 64 })
        .optional()
        .meta({ description: 'Part of a code, name or alias. Case is ignored.', examples: ['maersk'] }),
    }),
    answers: { 200: { description: 'The matching carriers.', schema: wireCarrierList } },
    errors: ['validation_failed', 'unknown_parameter'],
  },
  getCarrier: {
    ...catalogue,
    method: 'GET',
    path: '/v1/carriers/{carrier_code}',
    summary: 'Get a carrier',
    description: 'Returns a carrier by its code, name or alias.',
    params,
    answers: { 200: { description: 'The carrier.', schema: wireCarrier } },
    errors: ['unknown_parameter', 'carrier_not_found'],
  },
  detectCarriers: {
    ...catalogue,
    method: 'POST',
    path: '/v1/carriers/detect',
    summary: 'Detect the carrier of a number',
    description:
      'Derives the possible carriers of a number from its format, prefix and check digit. No carrier is queried and ' +
      'nothing is stored. Many numbers do not reveal their carrier.',
    body: {
      schema: detectBody,
      parse: parseDetectBody,
      description: 'One number, or up to 100.',
      examples: {
        one: { summary: 'One number', value: { number: 'MAEU123456789' } },
        several: {
          summary: 'Several numbers of one transport mode',
          value: { numbers: ['020-08002050', '176-12345675'], transport_mode: 'air' },
        },
      },
    },
    answers: { 200: { description: 'The possible carriers of each number.', schema: wireDetection } },
    errors: ['invalid_json', 'validation_failed', 'unknown_field', 'unknown_parameter'],
  },
  setCarrierCredentials: {
    ...credentials,
    method: 'PUT',
    summary: 'Set your credentials at a carrier',
    description:
      'Your credentials take precedence over those of the operator. The request replaces all fields. Each carrier ' +
      'uses some of the fields; if they do not fit, `detail` names the required ones. Values are stored encrypted ' +
      'and cannot be retrieved. Shipments waiting for credentials are refreshed at once, and a suspension ends. ' +
      'Takes effect within five seconds. The address of the carrier is set in the configuration of the installation ' +
      'only.',
    body: {
      schema: carrierCredentialsBody,
      parse: parseCarrierCredentialsBody,
      description: 'The credentials.',
      examples: {
        client: {
          summary: 'An OAuth 2.0 client',
          value: { client_id: 'my-client', client_secret: 'its-secret' },
        },
      },
    },
    answers: { 200: { description: 'The credentials are stored.', schema: wireCarrierCredentials } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'test_key_not_allowed',
      'carrier_not_found',
      'carrier_not_supported',
      'invalid_state',
    ],
  },
  verifyCarrierCredentials: {
    ...credentials,
    method: 'POST',
    path: '/v1/carriers/{carrier_code}/credentials/verify',
    summary: 'Verify credentials at a carrier',
    description:
      'Makes one call to the carrier and states the result. The call asks for a number that no shipment has, and ' +
      'changes nothing; it counts against the call budget, and carriers that bill calls bill it. Send credentials to ' +
      'try them before you store them, or no fields to try the stored ones. The response takes up to 15 seconds. ' +
      'Nothing is stored, but accepted stored credentials end their suspension.',
    body: {
      schema: carrierCredentialsBody,
      parse: parseCarrierCredentialsBody,
      required: false,
      description: 'The credentials to try. Empty: the stored ones.',
      examples: {
        stored: { summary: 'The stored credentials', value: {} },
      },
    },
    answers: { 200: { description: 'The result.', schema: wireCredentialCheck } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'test_key_not_allowed',
      'carrier_not_found',
      'carrier_not_supported',
      'invalid_state',
    ],
  },
  removeCarrierCredentials: {
    ...credentials,
    method: 'DELETE',
    summary: 'Remove your credentials at a carrier',
    description: 'Those of the operator are used again, if there are any. Safe to repeat.',
    answers: { 204: { description: 'You have no credentials at this carrier.' } },
    errors: ['unknown_parameter', 'test_key_not_allowed', 'carrier_not_found'],
  },
} as const satisfies Operations;
