import { z } from 'zod';
import { carrierHint, findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type TransportMode, transportModes } from '#shared/domain/shipments/transport-mode.ts';
import { refusal } from '../input-mistakes.ts';
import type { Operations, RawParams, RawQuery } from '../operation.ts';
import { parseId } from '../parse-id.ts';
import { parseQuery } from '../parse-query.ts';
import { plainText } from '../plain-text.ts';
import { wireImport } from './import-wire.ts';

const importQuery = z.strictObject({
  dry_run: z
    .boolean()
    .default(false)
    .meta({
      description:
        'Whether to validate every row without registering any. Rows that repeat a shipment of the same file then ' +
        'count as new.',
      examples: [true],
    }),
  carrier: plainText({ max: 64 })
    .optional()
    .meta({ description: 'Carrier of rows that name none.', examples: ['MAEU'] }),
  transport_mode: z
    .enum(transportModes)
    .optional()
    .meta({ description: 'Transport mode of rows that name none.', examples: ['ocean'] }),
});

type ImportRequest = { dryRun: boolean; carrier: string | null; transportMode: TransportMode | null };

function parseImportQuery(query: RawQuery): ImportRequest {
  const { dry_run, carrier, transport_mode } = parseQuery(importQuery, query);
  if (carrier !== undefined && findCarrierByName(carrier) === null) {
    const hint = carrierHint(carrier);
    throw refusal([
      {
        pointer: '?carrier',
        code: 'invalid_value',
        detail: `Unknown carrier: ${carrier}.${hint === null ? '' : ` ${hint}`}`,
      },
    ]);
  }
  return { dryRun: dry_run, carrier: carrier ?? null, transportMode: transport_mode ?? null };
}

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

const columnsText =
  'A CSV file begins with a header: `transport_mode, carrier, service_type, reference, tags` (separated by `|`), ' +
  '`destination_postal_code`, `metadata.<key>`, and a column for each type of identifier (`mbl, booking, container, ' +
  'hbl, awb, hawb, tracking_number, pro, bol, equipment, pickup_number, po, waybill, railcar`, or their aliases). ' +
  'Comma, semicolon and tab are detected as delimiter. Empty cells are ignored. NDJSON contains one registration per ' +
  'line.';

export const importOperations = {
  createImport: {
    ...common,
    method: 'POST',
    path: '/v1/imports',
    summary: 'Import shipments from a file',
    description:
      'Streams a CSV or NDJSON file of any size in UTF-8. Rows are registered while the upload is still running. ' +
      `${columnsText} A row that is ` +
      'invalid or longer than 64 KiB fails alone; an unknown column rejects the file. The response is sent when ' +
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
      'request_timeout',
    ],
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
  getImportErrors: {
    ...common,
    ...importPath,
    method: 'GET',
    path: '/v1/imports/{import_id}/errors',
    summary: 'Download failed rows',
    description:
      'Returns the failed rows so far, in order, in the format of the import. CSV: the original columns, then `row` ' +
      '(1 is the first row after the header), `error_code` and `error_detail`; cells that a spreadsheet would run as ' +
      'a formula begin with an apostrophe. You can correct the file and import it again. NDJSON: `row`, ' +
      '`error_code`, `error_detail`, `errors`, and the row as `shipment`, or as `raw` if it is not JSON.',
    limit: 'read',
    answers: {
      200: {
        description: 'The file.',
        mediaType: 'text/csv',
        textMediaTypes: ['application/x-ndjson'],
        schema: z.string(),
        headers: { 'Content-Disposition': { description: 'Suggested file name.', schema: z.string() } },
      },
    },
    errors: ['unknown_parameter', 'import_not_found'],
  },
} as const satisfies Operations;
