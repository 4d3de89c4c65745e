import { z } from 'zod';
import { LandfallError } from '#shared/domain/errors.ts';
import { allClassifiers, allLegRoles, eventCodes } from '#shared/domain/events/event.ts';
import type { NarrowedEvents } from '#shared/domain/feed/change.ts';
import { type ChangeType, changeTypes } from '#shared/domain/feed/change-types.ts';
import { type Contradiction, parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';
import { readShipmentId } from '../record/shipment-id.ts';

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

/** The same conditions as the list's; without `after`, the stream starts at the end. */
export const streamChangesQuery = listChangesQuery.omit({ limit: true, after: true }).extend({
  after: listChangesQuery.shape.after.meta({
    description:
      'Continues after this position: `id` of the last event, or `page.next_after` of `GET /v1/events`. ' +
      '`Last-Event-ID` takes precedence. Default: `latest`, only changes from now on.',
    examples: [4711],
  }),
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
  const { after, limit, ...conditions } = parseQuery(listChangesQuery, withPosition(query), contradictionsOf);
  return { after: after ?? null, limit, ...conditionsOf(conditions) };
}

/** `after` is where the stream starts. */
export type StreamRequest = Pick<ChangesRequest, 'types' | 'shipmentId' | 'narrowedBy'> & { after: number | 'latest' };

/** Parses the query of the stream, with the same errors. */
export function parseStreamChangesQuery(query: RawQuery): StreamRequest {
  const { after, ...conditions } = parseQuery(streamChangesQuery, withPosition(query), contradictionsOf);
  return { after: after ?? 'latest', ...conditionsOf(conditions) };
}

/**
 * The position in a `Last-Event-ID` header. Null: there is none. Throws LandfallError `validation_failed` for anything
 * but a position.
 */
export function readLastEventId(header: string | undefined): number | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  if (isPosition(text)) return Number(text);
  const detail = 'Last-Event-ID must be a position: the id of the last event that you received.';
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: 'header:Last-Event-ID', code: 'invalid_format', detail }],
  });
}

function conditionsOf({
  type,
  shipment_id,
  event_codes,
  leg_roles,
  classifier,
}: Omit<z.output<typeof streamChangesQuery>, 'after'>): Pick<ChangesRequest, 'types' | 'shipmentId' | 'narrowedBy'> {
  return {
    types: type ?? null,
    shipmentId: shipment_id === undefined ? null : readShipmentId(shipment_id),
    narrowedBy: { codes: event_codes ?? [], legRoles: leg_roles ?? [], classifiers: classifier ?? [] },
  };
}

function withPosition(query: RawQuery): RawQuery {
  return isPosition(query.after) ? { ...query, after: Number(query.after) } : query;
}

/** Only added events have codes, so that no other type could match. */
function contradictionsOf(query: z.output<typeof streamChangesQuery>): Contradiction[] {
  const isNarrowed = [query.event_codes, query.leg_roles, query.classifier].some((list) => list !== undefined);
  if (!isNarrowed || query.type === undefined || query.type.includes('shipment.event_added')) return [];
  const detail = 'event_codes, leg_roles and classifier return shipment.event_added only, which type excludes.';
  return [{ field: 'type', detail }];
}

/** Numbers of up to 15 digits are exact. */
function isPosition(value: unknown): boolean {
  return typeof value === 'string' && /^\d{1,15}$/.test(value);
}
