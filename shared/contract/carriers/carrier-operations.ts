import { z } from 'zod';
import type { Operations } from '../operation.ts';
import { carrierCredentialsBody, parseCarrierCredentialsBody } from './carrier-credentials-body.ts';
import { wireCarrierCredentials } from './carrier-credentials-wire.ts';
import { wireCarrier, wireCarrierList, wireDetection } from './carrier-wire.ts';
import { detectBody, parseDetectBody } from './detect-body.ts';
import { listCarriersQuery } from './list-carriers-query.ts';

const params = z.object({
  carrier_code: z
    .string()
    .meta({ description: 'A code, a name or an alias; case does not matter.', examples: ['MAEU'] }),
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
      'The catalogue: what each carrier is called, which numbers its shipments have, and how it answers your account.',
    query: listCarriersQuery,
    answers: { 200: { description: 'The carriers that match.', schema: wireCarrierList } },
    errors: ['validation_failed', 'unknown_parameter'],
  },
  getCarrier: {
    ...catalogue,
    method: 'GET',
    path: '/v1/carriers/{carrier_code}',
    summary: 'Get one carrier',
    description: 'By its code or any other of its names.',
    params,
    answers: { 200: { description: 'The carrier.', schema: wireCarrier } },
    errors: ['unknown_parameter', 'carrier_not_found'],
  },
  detectCarriers: {
    ...catalogue,
    method: 'POST',
    path: '/v1/carriers/detect',
    summary: 'Find out whose number something is',
    description:
      'Reads shape, prefixes and check digits of a number, and tells which carriers it may belong to. Nobody is asked and nothing is stored. ' +
      'Many numbers do not tell their carrier.',
    body: {
      schema: detectBody,
      parse: parseDetectBody,
      description: 'A number, or up to 100.',
      examples: {
        one: { summary: 'One number', value: { number: 'MAEU123456789' } },
        several: {
          summary: 'Several numbers of one mode',
          value: { numbers: ['020-08002050', '176-12345675'], transport_mode: 'air' },
        },
      },
    },
    answers: { 200: { description: 'The candidates of each number.', schema: wireDetection } },
    errors: ['invalid_json', 'validation_failed', 'unknown_field', 'unknown_parameter'],
  },
  setCarrierCredentials: {
    ...credentials,
    method: 'PUT',
    summary: 'Set your own credentials at a carrier',
    description:
      'They come before those of the instance. All of them are replaced; a carrier takes some of the fields, and `detail` says which when they do ' +
      'not fit. They are kept encrypted and cannot be read back. Shipments that waited for them are looked up at once, and a suspension ends. ' +
      'In force everywhere within five seconds. Where the carrier is, only the instance’s configuration says.',
    body: {
      schema: carrierCredentialsBody,
      parse: parseCarrierCredentialsBody,
      description: 'The credentials.',
      examples: {
        client: {
          summary: 'A client that signs in for an access token',
          value: { client_id: 'my-client', client_secret: 'its-secret' },
        },
      },
    },
    answers: { 200: { description: 'They are stored.', schema: wireCarrierCredentials } },
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
    summary: 'Remove your own credentials at a carrier',
    description: 'The instance’s serve you again, where there are some. Removing them again changes nothing.',
    answers: { 204: { description: 'You have none at this carrier.' } },
    errors: ['unknown_parameter', 'test_key_not_allowed', 'carrier_not_found'],
  },
} as const satisfies Operations;
