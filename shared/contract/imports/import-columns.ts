import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { nearestName } from '#shared/domain/nearest.ts';
import { type IdentifierKey, identifierKeys } from '#shared/domain/record/shipment.ts';
import type { UnknownColumns } from '#shared/domain/registration/import.ts';
import { csvColumnNames } from '../lists/export-fields.ts';
import { columnNames, type ImportField, importFields, knownColumn } from './column-names.ts';

/**
 * The meaning of a column. `ignored`: a column that the file of failed rows or an export adds, or one that the request
 * ignores. `nameless`: it must be empty.
 */
export type ImportColumn =
  | { kind: 'field'; name: ImportField }
  | { kind: 'identifier'; name: IdentifierKey }
  | { kind: 'metadata'; name: string }
  | { kind: 'ignored' }
  | { kind: 'nameless' };

/** The columns that the file of failed rows adds. They are ignored when the corrected file is imported again. */
export const errorColumns = ['row', 'file_line', 'severity', 'error_code', 'error_detail'] as const;

/** The name of a column that a request skips. */
export const skippedColumn = '-';

/** The columns of an export that Landfall itself writes. */
const exportedColumns = new Set(
  csvColumnNames.filter((name) => !importFields.some((field) => field === name) && !name.startsWith('identifiers.')),
);

const maxColumns = 200;
const maxMetadataKeys = 20;

export type ColumnOptions = { unknown: UnknownColumns };

/**
 * The columns of a header. Case, spaces and punctuation don't matter. Throws LandfallError `validation_failed` that names
 * every unknown or duplicate column.
 */
export function readImportColumns(
  names: readonly string[],
  { unknown }: ColumnOptions = { unknown: 'refuse' },
): ImportColumn[] {
  if (names.length > maxColumns)
    throw refusal([
      { pointer: '/header', code: 'too_long', detail: `The header must have at most ${maxColumns} columns.` },
    ]);
  const mistakes: InputMistake[] = [];
  const unknownNames: string[] = [];
  const seen = new Set<string>();
  const isExport = names.some((sent) => shownName(sent) === 'shipment_id');
  const columns = names.map((sent, index): ImportColumn => {
    const pointer = `/header/${index}`;
    const shown = shownName(sent);
    const column =
      isExport && exportedColumns.has(shown)
        ? { kind: 'ignored' as const }
        : (readColumn(sent) ?? unknownColumn(shown, unknown));
    if (column === null) {
      unknownNames.push(shown);
      mistakes.push({ pointer, code: 'unknown_field', detail: unknownText(shown) });
    } else if (column.kind !== 'ignored' && column.kind !== 'nameless') {
      const name = `${column.kind} ${column.name}`;
      if (seen.has(name)) mistakes.push({ pointer, code: 'conflict', detail: `Duplicate column: ${shown}.` });
      seen.add(name);
    }
    return column ?? { kind: 'ignored' };
  });
  if (mistakes.length > 0) throw refusal(mistakes, unknownNames);
  const metadataKeys = columns.filter(({ kind }) => kind === 'metadata').length;
  if (metadataKeys > maxMetadataKeys) {
    const detail = `The file has ${metadataKeys} columns of metadata. A shipment has at most ${maxMetadataKeys} keys.`;
    throw refusal([{ pointer: '/header', code: 'too_long', detail }]);
  }
  if (![...seen].some((name) => name.startsWith('identifier ') || name === 'field shipment_id')) {
    const detail = `The header has no identifier column. Add one such as ${identifierKeys.slice(0, 3).join(', ')}.`;
    throw refusal([{ pointer: '/header', code: 'required', detail }]);
  }
  return columns;
}

