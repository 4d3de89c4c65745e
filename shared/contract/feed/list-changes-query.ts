import { z } from 'zod';
import type { NarrowedEvents } from '#shared/domain/feed/change.ts';
import { type ChangeType, changeTypes } from '#shared/domain/feed/change-types.ts';
import { allClassifiers, allLegRoles, eventCodes } from '#shared/domain/tracking/event.ts';
import type { RawQuery } from '../operation.ts';
import { type Contradiction, parseQuery } from '../parse-query.ts';
import { readShipmentId } from '../shipments/shipment-id.ts';

function listOf<const Value extends string>(values: readonly Value[], only: string, example: NoInfer<Value>[]) {
  return z
    .array(z.enum(values))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description:
        `${only}, separated by commas. One and the same event must match \`event_codes\`, \`leg_roles\` and ` +
        '`classifier`.',
      examples: [example],
    });
}

export const listChangesQuery = z.strictObject({
  after: z
    .union([z.int().min(0), z.literal('latest')], { error: 'must be a position (an integer from 0) or latest.' })
    .optional()
    .meta({
      description:
        'Returns changes after this position: `page.next_after` of the previous response. Default: from the oldest ' +
        'change. `latest` returns no changes, only the current end of the feed.',
      examples: [4711],
    }),
  type: z
    .array(z.enum(changeTypes))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description: 'Only changes of these types, separated by commas.',
      examples: [['shipment.status_changed', 'shipment.eta_changed']],
    }),
  shipment_id: z
    .string()
    .refine((text) => readShipmentId(text) !== null, {
      error: 'must be a shipment id: shp_ followed by 26 characters.',
      params: { code: 'invalid_format' },
    })
    .optional()
    .meta({ description: 'Only changes of this shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  event_codes: listOf(eventCodes, 'Only `shipment.event_added` with a new event of these codes', ['arrived']),
  leg_roles: listOf(allLegRoles, 'Only `shipment.event_added` with a new event at these places of the journey', [
    'pod',
  ]),
  classifier: listOf(allClassifiers, 'Only `shipment.event_added` with a new event of these types', ['actual']),
  limit: z
    .int()
    .min(1)
    .max(500)
    .default(100)
    .meta({ description: 'Page size, 1 to 500.', examples: [100] }),
});

/** `shipmentId` is a uuid. Null: no condition. */
export type ChangesRequest = {
  after: number | 'latest' | null;
  types: ChangeType[] | null;
  shipmentId: string | null;
  narrowedBy: NarrowedEvents;
  limit: number;
};

/**
 * Parses the query of the change feed. Throws one LandfallError that names every mistake: `unknown_parameter` if
 * nothing else is wrong, else `validation_failed`.
 */
export function parseListChangesQuery(query: RawQuery): ChangesRequest {
  const { after, type, shipment_id, event_codes, leg_roles, classifier, limit } = parseQuery(
    listChangesQuery,
    isPosition(query.after) ? { ...query, after: Number(query.after) } : query,
    contradictionsOf,
  );
  return {
    after: after ?? null,
    types: type ?? null,
    shipmentId: shipment_id === undefined ? null : readShipmentId(shipment_id),
    narrowedBy: { codes: event_codes ?? [], legRoles: leg_roles ?? [], classifiers: classifier ?? [] },
    limit,
  };
}

/** Only added events have codes, so that no other type could match. */
function contradictionsOf(query: z.output<typeof listChangesQuery>): Contradiction[] {
  const isNarrowed = [query.event_codes, query.leg_roles, query.classifier].some((list) => list !== undefined);
  if (!isNarrowed || query.type === undefined || query.type.includes('shipment.event_added')) return [];
  const detail = 'event_codes, leg_roles and classifier return shipment.event_added only, which type excludes.';
  return [{ field: 'type', detail }];
}

/** Numbers of up to 15 digits are exact. */
function isPosition(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}
