import { z } from 'zod';
import {
  delimiters,
  type Import,
  importFormats,
  importStates,
  maxListedErrors,
  omittedErrors,
} from '#shared/domain/registration/import.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { count, instant, instantOrNull, textOrNull } from '../schema-parts.ts';
import { readImportColumns, skippedColumn } from './import-columns.ts';

export const wireImport = z
  .strictObject({
    import_id: z.string().meta({
      description: 'Id of the import: `imp_` followed by 26 characters.',
      examples: ['imp_01kahf3m2xfr5tq4d8z9w6c7yb'],
    }),
    object: z.literal('import').meta({ description: 'Always `import`.', examples: ['import'] }),
    state: z.enum(importStates).meta({
      description:
        '`receiving`: the upload is running, or was interrupted and may be continued. `running`: every row is ' +
        'stored, some are not processed yet. `completed`: every row is processed. `interrupted`: the upload was ' +
        'interrupted and not continued; the rows received are registered. `failed`: `error` contains the reason; ' +
        'rows that were registered stay.',
      examples: ['running'],
    }),
    dry_run: z.boolean().meta({
      description: 'Whether rows were only validated. Nothing is registered then.',
      examples: [false],
    }),
    format: z.enum(importFormats).meta({ description: 'File format.', examples: ['csv'] }),
    encoding: textOrNull('Encoding of the text, named or recognized. Null for a workbook.', 'utf-8', 'windows-1252'),
    delimiter: z
      .enum(delimiters)
      .nullable()
      .meta({ description: 'Delimiter of a CSV file, recognized. Null otherwise.', examples: [';'] }),
    compression: z
      .literal('gzip')
      .nullable()
      .meta({ description: 'How the file was packed. Null: not at all.', examples: [null] }),
    sheet: textOrNull('Sheet of a workbook. Null otherwise.', 'Shipments'),
    header_line: z
      .int()
      .nullable()
      .meta({ description: 'Line of the header. 0: it has none. Null for NDJSON.', examples: [1] }),
    ignored_columns: z
      .array(z.string())
      .meta({ description: 'Columns of the file that are not read.', examples: [['Colour']] }),
    received: count('Stored rows.', 20000),
    processed: count('Processed rows: the sum of `created`, `existing`, `updated` and `failed`.', 12500),
    created: count('New shipments.', 12000),
    existing: count('Rows whose shipment already existed, unchanged.', 375),
    updated: count('Rows that changed a shipment.', 0),
    failed: count('Failed rows. Download them with `/errors`.', 125),
    warned: count('Rows with warnings. They are registered. Download them with `/errors?severity=warning`.', 3),
    errors_omitted: count(
      `Failed rows and rows with warnings beyond the first ${maxListedErrors.toLocaleString('en')} of each, which ` +
        '`/errors` leaves out.',
      0,
    ),
    created_at: instant('When the upload began.'),
    completed_at: instantOrNull('When the last row was processed. Null until then.'),
    error: z
      .strictObject({
        code: z.string().meta({
          description: '`upload_interrupted` or `too_many_errors`. More values may be added.',
          examples: ['upload_interrupted'],
        }),
        detail: z.string().meta({
          description: 'Description of the error and its remedy.',
          examples: ['The upload ended after row 1500.'],
        }),
      })
      .nullable()
      .meta({ description: 'Why the import is incomplete. Null otherwise.' }),
  })
  .meta({ description: 'An import and its progress.' });

export type WireImport = z.infer<typeof wireImport>;

export function toWireImport(found: Import): WireImport {
  return {
    import_id: toImportId(found.id),
    object: 'import',
    state: found.state,
    dry_run: found.dryRun,
    format: found.format,
    encoding: found.file.encoding,
    delimiter: found.options.delimiter,
    compression: found.file.compression,
    sheet: found.file.sheet,
    header_line: found.file.headerLine,
    ignored_columns: ignoredColumns(found),
    received: found.received,
    processed: found.processed,
    created: found.created,
    existing: found.existing,
    updated: found.updated,
    failed: found.failed,
    warned: found.warned,
    created_at: found.createdAt,
    completed_at: found.completedAt,
    errors_omitted: omittedErrors(found),
    error: errorOf(found),
  };
}

function errorOf({ state, reason, received, processed, failed }: Import): WireImport['error'] {
  if (state === 'interrupted')
    return {
      code: 'upload_interrupted',
      detail:
        `The upload was interrupted after row ${received} and not continued. ` +
        'Send the same file again: rows that are already registered are not duplicated.',
    };
  if (reason === 'too_many_errors')
    return {
      code: reason,
      detail:
        `${failed} of ${processed} rows failed, so the rest of the file was not read. Download the failed rows, ` +
        'correct the file and send it again.',
    };
  return reason === null ? null : { code: reason, detail: 'The import is being deleted.' };
}

function ignoredColumns({ format, options }: Import): string[] {
  if (format === 'ndjson') return [];
  const columns = readImportColumns(options.columns, { unknown: options.unknownColumns ?? 'refuse' });
  return options.columns.filter((name, index) => columns[index]?.kind === 'ignored' && name !== skippedColumn);
}

export const wireImportList = z
  .strictObject({
    data: z.array(wireImport).meta({ description: 'The imports, newest first.' }),
    page: z
      .strictObject({
        limit: z.int().meta({ description: 'Page size.', examples: [25] }),
        has_more: z.boolean().meta({ description: 'Whether there is another page.', examples: [false] }),
        next_cursor: textOrNull('`cursor` of the next page. Null on the last page.'),
      })
      .meta({ description: 'Pagination.' }),
  })
  .meta({ id: 'ImportList', description: 'One page of imports.' });

/** Result of recognizing the beginning of a file, for the dashboard. */
export const wireImportPreview = z.strictObject({
  format: z.enum(importFormats),
  encoding: z.string().nullable(),
  delimiter: z.enum(delimiters).nullable(),
  sheet: z.string().nullable(),
  header_line: z.int().nullable(),
  header: z.array(z.string()),
  rows: z.array(z.array(z.string())),
});

export type WireImportPreview = z.infer<typeof wireImportPreview>;

export function toImportId(uuid: string): string {
  return encodeTypeId('imp', uuid);
}

/** The uuid of a public import id, or null if the text is not one. */
export function readImportId(text: string): string | null {
  return decodeTypeId('imp', text);
}
