import type { Shipment } from '#shared/domain/record/shipment.ts';
import { guardFormulas } from '../formula-guard.ts';
import type { WireSummary } from '../record/shipment-schemas.ts';
import { toWireSummary } from '../record/shipment-wire.ts';
import { csvColumnNames } from './export-fields.ts';
import { type ListFieldName, toWireListRow } from './list-wire.ts';
import { joinTags } from './tag-cell.ts';

/**
 * The requested columns, `shipment_id` first. A field of the summary means all of its columns; null means all columns.
 */
export function csvColumnsOf(names: readonly string[] | null): string[] {
  if (names === null) return [...csvColumnNames];
  const asked = names.flatMap((name) =>
    csvColumnNames.filter((column) => column === name || column.startsWith(`${name}.`)),
  );
  return [...new Set(['shipment_id', ...asked])];
}

/** One line of a csv (RFC 4180), including the line end. */
export function csvHeader(columns: readonly string[]): string {
  return `${columns.join(',')}\r\n`;
}

export function csvRow(shipment: Shipment, columns: readonly string[]): string {
  const row = toWireSummary(shipment);
  const summary = {
    ...row,
    ...ownFields(shipment),
    free_time: row.free_time && { ...row.free_time, costs: costsText(row.free_time.costs) },
  };
  return `${columns.map((column) => csvCell(valueAt(summary, column))).join(',')}\r\n`;
}

/** `170 EUR; 90 USD+`: a plus where it may be more. */
function costsText(costs: NonNullable<WireSummary['free_time']>['costs']): string | null {
  return (
    costs.map(({ amount, currency, is_floor }) => `${amount} ${currency}${is_floor ? '+' : ''}`).join('; ') || null
  );
}

/** Fields that an import of the edited file can change and that a summary lacks. */
function ownFields({ references, tags, metadata, destinationPostalCode }: Shipment) {
  return {
    // Empty for one: an edited file changes `reference`.
    references: references.length > 1 ? joinTags(references) : null,
    tags: joinTags(tags),
    destination_postal_code: destinationPostalCode,
    metadata: Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata),
  };
}

/** One line of an ndjson, including the line end. */
export function ndjsonRow(shipment: Shipment, fields: readonly ListFieldName[] | null): string {
  return `${JSON.stringify(toWireListRow(shipment, { fields, include: [] }))}\n`;
}

/** Text that a spreadsheet would run as a formula gets an apostrophe. Numbers are our own and stay numbers. */
export function csvCell(value: unknown, delimiter = ','): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const safe = guardFormulas(String(value));
  return safe.includes(delimiter) || /["\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
