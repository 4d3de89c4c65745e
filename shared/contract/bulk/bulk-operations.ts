import { z } from 'zod';
import { maxOpenActions } from '#shared/domain/bulk/bulk-action.ts';
import { parseId } from '../input/parse-id.ts';
import type { Operations, RawParams } from '../operation.ts';
import { bulkActionBody, parseBulkActionBody } from './bulk-action-body.ts';
import { wireBulkAction } from './bulk-action-wire.ts';

const common = { access: 'key_or_session', tag: 'Shipments', scope: 'shipments:write' } as const;
const ofOne = {
  ...common,
  params: z.object({
    bulk_action_id: z.string().meta({
      description: 'Id of the bulk action: `blk_` followed by 26 characters.',
      examples: ['blk_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
  }),
  parseParams: (params: RawParams) => {
    const missing = { prefix: 'blk', code: 'bulk_action_not_found', detail: 'Bulk action not found.' } as const;
    return { bulkActionId: parseId(params, 'bulk_action_id', missing) };
  },
} as const;
const location = { Location: { description: 'Path of the bulk action.', schema: z.string() } };

export const bulkOperations = {
  startBulkAction: {
    ...common,
    method: 'POST',
    path: '/v1/bulk-actions',
    summary: 'Change many shipments',
    description:
      'Does one thing to many shipments: to all that match a filter, or to those that are named. Returns at once; ' +
      'workers do it, each shipment like its own operation, with the same changes in the feed. Poll the bulk action ' +
      `for the progress. It stops when its key is revoked or expires, or its user loses access. ` +
      `An account has at most ${maxOpenActions} running ones. They are kept for 30 days.`,
    limit: 'batch',
    idempotent: true,
    body: {
      schema: bulkActionBody,
      parse: parseBulkActionBody,
      description: 'The action, and a filter or the ids of shipments.',
      maxBytes: 1024 * 1024,
      examples: {
        archive: {
          summary: 'Archive last year’s deliveries',
          value: { action: 'archive', filter: { status: ['delivered'], delivered_to: '2025-12-31' } },
        },
        tag: {
          summary: 'Tag two shipments',
          value: {
            action: 'tag',
            tags_add: ['urgent'],
            shipment_ids: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb', 'shp_01kahf3m2xfr5tq4d8z9w6c7yc'],
          },
        },
      },
    },
    answers: { 202: { description: 'The bulk action.', schema: wireBulkAction, headers: location } },
    errors: [
      'invalid_json',
      'validation_failed',
      'unknown_field',
      'unknown_parameter',
      'invalid_state',
      'idempotency_mismatch',
    ],
  },
  getBulkAction: {
    ...ofOne,
    method: 'GET',
    path: '/v1/bulk-actions/{bulk_action_id}',
    summary: 'Get a bulk action',
    description: 'Returns the bulk action with its progress and its first failures.',
    limit: 'read',
    answers: { 200: { description: 'The bulk action.', schema: wireBulkAction } },
    errors: ['unknown_parameter', 'bulk_action_not_found'],
  },
  cancelBulkAction: {
    ...ofOne,
    method: 'POST',
    path: '/v1/bulk-actions/{bulk_action_id}/cancel',
    summary: 'Cancel a bulk action',
    description: 'Changes no further shipments. Those that were changed stay changed. Safe to repeat.',
    limit: 'write',
    answers: { 200: { description: 'The bulk action.', schema: wireBulkAction } },
    errors: ['unknown_field', 'validation_failed', 'unknown_parameter', 'bulk_action_not_found'],
  },
  undoBulkAction: {
    ...ofOne,
    method: 'POST',
    path: '/v1/bulk-actions/{bulk_action_id}/undo',
    summary: 'Undo a bulk action',
    description:
      'Restores the shipments that an `archive` has archived, or archives those that a `restore` has restored. ' +
      'Starts a bulk action of its own. Safe to repeat: an action is undone once. Other actions can’t be undone.',
    limit: 'batch',
    answers: { 202: { description: 'The bulk action that undoes it.', schema: wireBulkAction, headers: location } },
    errors: ['unknown_field', 'validation_failed', 'unknown_parameter', 'bulk_action_not_found', 'invalid_state'],
  },
} as const satisfies Operations;
