import { readJson, send } from '../../../api/call.ts';
import { problemOf } from '../../../api/problem-error.ts';
import type { Filter } from '../list-plan.ts';
import type { ShipmentRow } from '../shipment-row.ts';

export type ExportFormat = 'csv' | 'ndjson';

export type ExportJob = {
  format: ExportFormat;
  /** Several lists make one file; a shipment that several give stands in it once. */
  filters: readonly Filter[];
  /** Only these shipments, and no list is read any further once they are there; absent: all. */
  only?: ReadonlySet<string>;
};

/** How many lines were read so far. */
export type ExportProgress = (lines: number) => void;

/**
 * Reads an export to its end and gives the file; as it comes, in parts that the browser may put away. Throws where the file broke off: a
 * part of a list must not look like all of it.
 */
export async function readExport(
  { format, filters, only }: ExportJob,
  tell: ExportProgress,
  signal: AbortSignal,
): Promise<{ file: Blob; lines: number }> {
  const parts: Blob[] = [];
  const pending: string[] = [];
  const putAway = () => parts.push(new Blob(pending.splice(0)));
  const written = new Set<string>();
  const isWhole = filters.length === 1 && only === undefined;
  let lines = 0;
  for (const [index, filter] of filters.entries()) {
    if (lines === only?.size) break;
    const response = await open(filter, format, signal);
    let isHeader = format === 'csv';
    for await (const record of recordsOf(response, format)) {
      if (isHeader) {
        isHeader = false;
        if (index === 0) pending.push(record);
        continue;
      }
      const id = isWhole ? '' : idOf(record, format);
      if (!isWhole && (written.has(id) || (only !== undefined && !only.has(id)))) continue;
      if (!isWhole) written.add(id);
      lines += 1;
      pending.push(record);
      if (pending.length >= linesTogether) putAway();
      if (lines % linesBetweenWords === 0) tell(lines);
      if (lines === only?.size) break;
    }
  }
  putAway();
  tell(lines);
  return { file: new Blob(parts, { type: format === 'csv' ? 'text/csv' : 'application/x-ndjson' }), lines };
}

const linesTogether = 5000;
const linesBetweenWords = 500;

async function open(filter: Filter, format: ExportFormat, signal: AbortSignal): Promise<Response> {
  const response = await send('exportShipments', { query: { ...filter, format } }, { signal });
  if (response.ok) return response;
  throw problemOf(response.status, readJson(await response.text()), response.headers);
}

async function* recordsOf(response: Response, format: ExportFormat): AsyncGenerator<string> {
  if (response.body === null) return;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
    const { records, tail } = splitRecords(rest + text, format);
    rest = tail;
    yield* records;
  }
  if (rest !== '') yield rest;
}

/** The whole records at the beginning of a text, with their line ends, and what is left. A line end within quotes belongs to its record. */
export function splitRecords(text: string, format: ExportFormat): { records: string[]; tail: string } {
  const records: string[] = [];
  let begin = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"' && format === 'csv') isQuoted = !isQuoted;
    if (sign !== '\n' || isQuoted) continue;
    records.push(text.slice(begin, at + 1));
    begin = at + 1;
  }
  return { records, tail: text.slice(begin) };
}

/** A record's shipment: the first column of a csv. */
function idOf(record: string, format: ExportFormat): string {
  if (format === 'csv') return /^"?([^",\r\n]*)/.exec(record)?.[1] ?? '';
  return /"shipment_id":"([^"]*)"/.exec(record)?.[1] ?? '';
}

const numbersTogether = 50;

/** Lists that hold at least these shipments, by their numbers: an export cannot be asked for by ids. */
export function selectionFilters(rows: readonly Pick<ShipmentRow, 'number' | 'isArchived'>[]): Filter[] {
  return [false, true].flatMap((archived) => {
    const numbers = [
      ...new Set(
        rows.filter((row) => row.isArchived === archived).map(({ number }) => number.value.replaceAll(',', ' ')),
      ),
    ];
    const filters: Filter[] = [];
    for (let at = 0; at < numbers.length; at += numbersTogether) {
      filters.push({ identifier: numbers.slice(at, at + numbersTogether), ...(archived ? { archived } : {}) });
    }
    return filters;
  });
}

/** Hands a file to whoever asked for it. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
