import { readImportColumns } from '#shared/contract/imports/import-columns.ts';
import { createRowSplitter, detectDelimiter, splitCells } from '#shared/contract/imports/import-rows.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { identifierKeys } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';

/** The start of a CSV file. `bodyFrom` is the byte at which the row after the header starts. */
export type CsvStart = { delimiter: string; header: string[]; rows: string[][]; bodyFrom: number };

/** The field of each column: a column name of the import, `metadata.<key>`, or null to skip it. */
export type Mapping = readonly (string | null)[];

/** The import ignores a column with this name; see `errorColumns` of the contract. */
const skippedName = 'row';

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/** Reads the first bytes of a file; null when they contain no header. */
export function readCsvStart(
  bytes: Uint8Array,
  { isWhole, maxRows }: { isWhole: boolean; maxRows: number },
): CsvStart | null {
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
    rows: rows.slice(0, maxRows).map(({ bytes: row }) => splitCells(text.decode(row), delimiter) ?? [text.decode(row)]),
    bodyFrom,
  };
}

/** The first line feed outside quotes. */
function endOfHeader(bytes: Uint8Array): number | null {
  let quoted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 34) quoted = !quoted;
    if (bytes[at] === 10 && !quoted) return at;
  }
  return null;
}

/** Guesses the field of each column by its name, else by its first cells. Each field is used once. */
export function guessMapping(header: readonly string[], rows: readonly (readonly string[])[] = []): Mapping {
  const taken = new Set<string>();
  const take = (name: string | null) => {
    if (name === null || taken.has(name)) return null;
    taken.add(name);
    return name;
  };
  // Names take precedence over the content.
  const named = header.map((sent) => take(knownName(sent)));
  return named.map((name, at) => name ?? take(likelyName(rows.map((cells) => cells[at]?.trim() ?? ''))));
}

/** The field that most cells match; null without a majority. */
function likelyName(cells: readonly string[]): string | null {
  const filled = cells.filter((cell) => cell !== '');
  if (filled.length === 0) return null;
  const isMost = (test: (cell: string) => boolean) => filled.filter(test).length * 2 > filled.length;
  if (isMost((cell) => transportModes.some((mode) => mode === cell.toLowerCase()))) return 'transport_mode';
  if (isMost((cell) => /\p{L}/u.test(cell) && findCarrier(cell) !== null)) return 'carrier';
  const kinds = filled.map(
    (cell) => detectCarriers(cell, null).find(({ confidence }) => confidence !== 'low')?.identifier ?? null,
  );
  return identifierKeys.find((key) => kinds.filter((kind) => kind === key).length * 2 > filled.length) ?? null;
}

/** The column name of the import. A header without an identifier is rejected, so fields are tried beside one. */
function knownName(sent: string): string | null {
  for (const header of [[sent], [sent, 'container'], [sent, 'mbl']]) {
    try {
      const [column] = readImportColumns(header);
      if (column === undefined || column.kind === 'ignored') return null;
      return column.kind === 'metadata' ? `metadata.${column.name}` : column.name;
    } catch {
      // Try the next header.
    }
  }
  return null;
}

/** Why the mapping cannot be imported; null when it can. */
export function mappingProblem(mapping: Mapping, given: { carrier: boolean; mode: boolean }): string | null {
  if (!mapping.some((name) => identifierKeys.some((key) => key === name)))
    return 'Choose the column that contains the number.';
  try {
    readImportColumns(mapping.map((name) => name ?? skippedName));
  } catch (error) {
    return error instanceof Error ? error.message : 'The columns are invalid.';
  }
  if (!given.mode && !mapping.includes('transport_mode'))
    return 'Choose a column for the mode, or one mode for all rows.';
  if (!given.carrier && !mapping.includes('carrier'))
    return 'Choose a column for the carrier, or one carrier for all rows.';
  return null;
}

/** The file with the mapped names as its header. The rest is neither read nor copied, whatever its size. */
export function mappedFile(file: Blob, { bodyFrom, delimiter }: CsvStart, mapping: Mapping): Blob {
  const header = mapping.map((name) => cellOf(name ?? skippedName, delimiter)).join(delimiter);
  return new Blob([`${header}\n`, file.slice(bodyFrom)], { type: 'text/csv' });
}

function cellOf(name: string, delimiter: string): string {
  return name.includes(delimiter) || /["\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
