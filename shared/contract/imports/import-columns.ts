import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { nearestName } from '#shared/domain/nearest.ts';
import { keyOfAlias } from '#shared/domain/registration/identifier-rules.ts';
import { identifierKeys } from '#shared/domain/shipments/shipment.ts';
import { transportModes } from '#shared/domain/shipments/transport-mode.ts';

/** The meaning of a CSV column. `ignored`: a column that the file of failed rows adds. */
export type ImportColumn = { kind: 'field' | 'identifier' | 'metadata'; name: string } | { kind: 'ignored' };

export const importFields = [
  'transport_mode',
  'carrier',
  'service_type',
  'reference',
  'tags',
  'destination_postal_code',
] as const;

/** The columns that the file of failed rows adds. They are ignored when the corrected file is imported again. */
export const errorColumns = ['row', 'error_code', 'error_detail'] as const;

const fieldAliases = new Map<string, (typeof importFields)[number]>(
  Object.entries({
    mode: 'transport_mode',
    carrier_code: 'carrier',
    scac: 'carrier',
    service: 'service_type',
    ref: 'reference',
    customer_reference: 'reference',
    tag: 'tags',
    postal_code: 'destination_postal_code',
    destination_zip: 'destination_postal_code',
  }),
);

const maxColumns = 200;

/**
 * The columns of a CSV header. Case is ignored, and a space counts as an underscore. Throws LandfallError
 * `validation_failed` that names every unknown or duplicate column.
 */
export function readImportColumns(names: readonly string[]): ImportColumn[] {
  if (names.length > maxColumns)
    throw refusal([
      { pointer: '/header', code: 'too_long', detail: `The header must have at most ${maxColumns} columns.` },
    ]);
  const mistakes: InputMistake[] = [];
  const seen = new Set<string>();
  const columns = names.map((sent, index) => {
    const column = readColumn(sent);
    const pointer = `/header/${index}`;
    const shown = sent.trim().slice(0, 64);
    if (column === null) mistakes.push({ pointer, code: 'unknown_field', detail: unknownColumn(shown) });
    else if (column.kind !== 'ignored') {
      const name = `${column.kind} ${column.name}`;
      if (seen.has(name)) mistakes.push({ pointer, code: 'conflict', detail: `Duplicate column: ${shown}.` });
      seen.add(name);
    }
    return column ?? { kind: 'ignored' as const };
  });
  if (mistakes.length > 0) throw refusal(mistakes);
  if (![...seen].some((name) => name.startsWith('identifier '))) {
    const detail = `The header has no identifier column. Add one such as ${identifierKeys.slice(0, 3).join(', ')}.`;
    throw refusal([{ pointer: '/header', code: 'required', detail }]);
  }
  return columns;
}

function readColumn(sent: string): ImportColumn | null {
  const trimmed = sent.trim();
  const metadataKey = /^metadata\.(.+)$/i.exec(trimmed)?.[1]?.trim();
  // Refused in JSON too: as a key of an object it would silently be dropped.
  if (metadataKey === '__proto__') return null;
  if (metadataKey !== undefined) return { kind: 'metadata', name: metadataKey };
  const name = trimmed.toLowerCase().replace(/[\s-]+/g, '_');
  if (errorColumns.some((known) => known === name)) return { kind: 'ignored' };
  const field = importFields.find((known) => known === name) ?? fieldAliases.get(name);
  if (field !== undefined) return { kind: 'field', name: field };
  const identifier = name.replace(/^identifiers\./, '');
  return transportModes.some((mode) => keyOfAlias(mode, identifier) !== null)
    ? { kind: 'identifier', name: identifier }
    : null;
}

function unknownColumn(shown: string): string {
  if (shown === '') return 'A column has no name.';
  const nearest = nearestName(shown, [...importFields, ...identifierKeys, ...fieldAliases.keys()]);
  const hint =
    nearest === null
      ? `Allowed: ${[...importFields, ...identifierKeys].join(', ')}, metadata.<key>.`
      : `Did you mean ${nearest}?`;
  return `Unknown column: ${shown}. ${hint}`;
}

function refusal(mistakes: InputMistake[]): LandfallError {
  const details = mistakes.slice(0, 5).map((mistake) => mistake.detail);
  return new LandfallError('validation_failed', details.join(' '), { mistakes: mistakes.slice(0, 100) });
}
