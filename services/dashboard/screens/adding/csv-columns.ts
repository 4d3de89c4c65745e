import { readImportColumns } from '#shared/contract/imports/import-columns.ts';
import { createRowSplitter, detectDelimiter, splitCells } from '#shared/contract/imports/import-rows.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { identifierKeys } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';

/** The beginning of a CSV: enough to see its columns by. `bodyFrom`: the byte at which the row after the header begins. */
export type CsvBeginning = { delimiter: string; header: string[]; rows: string[][]; bodyFrom: number };

/** What a column holds: a name that an import knows, `metadata.<key>`, or null: it is left out. */
export type Mapping = readonly (string | null)[];

/** A column of this name is read by nobody; see `errorColumns` of the contract. */
const leftOutName = 'row';

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/** Reads the first bytes of a file; null when they hold no header. */
export function readBeginning(
  bytes: Uint8Array,
  { isWhole, mostRows }: { isWhole: boolean; mostRows: number },
): CsvBeginning | null {
  const text = new TextDecoder();
  const headerEnd = endOfHeader(bytes);
  if (headerEnd === null && !isWhole) return null;
  const marked = byteOrderMark.every((byte, at) => bytes[at] === byte) ? byteOrderMark.length : 0;
  const headerText = text.decode(bytes.subarray(marked, headerEnd ?? bytes.length)).replace(/\r$/, '');
  const delimiter = detectDelimiter(headerText);
  const header = splitCells(headerText, delimiter);
  if (header === null || headerText.trim() === '') return null;
  const splitter = createRowSplitter(delimiter);
  const bodyFrom = headerEnd === null ? bytes.length : headerEnd + 1;
  const pushed = splitter.push(bytes.subarray(bodyFrom));
  const rows = isWhole ? [...pushed, ...splitter.end()] : pushed;
  return {
    delimiter,
    header,
    rows: rows
      .slice(0, mostRows)
      .map(({ bytes: row }) => splitCells(text.decode(row), delimiter) ?? [text.decode(row)]),
    bodyFrom,
  };
}

/** A line feed outside of quotes. */
function endOfHeader(bytes: Uint8Array): number | null {
  let quoted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 34) quoted = !quoted;
    if (bytes[at] === 10 && !quoted) return at;
  }
  return null;
}

/** What each column most likely holds: by its name, where an import knows it, else by what stands in its first rows. Nothing is taken twice. */
export function guessMapping(header: readonly string[], rows: readonly (readonly string[])[] = []): Mapping {
  const taken = new Set<string>();
  const take = (name: string | null) => {
    if (name === null || taken.has(name)) return null;
    taken.add(name);
    return name;
  };
  // Names first: what somebody wrote on a column counts more than what it looks like.
  const named = header.map((sent) => take(knownName(sent)));
  return named.map((name, at) => name ?? take(likelyName(rows.map((cells) => cells[at]?.trim() ?? ''))));
}

/** What most of the cells are; null: they do not tell. */
function likelyName(cells: readonly string[]): string | null {
  const told = cells.filter((cell) => cell !== '');
  if (told.length === 0) return null;
  const isMost = (test: (cell: string) => boolean) => told.filter(test).length * 2 > told.length;
  if (isMost((cell) => transportModes.some((mode) => mode === cell.toLowerCase()))) return 'transport_mode';
  if (isMost((cell) => /\p{L}/u.test(cell) && findCarrier(cell) !== null)) return 'carrier';
  const kinds = told.map(
    (cell) => detectCarriers(cell, null).find(({ confidence }) => confidence !== 'low')?.identifier ?? null,
  );
  return identifierKeys.find((key) => kinds.filter((kind) => kind === key).length * 2 > told.length) ?? null;
}

/** The name as an import knows it. It refuses a header without an identifier, so one stands beside a field. */
function knownName(sent: string): string | null {
  for (const header of [[sent], [sent, 'container'], [sent, 'mbl']]) {
    try {
      const [column] = readImportColumns(header);
      if (column === undefined || column.kind === 'ignored') return null;
      return column.kind === 'metadata' ? `metadata.${column.name}` : column.name;
    } catch {
      // Then by another one.
    }
  }
  return null;
}

/** What keeps this mapping from being imported, in words; null: nothing. */
export function mappingProblem(mapping: Mapping, given: { carrier: boolean; mode: boolean }): string | null {
  try {
    readImportColumns(mapping.map((name) => name ?? leftOutName));
  } catch (error) {
    const sent = error instanceof Error ? error.message : 'The columns do not fit.';
    return sent.startsWith('the header names no identifier') ? 'Say which column holds the number.' : `${sent}.`;
  }
  if (!given.mode && !mapping.includes('transport_mode'))
    return 'Say how the rows travel: a column, or one mode for all.';
  if (!given.carrier && !mapping.includes('carrier')) return 'Say whose they are: a column, or one carrier for all.';
  return null;
}

/** The file with the mapped names as its header. Nothing after the header is read or copied, however large the file is. */
export function mappedFile(file: Blob, { bodyFrom, delimiter }: CsvBeginning, mapping: Mapping): Blob {
  const header = mapping.map((name) => cellOf(name ?? leftOutName, delimiter)).join(delimiter);
  return new Blob([`${header}\n`, file.slice(bodyFrom)], { type: 'text/csv' });
}

function cellOf(name: string, delimiter: string): string {
  return name.includes(delimiter) || /["\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
