import { parse } from 'papaparse';
import { withoutGuards } from '#shared/contract/formula-guard.ts';
import { numericColumns } from '#shared/contract/lists/export-fields.ts';
import { createWorkbook } from './xlsx-file.ts';

export type ExportFormat = 'xlsx' | 'csv' | 'ndjson';

/** Takes the records of an export, the head of a CSV first, and becomes a file. */
export type ExportSink = { write: (record: string) => void; end: () => Blob };

const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;
const linesPerBlob = 5000;
/** Without it, Excel reads a CSV in the code page of its computer. */
const byteOrderMark = '\ufeff';

export function openSink(format: ExportFormat): ExportSink {
  return format === 'xlsx' ? workbookSink() : textSink(format);
}

/** Collected in blobs that the browser can move out of memory. */
function textSink(format: 'csv' | 'ndjson'): ExportSink {
  const parts: Blob[] = [];
  const pending: string[] = format === 'csv' ? [byteOrderMark] : [];
  const flush = () => parts.push(new Blob(pending.splice(0)));
  return {
    write: (record) => {
      pending.push(record);
      if (pending.length >= linesPerBlob) flush();
    },
    end: () => {
      flush();
      return new Blob(parts, { type: mediaTypes[format] });
    },
  };
}

/** Turns the records of a CSV into rows. Text needs no guards against formulas there: a cell with text is never one. */
function workbookSink(): ExportSink {
  const workbook = createWorkbook('Shipments');
  let numeric: boolean[] | null = null;
  return {
    write: (record) => {
      const cells = parse<string[]>(record.replace(/\r?\n$/, ''), { delimiter: ',', newline: '\r\n' }).data[0] ?? [];
      if (numeric === null) {
        numeric = cells.map((name) => numericColumns.has(name));
        workbook.addRow(cells);
        return;
      }
      const isNumeric = numeric;
      workbook.addRow(
        cells.map((cell, index) =>
          isNumeric[index] && cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : withoutGuards(cell),
        ),
      );
    },
    end: workbook.end,
  };
}
