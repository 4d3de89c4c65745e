import { z } from 'zod';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/lists/filter.ts';
import { nearestName } from '#shared/domain/nearest.ts';
import { acceptedRanges } from '../input/accepted-ranges.ts';
import { refusal } from '../input/input-mistakes.ts';
import { parseQuery } from '../input/parse-query.ts';
import type { RawQuery } from '../operation.ts';
import { csvColumnNames } from './export-fields.ts';
import { restFilterFields, sortField } from './filter-fields.ts';
import { identifierFields } from './identifier-filter-fields.ts';
import { type ListFieldName, listFieldNames } from './list-wire.ts';
import { contradictionsOf, toShipmentFilter } from './to-shipment-filter.ts';

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportShipmentsQuery = z.strictObject({
  ...restFilterFields,
  ...identifierFields,
  sort: sortField.default('-created_at'),
  format: z
    .enum(exportFormats)
    .optional()
    .meta({
      description: 'File format. Takes precedence over `Accept` (`text/csv` or `application/x-ndjson`). Default: csv.',
      examples: ['csv', 'ndjson'],
    }),
  fields: z
    .array(z.string())
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        'Fields to export, in this order, after `shipment_id`: fields of a summary or, for csv, single columns such ' +
        'as `arrival.estimated.at`.',
      examples: [['status', 'arrival.estimated.at']],
    }),
});

export type ExportRequest = {
  filter: ShipmentFilter;
  sort: ShipmentSort;
  format: ExportFormat;
  /** Names of summary fields and, for csv, of columns; null: all. */
  fields: string[] | null;
};

/**
 * Parses the query of the export, in which `format` takes precedence over `Accept`. Throws like the list, and
 * `not_acceptable`.
 */
export function parseExportShipmentsQuery(query: RawQuery, accept: string | undefined): ExportRequest {
  const accepted = acceptedFormat(accept);
  if (accepted === null && query.format === undefined) {
    throw new LandfallError(
      'not_acceptable',
      'An export is text/csv or application/x-ndjson. Name one of them in Accept or in format.',
    );
  }
  const { sort, format: asked, fields, ...filter } = parseQuery(exportShipmentsQuery, query, contradictionsOf);
  const format = asked ?? accepted ?? 'csv';
  const mistakes = (fields ?? []).flatMap((name) => unknownField(name, format));
  if (mistakes.length > 0) throw refusal(mistakes.slice(0, 1));
  return { filter: toShipmentFilter(filter), sort, format, fields: fields === undefined ? null : [...new Set(fields)] };
}

/** The requested fields of an ndjson row. */
export function listFieldsOf(fields: readonly string[] | null): ListFieldName[] | null {
  return fields && listFieldNames.filter((name) => fields.includes(name));
}

/** The format that `Accept` prefers; null if it allows neither. */
function acceptedFormat(accept: string | undefined): ExportFormat | null {
  const ranges = acceptedRanges(accept);
  if (ranges === null) return 'csv';
  for (const range of ranges) {
    if (['text/csv', 'text/*', '*/*'].includes(range)) return 'csv';
    if (['application/x-ndjson', 'application/ndjson', 'application/*'].includes(range)) return 'ndjson';
  }
  return null;
}

function unknownField(name: string, format: ExportFormat): InputMistake[] {
  const known: readonly string[] = format === 'csv' ? [...listFieldNames, ...csvColumnNames] : listFieldNames;
  if (known.includes(name)) return [];
  const nearest = nearestName(name, known);
  const hint = nearest === null ? `Allowed: ${listFieldNames.join(', ')}.` : `Did you mean ${nearest}?`;
  return [
    {
      pointer: '?fields',
      code: 'invalid_value',
      detail: `Unknown ${format} field: ${name.slice(0, 64)}. ${hint}`,
    },
  ];
}
