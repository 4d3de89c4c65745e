import { z } from 'zod';
import type { Operations, RawParams } from '../operation.ts';
import { parseId } from '../parse-id.ts';
import { importQuery, parseImportQuery } from './import-query.ts';
import { wireImport } from './import-wire.ts';

const params = z.object({
  import_id: z.string().meta({
    description: 'The id that starting the import gave: `imp_` and 26 characters.',
    examples: ['imp_01kahf3m2xfr5tq4d8z9w6c7yb'],
  }),
});

const parseParams = (raw: RawParams) => ({
  importId: parseId(raw, 'import_id', {
    prefix: 'imp',
    code: 'import_not_found',
    detail: 'There is no import with this id.',
  }),
});

const columnsText =
  'A CSV begins with a header: `transport_mode, carrier, service_type, reference, tags` (separated by `|`), `destination_postal_code`, ' +
  '`metadata.<key>`, and a column for each kind of number (`mbl, booking, container, hbl, awb, hawb, tracking_number, pro, bol, equipment, pickup_number, ' +
  'po, waybill, railcar`, or their aliases). Comma, semicolon and tab are recognised; empty cells say nothing. NDJSON has one registration a line.';

export const importOperations = {
  createImport: {
    access: 'key_or_session',
    method: 'POST',
    path: '/v1/imports',
    tag: 'Imports',
    summary: 'Import shipments from a file',
    description:
      `Streams a CSV or NDJSON file of any size in UTF-8; rows are registered while it still arrives. ${columnsText} A row that is wrong, or longer ` +
      'than 64 KiB, fails alone; an unknown column refuses the file. The answer comes when every row is stored. With an Idempotency-Key an upload ' +
      'that broke can be sent again within 24 hours: rows that were stored are recognised and it goes on after them; another file with the ' +
      'same key is refused. A broken upload that nobody continues for 10 minutes ends as `interrupted`, with what was received registered.',
    scope: 'shipments:write',
    limit: 'batch',
    idempotent: true,
    query: importQuery,
    parseQuery: parseImportQuery,
    body: {
      schema: z.string().meta({ description: 'The rows.' }),
      description: 'The file.',
      mediaTypes: ['text/csv', 'application/x-ndjson'],
      maxBytes: null,
      examples: {
        csv: {
          summary: 'CSV',
          value: 'transport_mode,carrier,mbl,reference,tags\nocean,MAEU,MAEU123456789,PO-7741,acme|urgent\n',
          mediaType: 'text/csv',
        },
        ndjson: {
          summary: 'NDJSON',
          value:
            '{"transport_mode":"ocean","carrier":"MAEU","identifiers":{"mbl":"MAEU123456789"},"reference":"PO-7741"}\n',
          mediaType: 'application/x-ndjson',
        },
      },
    },
    answers: {
      202: {
        description: 'Every row is stored and will be looked at.',
        schema: wireImport,
        headers: {
          Location: { description: 'The address of the import.', schema: z.string() },
          'Idempotent-Replayed': {
            description: '`true` when the same file was received before under the same Idempotency-Key.',
            schema: z.literal('true'),
          },
        },
      },
    },
    errors: [
      'validation_failed',
      'unknown_parameter',
      'idempotency_in_progress',
      'idempotency_mismatch',
      'request_timeout',
    ],
  },
  getImport: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/imports/{import_id}',
    tag: 'Imports',
    summary: 'Get the progress of an import',
    description:
      'How many rows were received and what became of them so far. The counts only grow. An import is kept for 30 days after its end.',
    scope: 'shipments:write',
    limit: 'read',
    params,
    parseParams,
    answers: {
      200: {
        description: 'The import.',
        schema: wireImport,
        headers: {
          'Retry-After': {
            description: 'While the import runs: seconds after which to look again.',
            schema: z.string(),
          },
        },
      },
    },
    errors: ['unknown_parameter', 'import_not_found'],
  },
  getImportErrors: {
    access: 'key_or_session',
    method: 'GET',
    path: '/v1/imports/{import_id}/errors',
    tag: 'Imports',
    summary: 'Download the rows that failed',
    description:
      'The failed rows so far, in order, in the format of the import. CSV: the columns that were sent, then `row` (1 is the first row after the ' +
      'header), `error_code` and `error_detail`; cells that a spreadsheet would take for a formula begin with an apostrophe. Corrected, the file can be sent as a new import. NDJSON: ' +
      '`row`, `error_code`, `error_detail`, `errors`, and the row as `shipment`, or as `raw` when it is not JSON.',
    scope: 'shipments:write',
    limit: 'read',
    params,
    parseParams,
    answers: {
      200: {
        description: 'The file.',
        mediaType: 'text/csv',
        textMediaTypes: ['application/x-ndjson'],
        schema: z.string(),
        headers: { 'Content-Disposition': { description: 'The name of the file.', schema: z.string() } },
      },
    },
    errors: ['unknown_parameter', 'import_not_found'],
  },
} as const satisfies Operations;
