import { z } from 'zod';
import { changeTypes } from '#shared/domain/feed/change-types.ts';
import { type DeliveryState, deliveryStates, testType } from '#shared/domain/webhooks/delivery.ts';
import { momentText } from '../input/filter-parts.ts';
import { cursorAfterId, type ListOfIds, pageOfIdsQuery, parsePageOfIds, readCursor } from '../input/page-of-ids.ts';
import { parseId } from '../input/parse-id.ts';
import { parseQuery } from '../input/parse-query.ts';
import { readInstant } from '../input/read-instant.ts';
import type { RawParams, RawQuery } from '../operation.ts';
import { readShipmentId } from '../record/shipment-id.ts';
import { readDeliveryId, toDeliveryId } from './delivery-wire.ts';
import { readEndpointId, toEndpointId } from './endpoint-wire.ts';
import { readReplayId, toReplayId } from './replay-wire.ts';

const endpointParam = z.string().meta({
  description: 'Id of the endpoint: `whe_` followed by 26 characters.',
  examples: ['whe_01kahf3m2xfr5tq4d8z9w6c7yb'],
});

export const endpointParams = z.object({ webhook_endpoint_id: endpointParam });
export const deliveryParams = z.object({
  webhook_endpoint_id: endpointParam,
  delivery_id: z.string().meta({
    description: 'Id of the delivery: `dlv_` followed by 26 characters.',
    examples: ['dlv_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
});
export const replayParams = z.object({
  webhook_endpoint_id: endpointParam,
  replay_id: z.string().meta({
    description: 'Id of the replay: `rpl_` followed by 26 characters.',
    examples: ['rpl_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
});

/** Throws LandfallError `webhook_endpoint_not_found`. */
export function parseEndpointParams(params: RawParams): { endpointId: string } {
  const missing = {
    prefix: 'whe',
    code: 'webhook_endpoint_not_found',
    detail: 'Webhook endpoint not found.',
  } as const;
  return { endpointId: parseId(params, 'webhook_endpoint_id', missing) };
}

/** Throws LandfallError `webhook_endpoint_not_found` or `webhook_delivery_not_found`. */
export function parseDeliveryParams(params: RawParams): { endpointId: string; id: string } {
  const missing = { prefix: 'dlv', code: 'webhook_delivery_not_found', detail: 'Delivery not found.' } as const;
  return { ...parseEndpointParams(params), id: parseId(params, 'delivery_id', missing) };
}

/** Throws LandfallError `webhook_endpoint_not_found` or `webhook_replay_not_found`. */
export function parseReplayParams(params: RawParams): { endpointId: string; id: string } {
  const missing = { prefix: 'rpl', code: 'webhook_replay_not_found', detail: 'Replay not found.' } as const;
  return { ...parseEndpointParams(params), id: parseId(params, 'replay_id', missing) };
}

export const listEndpointsQuery = z.strictObject({
  include: z
    .array(z.enum(['stats']))
    .min(1)
    .max(1)
    .optional()
    .meta({ description: '`stats`: add how each endpoint did in the last 24 hours.', examples: [['stats']] }),
  ...pageOfIdsQuery.shape,
});
export const listReplaysQuery = pageOfIdsQuery;

const endpoints: ListOfIds = { binding: 'webhook-endpoints', toId: toEndpointId, readId: readEndpointId };
const replays: ListOfIds = { binding: 'webhook-replays', toId: toReplayId, readId: readReplayId };

/** Throws LandfallError `validation_failed`, `unknown_parameter` or `invalid_cursor`. */
export function parseListEndpointsQuery(query: RawQuery): {
  limit: number;
  after: string | null;
  includeStats: boolean;
} {
  const { include, limit, cursor } = parseQuery(listEndpointsQuery, query);
  return {
    limit,
    after: cursor === undefined ? null : readCursor(endpoints, cursor),
    includeStats: include !== undefined,
  };
}

/** The cursor after this endpoint. */
export function endpointCursor(uuid: string): string {
  return cursorAfterId(endpoints, uuid);
}

/** Throws LandfallError `validation_failed`, `unknown_parameter` or `invalid_cursor`. */
export function parseListReplaysQuery(query: RawQuery): { limit: number; after: string | null } {
  return parsePageOfIds(replays, query);
}

/** The cursor after this replay. */
export function replayCursor(uuid: string): string {
  return cursorAfterId(replays, uuid);
}

export const listDeliveriesQuery = z.strictObject({
  outcome: z
    .array(z.enum(deliveryStates))
    .min(1)
    .max(deliveryStates.length)
    .optional()
    .meta({ description: 'Only deliveries with these outcomes, separated by commas.', examples: [['exhausted']] }),
  type: z
    .array(z.enum([...changeTypes, testType]))
    .min(1)
    .max(50)
    .optional()
    .meta({
      description: 'Only deliveries of these types of change, separated by commas.',
      examples: [['shipment.delivered']],
    }),
  shipment_id: z
    .string()
    .refine((text) => readShipmentId(text) !== null, {
      error: 'must be a shipment id: shp_ followed by 26 characters.',
      params: { code: 'invalid_format' },
    })
    .optional()
    .meta({ description: 'Only deliveries about this shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
  since: momentText.optional().meta({
    description: 'Only deliveries since then: a date (UTC) or a time with an offset.',
    examples: ['2026-04-15T08:00:00Z'],
  }),
  ...pageOfIdsQuery.shape,
});

export type DeliveriesRequest = {
  states: DeliveryState[] | null;
  types: string[] | null;
  shipmentId: string | null;
  since: string | null;
  limit: number;
  after: string | null;
};

/** Throws LandfallError `validation_failed`, `unknown_parameter` or `invalid_cursor`. */
export function parseListDeliveriesQuery(query: RawQuery): DeliveriesRequest & { filter: DeliveryFilter } {
  const { outcome, type, shipment_id, since, limit, cursor } = parseQuery(listDeliveriesQuery, query);
  const filter: DeliveryFilter = [outcome ?? null, type ?? null, shipment_id ?? null, since ?? null];
  return {
    states: outcome ?? null,
    types: type ?? null,
    shipmentId: shipment_id === undefined ? null : readShipmentId(shipment_id),
    since: since === undefined ? null : readInstant(since, 'from'),
    limit,
    after: cursor === undefined ? null : readCursor(deliveriesWith(filter), cursor),
    filter,
  };
}

/** Query that a cursor is bound to. */
export type DeliveryFilter = readonly unknown[];

/** The cursor after this delivery. */
export function deliveryCursor(filter: DeliveryFilter, uuid: string): string {
  return cursorAfterId(deliveriesWith(filter), uuid);
}

function deliveriesWith(filter: DeliveryFilter): ListOfIds {
  return { binding: `webhook-deliveries ${JSON.stringify(filter)}`, toId: toDeliveryId, readId: readDeliveryId };
}