/** Refuses a table whose rows would all lack a carrier, or a mode that their carrier does not imply. */
export function refuseMissingColumns(
  columns: readonly ImportColumn[],
  defaults: { carrier: string | null; transportMode: string | null },
): void {
  const has = (name: ImportField) => columns.some((column) => column.kind === 'field' && column.name === name);
  if (has('shipment_id')) return;
  const mistakes: InputMistake[] = [];
  const miss = (name: 'transport_mode' | 'carrier', example: string) => {
    const detail = `The file has no column for ${name}. Add one, or name it for all rows: ?${name}=${example}.`;
    mistakes.push({ pointer: '/header', code: 'required', detail });
  };
  const hasCarrier = defaults.carrier !== null || has('carrier');
  if (defaults.transportMode === null && !has('transport_mode') && !hasCarrier) miss('transport_mode', 'ocean');
  if (!hasCarrier) miss('carrier', 'MAEU');
  if (mistakes.length > 0) throw refusal(mistakes);
}

/** Counts the columns of a header that the import knows. Title rows have none. */
export function countKnownColumns(names: readonly string[]): number {
  // A row of 64 KiB may have 65,536 cells, and a header with more columns is refused.
  const read = names.slice(0, maxColumns).map((sent) => readColumn(sent)?.kind ?? 'unknown');
  return read.filter((kind) => kind === 'field' || kind === 'identifier' || kind === 'metadata').length;
}

/** The column of a name; null if it is unknown. */
export function readColumn(sent: string): ImportColumn | null {
  const name = shownName(sent);
  if (name === '') return { kind: 'nameless' };
  if (name === skippedColumn) return { kind: 'ignored' };
  const metadataKey = /^metadata\.(.+)$/i.exec(name)?.[1]?.trim();
  // Refused in JSON too: as a key of an object it would silently be dropped.
  if (metadataKey === '__proto__') return null;
  if (metadataKey !== undefined) return { kind: 'metadata', name: metadataKey };
  const plain = name.toLowerCase().replace(/[\s-]+/g, '_');
  if (errorColumns.some((known) => known === plain)) return { kind: 'ignored' };
  return knownColumn(name) ?? (exportedColumns.has(name) ? { kind: 'ignored' } : null);
}

/** A name on one line, without no-break and invisible spaces. */
function shownName(sent: string): string {
  return sent
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 64);
}

function unknownColumn(shown: string, choice: UnknownColumns): ImportColumn | null {
  if (choice === 'refuse') return null;
  if (choice === 'ignore') return { kind: 'ignored' };
  return shown === '__proto__' ? null : { kind: 'metadata', name: shown };
}

function unknownText(shown: string): string {
  const nearest = nearestName(shown, columnNames);
  const hint =
    nearest === null
      ? `Allowed: ${[...importFields, ...identifierKeys].join(', ')}, metadata.<key>.`
      : `Did you mean ${nearest}?`;
  return `Unknown column: ${shown}. ${hint}`;
}

function refusal(mistakes: InputMistake[], unknownNames: readonly string[] = []): LandfallError {
  const others = mistakes.filter((mistake) => mistake.code !== 'unknown_field').map((mistake) => mistake.detail);
  const [first] = unknownNames;
  const named =
    unknownNames.length < 2 || first === undefined
      ? mistakes.filter((mistake) => mistake.code === 'unknown_field').map((mistake) => mistake.detail)
      : [`Unknown columns: ${unknownNames.slice(0, 20).join(', ')}. ${hintFor(unknownNames)}`.trim()];
  const option =
    unknownNames.length === 0
      ? []
      : ['To import the file as it is, add unknown_columns=ignore, or unknown_columns=metadata to keep the cells.'];
  const details = [...named, ...others.slice(0, 5), ...option];
  return new LandfallError('validation_failed', details.join(' '), { mistakes: mistakes.slice(0, 100) });
}

function hintFor(names: readonly string[]): string {
  const hints = names.flatMap((name) => {
    const nearest = nearestName(name, columnNames);
    return nearest === null ? [] : [`Did you mean ${nearest} by ${name}?`];
  });
  return hints.slice(0, 3).join(' ');
}
