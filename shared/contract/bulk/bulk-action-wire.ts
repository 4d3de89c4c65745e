import { z } from 'zod';
import {
  actionKinds,
  type BulkAction,
  bulkStates,
  maxListedFailures,
  stopReasons,
} from '#shared/domain/bulk/bulk-action.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { count, instant, instantOrNull, openEnum } from '../schema-parts.ts';

/** The public id of a bulk action. */
export function toBulkActionId(uuid: string): string {
  return encodeTypeId('blk', uuid);
}

/** The uuid of a public id of a bulk action, or null if the text is not one. */
export function readBulkActionId(text: string): string | null {
  return decodeTypeId('blk', text);
}

/** A bulk action and its progress. */
export const wireBulkAction = z
  .strictObject({
    bulk_action_id: z.string().meta({
      description: 'Id of the bulk action: `blk_` followed by 26 characters.',
      examples: ['blk_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
    object: z.literal('bulk_action').meta({ description: 'Always `bulk_action`.' }),
    action: openEnum(actionKinds, 'Action on each shipment.'),
    tags_add: z.array(z.string()).meta({ description: 'Tags that are added.', examples: [['urgent']] }),
    tags_remove: z.array(z.string()).meta({ description: 'Tags that are removed.', examples: [[]] }),
    undoes: z
      .string()
      .nullable()
      .meta({ description: 'The bulk action that this one undoes. Null: none.', examples: [null] }),
    state: openEnum(
      bulkStates,
      '`finding`: the shipments of the filter are being found, and `total` grows. `running`: `total` is final. ' +
        '`cancelled`, `stopped`: the shipments that were processed stay changed.',
    ),
    stop_reason: openEnum(
      stopReasons,
      'Why the action was stopped: the key or the user that started it may no longer do so. Null unless `state` is ' +
        '`stopped`.',
    ).nullable(),
    total: count('Shipments of the action.', 20_000),
    processed: count('Shipments that were processed: changed, unchanged or failed.', 12_500),
    changed: count('Shipments that were changed, or whose refresh was requested.', 12_400),
    unchanged: count('Shipments that needed no change.', 75),
    failed: count('Shipments that could not be changed.', 25),
    limited: z.boolean().meta({
      description:
        'Whether the filter matched more shipments than an action may have. The others are left as they are.',
      examples: [false],
    }),
    failures: z
      .array(
        z.strictObject({
          shipment_id: z.string().meta({ description: 'The shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
          code: z
            .string()
            .meta({ description: 'Error code of the same action on one shipment.', examples: ['invalid_state'] }),
          detail: z.string().meta({ description: 'What happened.', examples: ['The shipment is archived.'] }),
        }),
      )
      .meta({ description: `The first ${maxListedFailures} failures.` }),
    created_at: instant('When it was started.'),
    completed_at: instantOrNull('When it was completed, cancelled or stopped. Null: it is running.'),
  })
  .meta({ id: 'BulkAction', description: 'One action on many shipments, and its progress.' });

export type WireBulkAction = z.infer<typeof wireBulkAction>;

export function toWireBulkAction(found: BulkAction): WireBulkAction {
  const { action, total, processed, changed, failed } = found;
  return {
    bulk_action_id: toBulkActionId(found.id),
    object: 'bulk_action',
    action: action.kind,
    tags_add: action.kind === 'tag' ? [...action.add] : [],
    tags_remove: action.kind === 'tag' ? [...action.remove] : [],
    undoes: found.undoes === null ? null : toBulkActionId(found.undoes),
    state: found.state,
    stop_reason: found.stopReason,
    total,
    processed,
    changed,
    unchanged: processed - changed - failed,
    failed,
    limited: found.isLimited,
    failures: found.failures.map(({ shipmentId, code, detail }) => ({
      shipment_id: encodeTypeId('shp', shipmentId),
      code,
      detail,
    })),
    created_at: found.createdAt,
    completed_at: found.completedAt,
  };
}
