import { z } from 'zod';
import { namedLists } from '#shared/domain/lists/named-lists.ts';
import type { Operations } from '../operation.ts';
import { parseShipmentParams, shipmentParams } from '../record/shipment-id.ts';
import { wireShipment } from '../record/shipment-schemas.ts';
import { getShipmentQuery, parseGetShipmentQuery } from '../shipments/record-queries.ts';
import { exportShipmentsQuery, parseExportShipmentsQuery } from './export-query.ts';
import {
  countShipmentsQuery,
  listShipmentsQuery,
  parseCountShipmentsQuery,
  parseListShipmentsQuery,
} from './list-shipments-query.ts';
import { wireCounts, wireShipmentList } from './list-wire.ts';

const common = {
  access: 'key_or_session',
  method: 'GET',
  tag: 'Shipments',
  scope: 'shipments:read',
  limit: 'read',
} as const;

const indexedQueries = [
  'Each of these common queries is a single index scan, for any number of shipments, on every page and in ' +
    'both directions:',
  '',
  ...namedLists.map(({ question, example }) => `- ${question} \`?${example}\``),
  '',
  'Queries by identifier (`identifier` and its kinds) and by `reference` are indexed too. Any other combination ' +
    'scans in the order of the list or uses the search index. It fails with `list_too_slow` if it takes more than 1 ' +
    'second.',
].join('\n');

export const listOperations = {
  listShipments: {
    ...common,
    path: '/v1/shipments',
    summary: 'List and search shipments',
    description:
      'Returns one page of the shipments that match every filter. Within a filter, commas separate alternatives, and so ' +
      'does repeating the parameter. A value with a comma goes in double quotes, in which a quote is doubled: ' +
      '`tag="Smith, Jones",urgent`. ' +
      'Pages stay consistent while shipments change: sorted by `created_at`, every shipment appears exactly once. ' +
      'Sorted by a time that can change, no shipment appears twice, ' +
      `and changes after \`as_of\` are only in the change feed.\n\n${indexedQueries}`,
    query: listShipmentsQuery,
    parseQuery: parseListShipmentsQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireShipmentList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last page.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor', 'list_too_slow'],
  },
  countShipments: {
    ...common,
    path: '/v1/shipments/counts',
    summary: 'Count shipments',
    description:
      'Counts the shipments that match the filters of the list: in total, by status and by state of tracking. Counts ' +
      'by `status`, `tracking_state`, `tracking_reason`, `has_exception`, `needs_attention` and `archived` are ' +
      'maintained incrementally: exact, and just as fast for a million shipments.',
    query: countShipmentsQuery,
    parseQuery: parseCountShipmentsQuery,
    answers: { 200: { description: 'The counts.', schema: wireCounts } },
    errors: ['validation_failed', 'unknown_parameter', 'list_too_slow'],
  },
  exportShipments: {
    ...common,
    path: '/v1/shipments/export',
    summary: 'Export shipments as CSV or NDJSON',
    description:
      'Streams every shipment that matches the filters of the list as a file. If the export fails, the connection is ' +
      'closed before the end of the file, so that a partial file cannot be mistaken for a complete one. In CSV, text ' +
      'that a spreadsheet would run as a formula gets a leading apostrophe, and `|` separates tags. The edited CSV can be ' +
      'imported again.',
    query: exportShipmentsQuery,
    parseQuery: parseExportShipmentsQuery,
    anyAccept: true,
    answers: {
      200: {
        description: 'The file: CSV (RFC 4180, with a header and stable columns), or NDJSON with one summary per line.',
        mediaType: 'text/csv',
        moreMediaTypes: ['application/x-ndjson'],
        schema: z.string().meta({
          description: 'Lines of text.',
          examples: ['shipment_id,status\r\nshp_01kahf3m2xfr5tq4d8z9w6c7yb,in_transit\r\n'],
        }),
        headers: {
          'Content-Disposition': { description: 'Suggested file name.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'list_too_slow'],
  },
  getShipment: {
    ...common,
    path: '/v1/shipments/{shipment_id}',
    summary: 'Get a shipment',
    description:
      'Returns the full record. If `If-None-Match` matches its ETag, the response is 304 without a body. With ' +
      '`as_of`, returns the record as it was at a moment in the past.',
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
      304: { description: 'The record still has the ETag that was sent.' },
    },
    errors: ['validation_failed', 'unknown_parameter', 'shipment_not_found'],
  },
} as const satisfies Operations;
