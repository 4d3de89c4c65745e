import { readColumn, readImportColumns, skippedColumn } from '#shared/contract/imports/import-columns.ts';
import { findCarrier } from '#shared/domain/carriers/carrier-catalogue.ts';
import { detectCarriers } from '#shared/domain/registration/detect-carriers.ts';
import { identifierKeys } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';

/** The field of each column: a column name of the import, `metadata.<key>`, or null to skip it. */
export type Mapping = readonly (string | null)[];

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

function knownName(sent: string): string | null {
  const column = readColumn(sent);
  if (column === null || column.kind === 'ignored' || column.kind === 'nameless') return null;
  return column.kind === 'metadata' ? metadataName(column.name) : column.name;
}

/** The column of metadata with a key. Names are sent with commas between them. */
export function metadataName(key: string): string {
  return `metadata.${key.trim().replaceAll(',', ' ').slice(0, 64)}`;
}

/** Why the mapping cannot be imported; null when it can. */
export function mappingProblem(mapping: Mapping, given: { carrier: boolean; mode: boolean }): string | null {
  const has = (name: string) => mapping.includes(name);
  if (!has('shipment_id') && !identifierKeys.some(has)) return 'Choose the column that contains the number.';
  try {
    readImportColumns(columnNames(mapping));
  } catch (error) {
    return error instanceof Error ? error.message : 'The columns are invalid.';
  }
  if (has('shipment_id')) return null;
  if (!given.mode && !has('transport_mode')) return 'Choose a column for the mode, or one mode for all rows.';
  if (!given.carrier && !has('carrier')) return 'Choose a column for the carrier, or one carrier for all rows.';
  return null;
}

/** The names that the import gets instead of the header of the file. */
export function columnNames(mapping: Mapping): string[] {
  return mapping.map((name) => name ?? skippedColumn);
}
