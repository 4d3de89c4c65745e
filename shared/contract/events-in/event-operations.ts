import { z } from 'zod';
import { maxEventRows, maxShipmentEventRows, type SentEventRow } from '#shared/domain/events-in/event-row.ts';
import { parseId } from '../input/parse-id.ts';
import { rowLimits } from '../input/read-json.ts';
import { maxRowBytes, readRows } from '../input/read-rows.ts';
import type { Operations, RawParams } from '../operation.ts';
import { parseShipmentParams, shipmentParams } from '../record/shipment-id.ts';
import { batchEventsBody, shipmentEventsBody } from './event-row-body.ts';
import { eventsAnswer } from './events-wire.ts';
import { failedRow, parseBatchEventRow, parseShipmentEventRow } from './read-event-row.ts';

const tooMany = 'Send the others with another request.';

/** Reads the rows of an untrusted batch of events. Throws as `readRows`. */
function readEventBatch(bytes: Uint8Array): Generator<void, SentEventRow[]> {
  return readRows(bytes, {
    name: 'events',
    maxRows: maxEventRows,
    tooMany,
    readRow: parseBatchEventRow,
    failedRow: (mistake) => failedRow([mistake]),
  });
}

/** The same for events of one shipment, which the path names: the rows' `targets` are empty. */
function readShipmentEvents(bytes: Uint8Array): Generator<void, SentEventRow[]> {
  return readRows(bytes, {
    name: 'events',
    maxRows: maxShipmentEventRows,
    tooMany: `Send up to ${maxEventRows.toLocaleString('en')} with POST /v1/events/batch.`,
    readRow: parseShipmentEventRow,
    failedRow: (mistake) => failedRow([mistake]),
  });
}

const maxBatchBytes = 8 * 1024 * 1024;
const maxShipmentBytes = 2 * 1024 * 1024;
const replayed = {
  description: '`true` if this is the stored response to an earlier request with the same Idempotency-Key.',
  schema: z.literal('true'),
};
const answers = {
  200: {
    description: 'The rows were processed. `results` contains the outcome of each.',
    schema: eventsAnswer,
    headers: { 'Idempotent-Replayed': replayed },
  },
} as const;
const rules =
  'Each row succeeds or fails by itself. Sending rows again changes nothing: a row with a known `external_id` and ' +
  'the same content, or without one and with known content, is `unchanged`. A source never replaces statements of ' +
  `the carrier or another source. A row may have ${maxRowBytes / 1024} KiB, ${rowLimits.keys} keys and ` +
  `${rowLimits.depth} levels.`;

const eventParams = shipmentParams.extend({
  event_id: z.string().meta({
    description: 'Id of the event: `evt_` followed by 26 characters.',
    examples: ['evt_01h455vb4pex5vsknk084sn02q'],
  }),
});

/** The uuids of the shipment and the event. Throws LandfallError `shipment_not_found`, `event_not_found`. */
function parseEventParams(params: RawParams): { shipmentId: string; eventId: string } {
  const missing = { prefix: 'evt', code: 'event_not_found', detail: 'Event not found.' } as const;
  return { ...parseShipmentParams(params), eventId: parseId(params, 'event_id', missing) };
}

const bodyErrors = [
  'invalid_json',
  'validation_failed',
  'unknown_field',
  'unknown_parameter',
  'idempotency_in_progress',
  'idempotency_mismatch',
] as const;

export const eventOperations = {
  pushShipmentEvents: {
    access: 'key_or_session',
    method: 'POST',
    path: '/v1/shipments/{shipment_id}/events',
    tag: 'Events in',
    summary: 'Push events of a shipment',
    description:
      `Adds up to ${maxShipmentEventRows} events of your own sources (a railway, a terminal, a truck, a depot) to a ` +
      `shipment, beside those of its carrier. ${rules}`,
    scope: 'events:write',
    limit: 'write',
    idempotent: true,
    params: shipmentParams,
    parseParams: parseShipmentParams,
    body: {
      schema: shipmentEventsBody,
      read: readShipmentEvents,
      tooLarge: 'Send fewer events with each request.',
      description: 'The events.',
      maxBytes: maxShipmentBytes,
      examples: {
        rail: {
          summary: 'A train has left',
          value: {
            events: [
              {
                source_name: 'acme-rail',
                external_id: 'mv-4711-3',
                code: 'rail_departed',
                time: { at: '2026-04-15T08:00:00-05:00' },
                location: { unlocode: 'USCHI', facility: 'Corwith Ramp' },
                vehicle: { voyage: 'Q-CHILAX' },
              },
            ],
          },
        },
      },
    },
    answers,
    errors: [...bodyErrors, 'shipment_not_found', 'invalid_state'],
  },
  pushEventBatch: {
    access: 'key_or_session',
    method: 'POST',
    path: '/v1/events/batch',
    tag: 'Events in',
    summary: 'Push a batch of events',
    description:
      `Adds up to ${maxEventRows.toLocaleString('en')} events in one request of at most 8 MiB. Each row names its ` +
      'shipment by id, by its numbers or by your reference. A row whose number several open shipments have applies ' +
      `to all of them; a row without a match fails. ${rules} Rows of a shipment are committed together, and large ` +
      'batches in several parts: repeat a request that was cut off.',
    scope: 'events:write',
    limit: 'batch',
    idempotent: true,
    body: {
      schema: batchEventsBody,
      read: readEventBatch,
      tooLarge: 'Send fewer events with each request.',
      description: 'The events.',
      maxBytes: maxBatchBytes,
      examples: {
        terminal: {
          summary: 'A terminal releases a container, and a truck collects it',
          value: {
            events: [
              {
                shipment: { container: 'CSQU3054383' },
                source_name: 'acme-terminal',
                time: { local: '2026-04-15T08:00' },
                location: { unlocode: 'USLAX' },
                container: 'CSQU3054383',
                holds: [{ type: 'customs', status: 'released' }],
                available: true,
              },
              {
                reference: 'PO-7741',
                source_name: 'acme-trucks',
                code: 'gate_out_full',
                time: { at: '2026-04-15T11:20:00-07:00' },
                location: { unlocode: 'USLAX' },
                container: 'CSQU3054383',
              },
            ],
          },
        },
      },
    },
    answers,
    errors: bodyErrors,
  },
  voidEvent: {
    access: 'key_or_session',
    method: 'DELETE',
    path: '/v1/shipments/{shipment_id}/events/{event_id}',
    tag: 'Events in',
    summary: 'Void a pushed event',
    description:
      'Voids an event that one of your sources pushed. The event stays in the history with the flag `voided` and no ' +
      'longer counts. The version that it replaced under the same `external_id` stays replaced; an earlier estimate ' +
      'with another id becomes current again. Sending the same row again leaves it void. Events of carriers can’t be ' +
      'voided. Safe to repeat.',
    scope: 'events:write',
    limit: 'write',
    params: eventParams,
    parseParams: parseEventParams,
    answers: { 204: { description: 'The event is void.' } },
    errors: ['unknown_parameter', 'unknown_field', 'shipment_not_found', 'event_not_found', 'invalid_state'],
  },
} as const satisfies Operations;
