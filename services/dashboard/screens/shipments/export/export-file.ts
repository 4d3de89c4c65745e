import type { ExportField } from '#shared/contract/lists/export-fields.ts';
import { readJson, send } from '../../../api/call.ts';
import { problemOf } from '../../../api/problem-error.ts';
import type { Filter } from '../list-plan.ts';
import type { ShipmentRow } from '../shipment-row.ts';
import type { ExportFormat } from './export-sink.ts';

export type ExportJob = {
  format: ExportFormat;
  /** Absent: all fields. */
  fields?: readonly ExportField[];
  /** Several lists become one file. A shipment in several of them is written once. */
  filters: readonly Filter[];
  /** Only these shipments; reading stops when all are found. Absent: all. */
  only?: ReadonlySet<string>;
};

/** Receives the number of lines so far. */
export type ExportProgress = (lines: number) => void;

/**
 * Reads an export to its end and returns the file. Only a part of it is in memory at any time, whatever its size. Throws
 * when the stream breaks, since a partial file must not pass for a complete one, and `SheetFull`.
 */
export async function readExport(
  { format, fields, filters, only }: ExportJob,
  report: ExportProgress,
  signal: AbortSignal,
): Promise<{ file: Blob; lines: number }> {
  // Loaded on demand: it contains what writes workbooks.
  const { openSink } = await import('./export-sink.ts');
  const sink = openSink(format);
  const wire = format === 'ndjson' ? 'ndjson' : 'csv';
  const written = new Set<string>();
  const isWhole = filters.length === 1 && only === undefined;
  let lines = 0;
  for (const [index, filter] of filters.entries()) {
    if (lines === only?.size) break;
    const response = await open({ ...filter, format: wire, ...(fields === undefined ? {} : { fields }) }, signal);
    let isHeader = wire === 'csv';
    for await (const record of recordsOf(response, wire)) {
      if (isHeader) {
        isHeader = false;
        if (index === 0) sink.write(record);
        continue;
      }
      const id = isWhole ? '' : idOf(record, wire);
      if (!isWhole && (written.has(id) || (only !== undefined && !only.has(id)))) continue;
      if (!isWhole) written.add(id);
      lines += 1;
      sink.write(record);
      if (lines % linesPerReport === 0) report(lines);
      if (lines === only?.size) break;
    }
  }
  report(lines);
  return { file: sink.end(), lines };
}

const linesPerReport = 500;

type WireFormat = 'csv' | 'ndjson';

async function open(
  query: Filter & { format: WireFormat; fields?: readonly ExportField[] },
  signal: AbortSignal,
): Promise<Response> {
  const response = await send('exportShipments', { query }, { signal });
  if (response.ok) return response;
  throw problemOf(response.status, readJson(await response.text()), response.headers);
}

async function* recordsOf(response: Response, format: WireFormat): AsyncGenerator<string> {
  if (response.body === null) return;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
    const { records, tail } = splitRecords(rest + text, format);
    rest = tail;
    yield* records;
  }
  if (rest !== '') yield rest;
}

/**
 * The complete records of a text, with their line ends, and the rest. A line end within quotes belongs to its record.
 */
export function splitRecords(text: string, format: WireFormat): { records: string[]; tail: string } {
  const records: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"' && format === 'csv') isQuoted = !isQuoted;
    if (char !== '\n' || isQuoted) continue;
    records.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return { records, tail: text.slice(start) };
}

/** The shipment id of a record: the first column of a CSV. */
function idOf(record: string, format: WireFormat): string {
  if (format === 'csv') return /^"?([^",\r\n]*)/.exec(record)?.[1] ?? '';
  return /"shipment_id":"([^"]*)"/.exec(record)?.[1] ?? '';
}

const numbersPerFilter = 50;

/** Filters that match at least these shipments, by number: the export has no filter by id. */
export function selectionFilters(rows: readonly Pick<ShipmentRow, 'number' | 'isArchived'>[]): Filter[] {
  return [false, true].flatMap((archived) => {
    const numbers = [
      ...new Set(
        rows.filter((row) => row.isArchived === archived).map(({ number }) => number.value.replaceAll(',', ' ')),
      ),
    ];
    const filters: Filter[] = [];
    for (let at = 0; at < numbers.length; at += numbersPerFilter) {
      filters.push({
        identifier: numbers.slice(at, at + numbersPerFilter),
        ...(archived ? { archived: 'true' as const } : {}),
      });
    }
    return filters;
  });
}
