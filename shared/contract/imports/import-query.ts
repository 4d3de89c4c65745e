import { z } from 'zod';
import { carrierHint, findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import {
  existingChoices,
  type ImportOptions,
  type RowSeverity,
  rowSeverities,
  unknownColumnChoices,
} from '#shared/domain/registration/import.ts';
import { refusal } from '../input/input-mistakes.ts';
import { cursorAfterId, type ListOfIds, pageOfIdsQuery, parsePageOfIds } from '../input/page-of-ids.ts';
import { parseQuery } from '../input/parse-query.ts';
import { plainText } from '../input/plain-text.ts';
import type { RawQuery } from '../operation.ts';
import { readImportId, toImportId } from './import-wire.ts';

/** Options for finding the table in a file, also for a preview. */
const tableFields = {
  header_line: z
    .int()
    .min(0)
    .max(40)
    .optional()
    .meta({
      description:
        'Line of the header, 1 to 40. By default the line with the most known columns is found, below titles and ' +
        'blank lines. 0: the file has no header, and `columns` names them.',
      examples: [1],
    }),
  sheet: plainText({ max: 64 })
    .optional()
    .meta({
      description: 'Sheet of a workbook. Default: the first visible one with a known header.',
      examples: ['Shipments'],
    }),
};

export const importQuery = z.strictObject({
  ...tableFields,
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
    .meta({
      description: 'Transport mode of rows that name none. Default: that of the carrier, if it has only one.',
      examples: ['ocean'],
    }),
  unknown_columns: z
    .enum(unknownColumnChoices)
    .default('refuse')
    .meta({
      description:
        'Treatment of columns with unknown names. `refuse`: the file is rejected. `ignore`: they are not read. ' +
        '`metadata`: they become metadata under their names.',
      examples: ['metadata'],
    }),
  existing: z
    .enum(existingChoices)
    .default('keep')
    .meta({
      description:
        'Effect of a row on a shipment that its number or reference already names. `keep`: only identifiers and ' +
        'references that it lacks are added. `update`: the reference of the row becomes the first one, and tags, ' +
        'metadata and destination postal code are changed, too; empty cells change nothing. A row with a `shipment_id` always updates that shipment.',
      examples: ['update'],
    }),
  columns: z
    .array(z.string().trim().max(100))
    .min(1)
    .max(200)
    .optional()
    .meta({
      description: 'Names of all columns, in order, instead of those of the header. `-` skips a column.',
      examples: [['transport_mode', 'carrier', 'mbl', 'metadata.order', '-']],
    }),
});

export type TableQuery = { headerLine: number | null; sheet: string | null };

export type ImportRequest = TableQuery & {
  dryRun: boolean;
  /** Null: those of the header. */
  columns: string[] | null;
  defaults: Pick<ImportOptions, 'carrier' | 'transportMode'>;
  choices: Required<Pick<ImportOptions, 'unknownColumns' | 'onExisting'>>;
};

export function parseImportQuery(query: RawQuery): ImportRequest {
  const { dry_run, carrier, transport_mode, columns, ...rest } = parseQuery(importQuery, query);
  if (carrier !== undefined && findCarrierByName(carrier) === null) {
    const hint = carrierHint(carrier);
    const detail = `Unknown carrier: ${carrier}.${hint === null ? '' : ` ${hint}`}`;
    throw refusal([{ pointer: '?carrier', code: 'invalid_value', detail }]);
  }
  if (rest.header_line === 0 && columns === undefined)
    throw refusal([{ pointer: '?columns', code: 'required', detail: 'A file without a header needs columns.' }]);
  return {
    dryRun: dry_run,
    columns: columns ?? null,
    headerLine: rest.header_line ?? null,
    sheet: rest.sheet ?? null,
    defaults: { carrier: carrier ?? null, transportMode: transport_mode ?? null },
    choices: { unknownColumns: rest.unknown_columns, onExisting: rest.existing },
  };
}

export const previewQuery = z.strictObject(tableFields);

export function parsePreviewQuery(query: RawQuery): TableQuery {
  const { header_line, sheet } = parseQuery(previewQuery, query);
  return { headerLine: header_line ?? null, sheet: sheet ?? null };
}

const errorsFormats = ['csv', 'ndjson'] as const;
export type ErrorsFormat = (typeof errorsFormats)[number];

export const importErrorsQuery = z.strictObject({
  severity: z
    .enum([...rowSeverities, 'any'])
    .default('error')
    .meta({
      description: '`error`: rows that failed. `warning`: rows that were registered with warnings. `any`: both.',
      examples: ['any'],
    }),
  format: z
    .enum(errorsFormats)
    .optional()
    .meta({
      description: 'Format of the file. Default: CSV for a table, NDJSON for NDJSON. A table can be read as NDJSON.',
      examples: ['ndjson'],
    }),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'Maximum rows, 1 to 1,000, from the first one. Default: all.', examples: [5] }),
});

export type ErrorsRequest = { severities: RowSeverity[]; format: ErrorsFormat | null; limit: number | null };

export function parseImportErrorsQuery(query: RawQuery): ErrorsRequest {
  const { severity, format, limit } = parseQuery(importErrorsQuery, query);
  return {
    severities: severity === 'any' ? [...rowSeverities] : [severity],
    format: format ?? null,
    limit: limit ?? null,
  };
}

export const listImportsQuery = pageOfIdsQuery;

const imports: ListOfIds = { binding: 'imports', toId: toImportId, readId: readImportId };

/** Throws LandfallError `validation_failed`, `unknown_parameter` or `invalid_cursor`. */
export function parseListImportsQuery(query: RawQuery): { limit: number; after: string | null } {
  return parsePageOfIds(imports, query);
}

/** The cursor after this import. */
export function importCursor(uuid: string): string {
  return cursorAfterId(imports, uuid);
}
