import { nothingStated } from '#shared/domain/record/stated-fields.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import { type RowMistake, readRows } from '../input/read-rows.ts';
import { maxBatchRows } from './batch-body.ts';
import { parseRegisterShipmentBody } from './register-shipment-body.ts';

/** Reads the rows of an untrusted batch of registrations. Throws as `readRows`. */
export function readBatch(bytes: Uint8Array): Generator<void, SentRegistration[]> {
  return readRows(bytes, {
    name: 'shipments',
    maxRows: maxBatchRows,
    tooMany: 'Send more rows as an import: POST /v1/imports.',
    readRow: parseRegisterShipmentBody,
    failedRow,
  });
}

function failedRow(mistake: RowMistake): SentRegistration {
  return {
    transportMode: null,
    carrier: null,
    identifiers: null,
    serviceType: null,
    ...nothingStated,
    mistakes: [mistake],
  };
}
