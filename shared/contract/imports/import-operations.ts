import { z } from 'zod';
import { parseId } from '../input/parse-id.ts';
import type { Operations, RawParams } from '../operation.ts';
import {
  importErrorsQuery,
  importQuery,
  listImportsQuery,
  parseImportErrorsQuery,
  parseImportQuery,
  parseListImportsQuery,
  parsePreviewQuery,
  previewQuery,
} from './import-query.ts';
import { wireImport, wireImportList, wireImportPreview } from './import-wire.ts';

const importPath = {
  params: z.object({
    import_id: z.string().meta({
      description: 'Id of the import: `imp_` followed by 26 characters.',
      examples: ['imp_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
  }),
  parseParams: (params: RawParams) => {
    const missing = { prefix: 'imp', code: 'import_not_found', detail: 'Import not found.' } as const;
    return { importId: parseId(params, 'import_id', missing) };
  },
} as const;
const common = { access: 'key_or_session', tag: 'Imports', scope: 'shipments:write' } as const;

/** Browsers name CSV files after Excel where it is installed. */
const uploadTypes = [
  'text/csv',
  'application/x-ndjson',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'multipart/form-data',
  'application/gzip',
  'application/vnd.ms-excel',
  'text/tab-separated-values',
  'application/octet-stream',
] as const;

const columnsText =
  'A table has a header: `transport_mode, carrier, service_type, reference, references, tags` (lists separated ' +
  'by `|`), ' +
  '`destination_postal_code`, `tracking_mode` and `stale_after_hours`, `metadata` (a JSON object) or ' +
  '`metadata.<key>`, `shipment_id`, and a column for each type of identifier (`mbl, booking, container, hbl, awb, ' +
  'hawb, tracking_number, pro, bol, equipment, pickup_number, po, waybill, railcar`). Their usual other names are ' +
  'known, whatever their case, spaces and punctuation: `B/L No.`, `Container #`, `SCAC`, `Courier`, `Order Number`. ' +
  'Empty cells and blank rows are ignored. NDJSON contains one registration per line.';
const fileText =
  'The body is the file, or a form with one file. CSV may be separated by comma, semicolon, tab or pipe, in UTF-8, ' +
  'UTF-16 or windows-1252 (recognized) or any encoding that `charset` of the Content-Type names; a workbook (.xlsx) ' +
  'may have 20 MiB. Any file may be packed with gzip. The import contains the recognized format.';

export const importOperations = {
  createImport: {
    ...common,
    method: 'POST',
    path: '/v1/imports',
    summary: 'Import shipments from a file',
    description:
      'Streams a CSV or NDJSON file of any size, or an Excel workbook. Rows are registered while the upload is still ' +
      `running. ${fileText} ${columnsText} A row that is invalid or longer than 64 KiB fails alone. A row with a ` +
      '`shipment_id` updates that shipment, so that an edited export can be imported. The response is sent when ' +
      'every row is stored. With an Idempotency-Key, an interrupted upload can be sent again within 24 hours: stored ' +
      'rows are skipped and the import continues after them. A different file with the same key is rejected. An ' +
      'interrupted upload that is not continued within 10 minutes ends as `interrupted`, and the rows received until ' +
      'then are registered.',
    limit: 'batch',
    idempotent: true,
    query: importQuery,
    parseQuery: parseImportQuery,
    body: {
      schema: z.string().meta({ description: 'The rows.' }),
      description: 'The file.',
      mediaTypes: uploadTypes,
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
        description: 'Every row is stored and will be processed.',
        schema: wireImport,
        headers: {
          Location: { description: 'Path of the import.', schema: z.string() },
          'Idempotent-Replayed': {
            description: '`true` if the same file was already received with the same Idempotency-Key.',
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
      'import_quota_exceeded',
      'request_timeout',
    ],
  },
  listImports: {
    ...common,
    method: 'GET',
    path: '/v1/imports',
    summary: 'List imports',
    description: 'Returns the imports of the last 30 days, newest first.',
    limit: 'read',
    query: listImportsQuery,
    parseQuery: parseListImportsQuery,
    answers: {
      200: {
        description: 'One page.',
        schema: wireImportList,
        headers: {
          Link: { description: 'The next page: `<…>; rel="next"`. Absent on the last page.', schema: z.string() },
        },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'invalid_cursor'],
  },
  previewImport: {
    access: 'session',
    method: 'POST',
    path: '/dashboard/api/imports/preview',
    role: 'member',
    limit: 'batch',
    query: previewQuery,
    parseQuery: parsePreviewQuery,
    body: { schema: z.string(), mediaTypes: uploadTypes, maxBytes: null },
    answers: { 200: { schema: wireImportPreview } },
  },
  getImport: {
    ...common,
    ...importPath,
    method: 'GET',
    path: '/v1/imports/{import_id}',
    summary: 'Get an import',
    description:
      'Returns the progress of an import. Counts never decrease. Imports are kept for 30 days after their end.',
    limit: 'read',
    answers: {
      200: {
        description: 'The import.',
        schema: wireImport,
        headers: {
          'Retry-After': {
            description: 'Seconds to wait before the next request, while the import is running.',
            schema: z.string(),
          },
        },
      },
    },
    errors: ['unknown_parameter', 'import_not_found'],
  },
  deleteImport: {
    ...common,
    ...importPath,
    method: 'DELETE',
    path: '/v1/imports/{import_id}',
    summary: 'Delete an import',
    description:
      'Stops the import if it is running, and deletes it with its failed rows. Shipments that it registered stay.',
    limit: 'write',
    answers: { 204: { description: 'The import is deleted.' } },
    errors: ['unknown_parameter', 'import_not_found'],
  },
  getImportErrors: {
    ...common,
    ...importPath,
    method: 'GET',
    path: '/v1/imports/{import_id}/errors',
    summary: 'Download failed rows',
    description:
      'Returns the failed rows so far, or those with warnings, in order, in the format of the import. Tables: the ' +
      'original columns as CSV, then `row` (1 is the first row after the header), `file_line` (1 is the first line ' +
      'of the file), `severity`, `error_code` and `error_detail`; cells that a spreadsheet would run as a formula ' +
      'begin with an apostrophe. You can correct the file and import it again. NDJSON: `row`, `file_line`, ' +
      '`severity`, `error_code`, `error_detail`, `errors`, and the row as `shipment`, or as `raw` if it is not JSON. ' +
      'A table as NDJSON has its row as `cells`.',
    limit: 'read',
    query: importErrorsQuery,
    parseQuery: parseImportErrorsQuery,
    answers: {
      200: {
        description: 'The file.',
        mediaType: 'text/csv',
        moreMediaTypes: ['application/x-ndjson'],
        schema: z.string(),
        headers: { 'Content-Disposition': { description: 'Suggested file name.', schema: z.string() } },
      },
    },
    errors: ['validation_failed', 'unknown_parameter', 'import_not_found'],
  },
} as const satisfies Operations;
