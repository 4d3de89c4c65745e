import { z } from 'zod';
import { namedLists } from '#shared/domain/shipments/named-lists.ts';
import type { Operations } from '../operation.ts';
import { wireShipment } from '../wire-schemas.ts';
import { wireCounts } from './counts-wire.ts';
import { exportShipmentsQuery, parseExportShipmentsQuery } from './export-query.ts';
import {
  countShipmentsQuery,
  listShipmentsQuery,
  parseCountShipmentsQuery,
  parseListShipmentsQuery,
} from './list-shipments-query.ts';
import { wireShipmentList } from './list-wire.ts';
import { getShipmentQuery, parseGetShipmentQuery } from './record-queries.ts';
import { parseShipmentParams, shipmentParams } from './shipment-id.ts';

const fastLists = [
  'These ten lists each walk one index in their order, however many shipments there are, on every page and in either direction:',
  '',
  ...namedLists.map(({ question, example }) => `- ${question} \`?${example}\``),
  '',
  'So do a number (`identifier` and its kinds) and a `reference`. Everything else is found in the order of the list or by the words in it; a ' +
    'combination that takes more than 5 s among very many shipments is refused with `list_too_slow`.',
].join('\n');

export const listOperations = {
  listShipments: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/shipments',
    tag: 'Shipments',
    summary: 'List and search shipments',
    description:
      'One page of the shipments that match every filter; within one filter a comma is OR, always. Pages are stable while shipments change: by ' +
      '`created_at` every shipment that is there throughout comes exactly once. By a time that moves none comes twice, and one that changes after ' +
      `\`as_of\` is left to the change feed.\n\n${fastLists}`,
    scope: 'shipments:read',
    limit: 'read',
    query: listShipmentsQuery,
    parseQuery: parseListShipmentsQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireShipmentList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last one.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor', 'list_too_slow'],
  },
  countShipments: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/shipments/counts',
    tag: 'Shipments',
    summary: 'Count shipments',
    description:
      'How many shipments match the filters of the list: in all, by status and by how following stands. By `status`, `tracking_state`, ' +
      '`has_exception` and `archived` the numbers are kept, not counted: exact, and as fast among a million.',
    scope: 'shipments:read',
    limit: 'read',
    query: countShipmentsQuery,
    parseQuery: parseCountShipmentsQuery,
    answers: { 200: { description: 'The counts.', schema: wireCounts } },
    errors: ['validation_failed', 'unknown_parameter', 'list_too_slow'],
  },
  exportShipments: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/shipments/export',
    tag: 'Shipments',
    summary: 'Export shipments as CSV or NDJSON',
    description:
      'Every shipment that matches the filters of the list, however many, as a file that is written while it is read. A file that could not be ' +
      'finished ends with a broken connection, never like a complete one. In CSV, texts that a spreadsheet would take for formulas get a leading ' +
      'apostrophe, and lists are joined with `;`.',
    scope: 'shipments:read',
    limit: 'read',
    query: exportShipmentsQuery,
    parseQuery: parseExportShipmentsQuery,
    anyAccept: true,
    answers: {
      200: {
        description: 'The file: CSV (RFC 4180, a header line, stable columns), or NDJSON with one summary a line.',
        mediaType: 'text/csv',
        textMediaTypes: ['application/x-ndjson'],
        schema: z.string().meta({
          description: 'Lines of text.',
          examples: ['shipment_id,status\r\nshp_01kahf3m2xfr5tq4d8z9w6c7yb,in_transit\r\n'],
        }),
        headers: {
          'Content-Disposition': { description: 'A name for the file.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'list_too_slow'],
  },
  getShipment: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/shipments/{shipment_id}',
    tag: 'Shipments',
    summary: 'Get one shipment',
    description:
      'The whole record. With `If-None-Match` an unchanged record is answered with 304 and no body. With `as_of` the record as it stood at a moment of ' +
      'the past.',
    scope: 'shipments:read',
    limit: 'read',
    params: shipmentParams,
    parseParams: parseShipmentParams,
    query: getShipmentQuery,
    parseQuery: parseGetShipmentQuery,
    answers: {
      200: {
        description: 'The record.',
        schema: wireShipment,
        headers: {
          ETag: { description: 'Changes with the record, its tracking and its freshness.', schema: z.string() },
        },
      },
      304: { description: 'The record is the one whose ETag was sent.' },
    },
    errors: ['validation_failed', 'unknown_parameter', 'shipment_not_found'],
  },
} as const satisfies Operations;
