import { z } from 'zod';
import type { Operations, RawParams } from '../operation.ts';
import { parseId } from '../parse-id.ts';
import { wireApiKeyList, wireCreatedApiKey } from './api-key-wire.ts';
import { createApiKeyBody, parseCreateApiKeyBody } from './create-api-key-body.ts';
import { listApiKeysQuery, parseListApiKeysQuery } from './list-api-keys-query.ts';
import { wireMe } from './me-wire.ts';
import { parseRotateApiKeyBody, rotateApiKeyBody } from './rotate-api-key-body.ts';

const apiKeyParams = z.object({
  api_key_id: z.string().meta({
    description:
      'The public id of the key: `key_` and 26 characters. Anything else reads like a key that is not there.',
    examples: ['key_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
});

const parseApiKeyParams = (params: RawParams) => ({
  keyId: parseId(params, 'api_key_id', {
    prefix: 'key',
    code: 'api_key_not_found',
    detail: 'There is no API key with this id.',
  }),
});

const common = { access: 'key_or_session', tag: 'API keys', scope: 'keys:manage' } as const;

export const keyOperations = {
  listApiKeys: {
    ...common,
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List API keys',
    description:
      'Keys of the account, newest first, with those that were revoked or have expired. A test key sees test keys only.',
    limit: 'read',
    query: listApiKeysQuery,
    parseQuery: parseListApiKeysQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireApiKeyList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last one.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor'],
  },
  createApiKey: {
    ...common,
    method: 'POST',
    path: '/v1/api-keys',
    summary: 'Create an API key',
    description:
      'The answer holds the key; it is never shown again. A key can give only scopes that it has itself, and a test key makes test keys only.',
    limit: 'write',
    body: {
      schema: createApiKeyBody,
      parse: parseCreateApiKeyBody,
      description: 'What the key is for.',
      examples: {
        reader: { summary: 'A key that only reads', value: { name: 'reporting', scopes: ['shipments:read'] } },
      },
    },
    answers: { 201: { description: 'The new key, with its secret.', schema: wireCreatedApiKey } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'insufficient_scope',
      'test_key_not_allowed',
    ],
  },
  rotateApiKey: {
    ...common,
    method: 'POST',
    path: '/v1/api-keys/{api_key_id}/rotate',
    summary: 'Rotate an API key',
    description:
      'Makes a key with the same name, scopes and kind, and lets the old one go on for `overlap_hours`, but no longer than it had. A key that ' +
      'expires gets a successor that lasts as long as it was made for. When the answer is lost, rotate the key that `rotated_to` names.',
    limit: 'write',
    params: apiKeyParams,
    parseParams: parseApiKeyParams,
    body: {
      schema: rotateApiKeyBody,
      parse: parseRotateApiKeyBody,
      description: 'How long the old key goes on working; 24 hours when there is no body.',
      required: false,
      examples: { at_once: { summary: 'The old key ends at once', value: { overlap_hours: 0 } } },
    },
    answers: { 201: { description: 'The new key, with its secret.', schema: wireCreatedApiKey } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'insufficient_scope',
      'api_key_not_found',
      'invalid_state',
    ],
  },
  revokeApiKey: {
    ...common,
    method: 'DELETE',
    path: '/v1/api-keys/{api_key_id}',
    summary: 'Revoke an API key',
    description:
      'In force everywhere within a second, for good. Revoking it again changes nothing. A key may revoke itself.',
    limit: 'write',
    params: apiKeyParams,
    parseParams: parseApiKeyParams,
    answers: { 204: { description: 'The key is revoked.' } },
    errors: ['unknown_parameter', 'api_key_not_found'],
  },
} as const satisfies Operations;

export const meOperations = {
  getMe: {
    access: 'key',
    method: 'GET',
    path: '/v1/me',
    tag: 'API keys',
    summary: 'Who this key is',
    description: 'The account, the key, its scopes and limits, and whether it is a test key.',
    scope: null,
    limit: 'read',
    answers: { 200: { description: 'The caller.', schema: wireMe } },
    errors: ['unknown_parameter'],
  },
} as const satisfies Operations;
