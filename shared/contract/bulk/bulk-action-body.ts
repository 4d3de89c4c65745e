import { z } from 'zod';
import { type ActionOnEach, actionKinds, maxNamedShipments, maxShipments } from '#shared/domain/bulk/bulk-action.ts';
import type { InputMistake } from '#shared/domain/errors.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { refusal } from '../input/input-mistakes.ts';
import { parseBody } from '../input/parse-body.ts';
import { tagList } from '../record/client-fields.ts';
import { readShipmentId } from '../record/shipment-id.ts';
import { filterMistakes, readWebhookFilter, webhookFilter } from '../webhooks/webhook-filter.ts';

/** The body that starts a bulk action. */
export const bulkActionBody = z.strictObject({
  action: z.enum(actionKinds).meta({
    description:
      'Action on each shipment, with the rules of the single operation: `archive`, `restore`, `tag` (with `tags_add` ' +
      'or `tags_remove`), `refresh`, `stop` or `resume`.',
    examples: ['archive'],
  }),
  tags_add: tagList.meta({ description: 'Tags to add to those that each has.', examples: [['urgent']] }),
  tags_remove: tagList.meta({ description: 'Tags to remove from those that have them.', examples: [['new']] }),
  filter: webhookFilter.optional().meta({
    id: 'BulkActionFilter',
    description:
      `All shipments that match when they are found, up to ${maxShipments.toLocaleString('en')}, newest first: the ` +
      'filters of the list with the same names, and arrays for lists. Archived ones only with `archived`. An empty ' +
      'filter means all current shipments.',
    examples: [{ status: ['delivered'], delivered_to: '2026-01-31' }],
  }),
  shipment_ids: z
    .array(z.string())
    .min(1)
    .max(maxNamedShipments)
    .optional()
    .meta({
      description: `The shipments, at most ${maxNamedShipments.toLocaleString('en')}, instead of a filter.`,
      examples: [['shp_01kahf3m2xfr5tq4d8z9w6c7yb']],
    }),
});

/** `source`: uuids of shipments, or a filter. */
export type BulkRequest = { action: ActionOnEach; source: { ids: string[] } | { filter: ShipmentFilter } };

/** Parses an untrusted body. Throws one LandfallError that names every mistake. */
export function parseBulkActionBody(body: unknown): BulkRequest {
  const { filter: sentFilter, ...others } = isObject(body) ? body : { filter: undefined };
  const mistakes: InputMistake[] = [];
  const mistake = (field: string, code: string, detail: string) =>
    mistakes.push({ pointer: `/${field}`, code, detail });
  const {
    action: kind,
    tags_add: add = [],
    tags_remove: remove = [],
    shipment_ids: sentIds,
  } = parseBody(bulkActionBody, isObject(body) ? others : body);
  if (sentFilter !== undefined) mistakes.push(...filterMistakes(sentFilter));
  if (kind === 'tag' && add.length + remove.length === 0)
    mistake('tags_add', 'required', 'The action tag requires tags_add or tags_remove.');
  if (kind !== 'tag' && add.length + remove.length > 0)
    mistake('tags_add', 'contradiction', `The action ${kind} accepts no tags.`);
  if ((sentFilter === undefined) === (sentIds === undefined))
    mistake('filter', 'required', 'Name the shipments by either filter or shipment_ids.');
  const ids = [...new Set(sentIds)].map((id, index) => {
    const uuid = readShipmentId(id);
    if (uuid === null && mistakes.length < 100)
      mistake(`shipment_ids/${index}`, 'invalid_format', `Not a shipment id: ${id.slice(0, 64)}.`);
    return uuid ?? '';
  });
  if (mistakes.length > 0) throw refusal(mistakes);
  const action: ActionOnEach =
    kind === 'tag' ? { kind, add: [...new Set(add)], remove: [...new Set(remove)] } : { kind };
  if (sentFilter === undefined) return { action, source: { ids } };
  return { action, source: { filter: readWebhookFilter(sentFilter as never) ?? {} } };
}

function isObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
