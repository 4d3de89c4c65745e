import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { wireCarrier, wireCarrierList, wireDetection } from './carrier-wire.ts';
import { detectBody } from './detect-body.ts';
import { listCarriersQuery } from './list-carriers-query.ts';

const common = { tag: 'Carriers', scope: 'shipments:read', limit: 'read' } as const;

export const listCarriersOperation: Operation = {
  ...common,
  id: 'listCarriers',
  method: 'GET',
  path: '/v1/carriers',
  summary: 'List carriers',
  description:
    'The catalogue: what each carrier is called, which numbers its shipments have, and how it answers your account.',
  query: listCarriersQuery,
  answers: { 200: { description: 'The carriers that match.', schema: wireCarrierList } },
  errors: ['validation_failed', 'unknown_parameter'],
};

export const getCarrierOperation: Operation = {
  ...common,
  id: 'getCarrier',
  method: 'GET',
  path: '/v1/carriers/{carrier_code}',
  summary: 'Get one carrier',
  description: 'By its code or any other of its names.',
  params: z.object({
    carrier_code: z
      .string()
      .meta({ description: 'A code, a name or an alias; case does not matter.', examples: ['MAEU'] }),
  }),
  answers: { 200: { description: 'The carrier.', schema: wireCarrier } },
  errors: ['unknown_parameter', 'carrier_not_found'],
};

export const detectCarriersOperation: Operation = {
  ...common,
  id: 'detectCarriers',
  method: 'POST',
  path: '/v1/carriers/detect',
  summary: 'Find out whose number something is',
  description:
    'Reads shape, prefixes and check digits of a number, and tells which carriers it may belong to. Nobody is asked and nothing is stored. ' +
    'Many numbers do not tell their carrier.',
  body: {
    schema: detectBody,
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
};
