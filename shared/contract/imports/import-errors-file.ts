import { LandfallError } from '#shared/domain/errors.ts';
import type { Import, ImportError } from '#shared/domain/registration/import.ts';
import { csvCell } from '../lists/export-rows.ts';
import { errorColumns, readImportColumns } from './import-columns.ts';
import type { ErrorsFormat } from './import-query.ts';

/** The file of an import's failed or warned rows: its first line, and one for each row. A workbook's rows are CSV. */
export type ErrorsFile = { mediaType: string; name: string; head: string; line: (error: ImportError) => string };

/**
 * `name` is the public id of the import. `format` null: that of the import. Throws LandfallError `validation_failed` for
 * NDJSON as CSV.
 */
export function errorsFile(found: Import, { name, format }: { name: string; format: ErrorsFormat | null }): ErrorsFile {
  const isTable = found.format !== 'ndjson';
  if (!isTable && format === 'csv') {
    const detail = 'The rows of an NDJSON import have no columns. Leave format out.';
    throw new LandfallError('validation_failed', detail, {
      mistakes: [{ pointer: '?format', code: 'invalid_value', detail }],
    });
  }
  return isTable && format !== 'ndjson' ? csvFile(found, name) : ndjsonFile(name, isTable);
}

function csvFile(found: Import, name: string): ErrorsFile {
  const delimiter = found.options.delimiter ?? ',';
  const { columns, unknownColumns = 'refuse' } = found.options;
  const known = readImportColumns(columns, { unknown: unknownColumns });
  // An unknown column that was ignored stays in the file.
  const kept = columns.flatMap((column, index) =>
    known[index]?.kind === 'ignored' && errorColumns.some((added) => added === column) ? [] : [index],
  );
  const line = (cells: readonly string[]) => `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
  return {
    mediaType: 'text/csv; charset=utf-8',
    name: `${name}-errors.csv`,
    head: line([...kept.map((index) => columns[index] ?? ''), ...errorColumns]),
    line: ({ raw, rowNumber, line: fileLine, severity, code, detail }) => {
      const cells = JSON.parse(raw) as string[];
      const shown = kept.map((index) => withoutGuard(cells[index] ?? ''));
      return line([...shown, String(rowNumber), String(fileLine ?? ''), severity, code, detail]);
    },
  };
}

/** `csvCell` guards the cell again. */
function withoutGuard(cell: string): string {
  return /^''*[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/** One object per line: the row as sent (`shipment`, `cells`, or `raw` if it is not JSON) and its error. */
function ndjsonFile(name: string, isTable: boolean): ErrorsFile {
  return {
    mediaType: 'application/x-ndjson; charset=utf-8',
    name: `${name}-errors.ndjson`,
    head: '',
    line: ({ rowNumber, line, severity, raw, code, detail, mistakes }) => {
      const place = { row: rowNumber, file_line: line, severity };
      const sentRow = isTable ? { cells: JSON.parse(raw) as string[] } : sent(raw);
      const row = { ...place, error_code: code, error_detail: detail, errors: mistakes, ...sentRow };
      return `${JSON.stringify(row)}\n`;
    },
  };
}

function sent(raw: string): { shipment: unknown } | { raw: string } {
  try {
    return { shipment: JSON.parse(raw) };
  } catch {
    return { raw };
  }
}
