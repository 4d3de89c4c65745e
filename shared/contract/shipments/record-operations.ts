import { z } from 'zod';
import type { Operations } from '../operation.ts';
import { listEventsQuery, parseListEventsQuery } from './record-queries.ts';
import { wireEventList, wireRefreshList } from './record-wire.ts';
import { parseShipmentParams, shipmentParams } from './shipment-id.ts';

export const recordOperations = {
  listShipmentEvents: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/shipments/{shipment_id}/events',
    tag: 'Shipments',
    summary: 'List the events of a shipment',
    description:
      'The full history, newest first by the time of the event: also what was voided or superseded, which the flags tell. Only actual events without ' +
      'flags move the status. With `include=raw` each event comes with what the carrier literally said.',
    scope: 'shipments:read',
    limit: 'read',
    params: shipmentParams,
    parseParams: parseShipmentParams,
    query: listEventsQuery,
    parseQuery: parseListEventsQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireEventList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last one.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor', 'shipment_not_found'],
  },
  listShipmentRefreshes: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/shipments/{shipment_id}/refreshes',
    tag: 'Shipments',
    summary: 'List the last refreshes',
    description:
      'When the carrier was asked, what came of it and how long it took: the last 20, newest first. A run of refreshes without news is one row.',
    scope: 'shipments:read',
    limit: 'read',
    params: shipmentParams,
    parseParams: parseShipmentParams,
    answers: { 200: { description: 'The refreshes.', schema: wireRefreshList } },
    errors: ['unknown_parameter', 'shipment_not_found'],
  },
} as const satisfies Operations;
