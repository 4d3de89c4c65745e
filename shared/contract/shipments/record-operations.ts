import { z } from 'zod';
import { maxProofBytes, proofMediaTypes } from '#shared/domain/carriers/proof.ts';
import { maxUnreadableEvents } from '#shared/domain/events/unreadable.ts';
import type { Operations } from '../operation.ts';
import { parseProofParams, parseShipmentParams, proofParams, shipmentParams } from '../record/shipment-id.ts';
import { listEventsQuery, parseListEventsQuery } from './record-queries.ts';
import { wireEventList, wireRefreshList, wireUnreadableEventList } from './record-wire.ts';

const common = {
  access: 'key_or_session',
  method: 'GET',
  tag: 'Shipments',
  scope: 'shipments:read',
  limit: 'read',
  params: shipmentParams,
  parseParams: parseShipmentParams,
} as const;

const [firstProofType, ...moreProofTypes] = proofMediaTypes;

export const recordOperations = {
  listShipmentEvents: {
    ...common,
    path: '/v1/shipments/{shipment_id}/events',
    summary: 'List the events of a shipment',
    description:
      'Returns the full history, newest first by the time of the event. It includes voided and superseded events, ' +
      'which are marked in `flags`. Only actual events without flags determine the status. With `include=raw`, each ' +
      'event includes the original data of the carrier.',
    query: listEventsQuery,
    parseQuery: parseListEventsQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireEventList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last page.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor', 'shipment_not_found'],
  },
  listShipmentRefreshes: {
    ...common,
    path: '/v1/shipments/{shipment_id}/refreshes',
    summary: 'List the refreshes of a shipment',
    description:
      'Returns when Landfall polled the carrier, the outcome and the response time: the last 20 rows, newest first. ' +
      'A run of refreshes without changes is one row.',
    answers: { 200: { description: 'The refreshes.', schema: wireRefreshList } },
    errors: ['unknown_parameter', 'shipment_not_found'],
  },
  getShipmentBundle: {
    ...common,
    path: '/v1/shipments/{shipment_id}/bundle',
    summary: 'Download everything about a shipment',
    description:
      'Streams everything that is stored about a shipment, one JSON object per line: `{"part": …, "data": …}`. The ' +
      'parts are `record`, `identifier`, `event` (with the whole `raw`), `status_change`, `refresh`, ' +
      '`unreadable_event`, `proof` (stored documents, in Base64), `note`, `change` (only those still in the feed), `audit` and, ' +
      'as the last line, `end` with the number of lines before it. A bundle without that line is incomplete.',
    answers: {
      200: {
        description: 'The bundle: NDJSON.',
        mediaType: 'application/x-ndjson',
        schema: z.string().meta({ description: 'Lines of JSON.', examples: ['{"part":"end","data":{"lines":0}}\n'] }),
        headers: { 'Content-Disposition': { description: 'Suggested file name.', schema: z.string() } },
      },
    },
    errors: ['unknown_parameter', 'shipment_not_found'],
  },
  getShipmentProof: {
    ...common,
    // Each calls the carrier, with a budget that other accounts may share.
    limit: 'batch',
    path: '/v1/shipments/{shipment_id}/proof/{proof_id}',
    summary: 'Get a proof of delivery',
    description:
      'Returns the document itself: a signature, a photo or a document, as listed in `delivery.proof` of the record. ' +
      'Landfall fetches it from the carrier when you ask, with the credentials that poll the shipment, and does not ' +
      'store it unless the operator has set `PROOF_STORE=on`. The request makes a call to the carrier, which counts ' +
      'against the call budget, and takes up to 40 seconds. A document has at most ' +
      `${maxProofBytes / 1024 / 1024} MiB. Its type is recognized by its content.`,
    params: proofParams,
    parseParams: parseProofParams,
    answers: {
      200: {
        description: 'The document.',
        mediaType: firstProofType,
        moreMediaTypes: moreProofTypes,
        schema: z.string().meta({ description: 'The file.' }),
        headers: {
          'Content-Disposition': { description: '`inline`, with a suggested file name.', schema: z.string() },
        },
      },
    },
    errors: [
      'unknown_parameter',
      'shipment_not_found',
      'proof_not_found',
      'carrier_credentials_missing',
      'carrier_rate_limited',
      'proof_unavailable',
    ],
  },
  listUnreadableEvents: {
    ...common,
    path: '/v1/shipments/{shipment_id}/unreadable-events',
    summary: 'List the unreadable events of a shipment',
    description:
      `Returns the newest ${maxUnreadableEvents} events of a shipment that Landfall could not read, with the carrier’s ` +
      'original data and the reason. They do not count in the record. Landfall keeps them for 90 days.',
    answers: { 200: { description: 'The events.', schema: wireUnreadableEventList } },
    errors: ['unknown_parameter', 'shipment_not_found'],
  },
} as const satisfies Operations;
