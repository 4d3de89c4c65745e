import type { Operation } from '../operation.ts';
import { wireMe } from './me-wire.ts';

export const getMeOperation: Operation = {
  id: 'getMe',
  method: 'GET',
  path: '/v1/me',
  tag: 'API keys',
  summary: 'Who this key is',
  description: 'The account, the key, its scopes and limits, and whether it is a test key.',
  scope: null,
  limit: 'read',
  answers: { 200: { description: 'The caller.', schema: wireMe } },
  errors: ['unknown_parameter'],
};
