import { readColumn, readImportColumns, skippedColumn } from '#shared/contract/imports/import-columns.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { identifierKeys } from '#shared/domain/record/shipment.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';

/** The field of each column: a column name of the import, `metadata.<key>`, or null to skip it. */
export type Mapping = readonly (string | null)[];

const maxMetadataColumns = 20;
/** A name is read up to 64 characters, `metadata.` included. */
const maxKeyChars = 55;
const prefix = 'metadata.';

/**
 * Guesses the field of each column by its name, else by its first cells. Each field is used once. Any other column with a
 * name is kept as metadata under that name, up to 20 of them.
 */
export function guessMapping(header: readonly string[], rows: readonly (readonly string[])[] = []): Mapping {
  const taken = new Set<string>();
  const take = (name: string | null) => {
    if (name === null || taken.has(name)) return null;
    taken.add(name);
    return name;
  };
  // Names take precedence over the content.
  const named = header.map((sent) => take(knownName(sent)));
  const guessed = named.map((name, at) => name ?? take(likelyName(rows.map((cells) => cells[at]?.trim() ?? ''))));
  let left = maxMetadataColumns - guessed.filter(isMetadata).length;
  return guessed.map((name, at) => {
    const sent = header[at] ?? '';
    if (name !== null || left <= 0 || readColumn(sent) !== null) return name;
    const kept = take(metadataName(sent));
    if (kept !== null) left -= 1;
    return kept;
  });
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

function knownName(sent: string): string | null {
  const column = readColumn(sent);
  if (column === null || column.kind === 'ignored' || column.kind === 'nameless') return null;
  return column.kind === 'metadata' ? metadataName(column.name) : column.name;
}

/** True for a column that is imported as metadata. */
export function isMetadata(name: string | null): name is string {
  return name?.startsWith(prefix) === true;
}

/** The key of a column that is kept as metadata. */
export function metadataKey(name: string): string {
  return name.slice(prefix.length);
}

/** The column of metadata with a key as it is typed. A space at its end is kept for the next word. */
export function typedMetadataName(typed: string): string {
  return prefix + typed.replace(/[\p{C},]+/gu, ' ').slice(0, maxKeyChars);
}

/** The column of metadata with a valid key: names are sent with commas between them, and JSON has no such key. */
export function metadataName(sent: string): string {
  const key = sent
    .replace(/^\s*metadata\./i, '')
    .replace(/[\p{C},]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxKeyChars)
    .trim();
  return prefix + (key === '__proto__' ? 'proto' : key);
}

/** Returns the first problem that prevents the import of this mapping, or null. */
export function mappingProblem(mapping: Mapping, given: { carrier: boolean; mode: boolean }): string | null {
  const has = (name: string) => mapping.includes(name);
  if (mapping.some((name) => isMetadata(name) && metadataKey(name).trim() === ''))
    return 'Enter a metadata key for each column that is kept as metadata.';
  if (!has('shipment_id') && !identifierKeys.some(has)) return 'Choose the column that contains the number.';
  try {
    readImportColumns(columnNames(mapping));
  } catch (error) {
    return error instanceof Error ? error.message : 'The columns are invalid.';
  }
  // The carrier decides the mode of a row that names none.
  if (has('shipment_id')) return null;
  if (!given.carrier && !has('carrier')) return 'Choose a column for the carrier, or one carrier for all rows.';
  return null;
}

/** The names that the import gets instead of the header of the file. */
export function columnNames(mapping: Mapping): string[] {
  return mapping.map((name) => name ?? skippedColumn);
}
