import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { carrierCredentialsBody } from './carrier-credentials-body.ts';
import { wireCarrierCredentials } from './carrier-credentials-wire.ts';

const common = {
  tag: 'Carriers',
  path: '/v1/carriers/{carrier_code}/credentials',
  scope: 'carriers:manage',
  limit: 'write',
  liveKeysOnly: true,
  params: z.object({
    carrier_code: z
      .string()
      .meta({ description: 'A code, a name or an alias; case does not matter.', examples: ['MAEU'] }),
  }),
} as const;

export const setCarrierCredentialsOperation: Operation = {
  ...common,
  id: 'setCarrierCredentials',
  method: 'PUT',
  summary: 'Set your own credentials at a carrier',
  description:
    'They come before those of the instance. All of them are replaced; a carrier takes some of the fields, and `detail` says which when they do ' +
    'not fit. They are kept encrypted and cannot be read back. Shipments that waited for them are looked up at once, and a suspension ends. ' +
    'In force everywhere within five seconds. Where the carrier is, only the instance’s configuration says.',
  body: {
    schema: carrierCredentialsBody,
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
};

export const removeCarrierCredentialsOperation: Operation = {
  ...common,
  id: 'removeCarrierCredentials',
  method: 'DELETE',
  summary: 'Remove your own credentials at a carrier',
  description: 'The instance’s serve you again, where there are some. Removing them again changes nothing.',
  answers: { 204: { description: 'You have none at this carrier.' } },
  errors: ['unknown_parameter', 'test_key_not_allowed', 'carrier_not_found'],
};
