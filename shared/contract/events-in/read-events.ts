import { maxEventRows, maxShipmentEventRows, type SentEventRow } from '#shared/domain/events-in/event-row.ts';
import { readRows } from '../input/read-rows.ts';
import { failedRow, parseBatchEventRow, parseShipmentEventRow } from './read-event-row.ts';

const tooMany = 'Send the others with another request.';

/** Reads the rows of an untrusted batch of events. Throws as `readRows`. */
export function readEventBatch(bytes: Uint8Array): Generator<void, SentEventRow[]> {
  return readRows(bytes, {
    name: 'events',
    maxRows: maxEventRows,
    tooMany,
    readRow: parseBatchEventRow,
    failedRow: (mistake) => failedRow([mistake]),
  });
}

/** The same for events of one shipment, which the path names: the rows' `targets` are empty. */
export function readShipmentEvents(bytes: Uint8Array): Generator<void, SentEventRow[]> {
  return readRows(bytes, {
    name: 'events',
    maxRows: maxShipmentEventRows,
    tooMany: `Send up to ${maxEventRows.toLocaleString('en')} with POST /v1/events/batch.`,
    readRow: parseShipmentEventRow,
    failedRow: (mistake) => failedRow([mistake]),
  });
}
