import { z } from 'zod';
import { maxValidApiKeys } from '#shared/domain/keys/api-key.ts';
import { parseId } from '../input/parse-id.ts';
import type { Operations, RawParams } from '../operation.ts';
import {
  createApiKeyBody,
  listApiKeysQuery,
  parseCreateApiKeyBody,
  parseListApiKeysQuery,
  parseRotateApiKeyBody,
  rotateApiKeyBody,
} from './api-key-input.ts';
import { wireApiKeyList, wireCreatedApiKey } from './api-key-wire.ts';
import { wireMe } from './me-wire.ts';

const keyPath = {
  params: z.object({
    api_key_id: z.string().meta({
      description: 'Public id of the key: `key_` followed by 26 characters.',
      examples: ['key_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
  }),
  parseParams: (params: RawParams) => {
    const missing = { prefix: 'key', code: 'api_key_not_found', detail: 'API key not found.' } as const;
    return { keyId: parseId(params, 'api_key_id', missing) };
  },
} as const;
const common = { access: 'key_or_session', tag: 'API keys', scope: 'keys:manage' } as const;

export const keyOperations = {
  listApiKeys: {
    ...common,
    method: 'GET',
    path: '/v1/api-keys',
    summary: 'List API keys',
    description:
      'Returns the keys of the account, newest first, including revoked and expired ones. Test keys only see test ' +
      'keys.',
    limit: 'read',
    query: listApiKeysQuery,
    parseQuery: parseListApiKeysQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireApiKeyList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last page.', schema: z.string() },
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
      'The response contains the key, which is not shown again. A key can only grant scopes that it has itself, and ' +
      `test keys can only create test keys. An account can have ${maxValidApiKeys} valid keys.`,
    limit: 'write',
    body: {
      schema: createApiKeyBody,
      parse: parseCreateApiKeyBody,
      description: 'The key to create.',
      examples: {
        reader: { summary: 'A read-only key', value: { name: 'reporting', scopes: ['shipments:read'] } },
      },
    },
    answers: { 201: { description: 'The new key with its secret.', schema: wireCreatedApiKey } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'insufficient_scope',
      'test_key_not_allowed',
      'invalid_state',
    ],
  },
  rotateApiKey: {
    ...common,
    ...keyPath,
    method: 'POST',
    path: '/v1/api-keys/{api_key_id}/rotate',
    summary: 'Rotate an API key',
    description:
      'Creates a key with the same name, scopes and mode. The old key stays valid for `overlap_hours`, but not ' +
      'beyond its own expiry. The replacement of a key with an expiry gets the same lifetime. If you lose the ' +
      'response, rotate the key named in `rotated_to`. The new key expires no later than the key that creates it.',
    limit: 'write',
    body: {
      schema: rotateApiKeyBody,
      parse: parseRotateApiKeyBody,
      description: 'How long the old key stays valid. Default: 24 hours.',
      required: false,
      examples: { at_once: { summary: 'Expire the old key at once', value: { overlap_hours: 0 } } },
    },
    answers: { 201: { description: 'The new key with its secret.', schema: wireCreatedApiKey } },
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
    ...keyPath,
    method: 'DELETE',
    path: '/v1/api-keys/{api_key_id}',
    summary: 'Revoke an API key',
    description:
      'Takes effect on every instance within a second and cannot be undone. Safe to repeat. A key can revoke itself.',
    limit: 'write',
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
    summary: 'Get the current key',
    description: 'Returns the account, the key, its scopes and rate limits, and whether it is a test key.',
    scope: null,
    limit: 'read',
    answers: { 200: { description: 'The current key.', schema: wireMe } },
    errors: ['unknown_parameter'],
  },
} as const satisfies Operations;
