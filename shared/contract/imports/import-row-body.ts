import { carrierHint, findCarrierByName } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { type TransportMode, transportModes } from '#shared/domain/events/transport-mode.ts';
import type { IdentifierKey } from '#shared/domain/record/shipment.ts';
import type { Import, ImportOptions, RawRow, RowProblem } from '#shared/domain/registration/import.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';
import type { ShipmentUpdate } from '#shared/domain/registration/shipment-update.ts';
import { withoutGuards } from '../formula-guard.ts';
import { limitCodeOf } from '../input/parse-body.ts';
import { explainJsonProblem, readJson, rowLimits } from '../input/read-json.ts';
import { splitTags } from '../lists/tag-cell.ts';
import { readShipmentId } from '../record/shipment-id.ts';
import { parseRegisterShipmentBody } from '../registration/register-shipment-body.ts';
import { parseUpdateShipmentBody } from '../shipments/update-shipment-body.ts';
import { keyInMode } from './column-names.ts';
import { type ImportColumn, readImportColumns } from './import-columns.ts';
import { cellMistake } from './spoilt-cells.ts';

/** Longer rows fail. */
export const maxRowBytes = 65_536;

/** Rows of a workbook with text in later columns fail. A header may have 200. */
export const maxSheetColumns = 1000;

type Defaults = Pick<ImportOptions, 'carrier' | 'transportMode'>;

/** Request of a row: a registration, or an update of the shipment that it names by id (a uuid). */
export type SentRow = SentRegistration | { shipmentId: string; update: ShipmentUpdate };

const problemTexts: Record<RowProblem, string> = {
  too_long: `The row exceeds ${maxRowBytes / 1024} KiB.`,
  too_wide: `The row has text beyond column ${maxSheetColumns}.`,
  open_quote: 'A quote in the row is never closed.',
  invalid_quotes: 'A quoted cell continues after its closing quote. Double the quotes inside a cell.',
  invalid_utf8:
    'The row has bytes that the encoding of the file does not know. Name the encoding, as in ' +
    'Content-Type: text/csv; charset=windows-1252.',
};

/** Parses the stored rows of an import: a registration, an update or an error for each. */
export function readImportRows(found: Import, rows: readonly RawRow[]): (SentRow | LandfallError)[] {
  const { options } = found;
  const columns =
    found.format === 'ndjson'
      ? []
      : readImportColumns(options.columns, { unknown: options.unknownColumns ?? 'refuse' });
  return rows.map(({ content, problem }) => {
    if (problem !== null) return rowRefusal(problem, problemTexts[problem]);
    return typeof content === 'string' ? readNdjsonRow(content, options) : readCells(content, columns, options);
  });
}

/** The registration of a table's row, or its error. Empty cells are ignored, also those that a short row lacks. */
function readCells(
  cells: readonly string[],
  columns: readonly ImportColumn[],
  defaults: Defaults,
): SentRow | LandfallError {
  const values = cells.map(cellText);
  const isText = (index: number) => /^\s*(?:'|=")/.test(cells[index] ?? '');
  const extra = values.findIndex((value, index) => value !== '' && (columns[index]?.kind ?? 'nameless') === 'nameless');
  if (extra >= 0) return outsideColumns(extra, columns.length);
  const named = columns.flatMap((column, index) => {
    const value = values[index] ?? '';
    return value === '' || column.kind === 'ignored' || column.kind === 'nameless'
      ? []
      : [{ column, value, isMarked: isText(index) }];
  });
  const fields = new Map(named.flatMap(({ column, value }) => (column.kind === 'field' ? [[column.name, value]] : [])));
  const carrier = fields.get('carrier') ?? defaults.carrier;
  const sentMode = fields.get('transport_mode');
  const mode = readMode(sentMode) ?? defaults.transportMode ?? onlyModeOf(carrier);
  const mistakes: InputMistake[] = [];
  const body: Record<string, unknown> = {};
  const identifiers: Record<string, string> = {};
  const tracking: Record<string, unknown> = {};
  const metadata = new Map<string, string>();
  const references: string[] = [];
  const givenBy = new Map<string, string>();
  for (const { column, value, isMarked } of named) {
    if (column.kind === 'metadata') metadata.set(column.name, value);
    else if (column.kind === 'identifier') readIdentifier(column.name, value, isMarked);
    else if (column.name === 'metadata') readMetadata(value);
    else if (column.name === 'tags') body.tags = splitTags(value);
    else if (column.name === 'references') references.push(...splitTags(value));
    else if (column.name === 'service_type') body.service_type = value.toLowerCase();
    else if (column.name === 'transport_mode') body.transport_mode = readMode(value) ?? value;
    else if (column.name === 'tracking_mode') tracking.mode = value.toLowerCase();
    else if (column.name === 'stale_after_hours') tracking.stale_after_hours = numberOrText(value);
    else if (column.name !== 'shipment_id') body[column.name] = value;
  }
  if (mistakes.length > 0)
    return new LandfallError('validation_failed', mistakes.map(({ detail }) => detail).join(' '), { mistakes });
  if (metadata.size > 0) body.metadata = Object.fromEntries(metadata);
  if (references.length > 0) body.references = references;
  if (Object.keys(identifiers).length > 0) body.identifiers = identifiers;
  const shipmentId = fields.get('shipment_id');
  if (shipmentId !== undefined) return readUpdate(shipmentId, body);
  if (sentMode === undefined) {
    // Without a mode the missing mode would hide the cause.
    if (mode === null && carrier !== null && findCarrierByName(carrier) === null) return unknownCarrier(carrier);
    if (mode !== null) body.transport_mode = mode;
  }
  const tracked = Object.keys(tracking).length === 0 ? {} : { tracking };
  return parseRegisterShipmentBody(withDefaults({ ...body, ...tracked, identifiers }, defaults));

  function readIdentifier(name: IdentifierKey, cell: string, isMarked: boolean): void {
    const key = keyInMode(name, mode);
    const pointer = `/identifiers/${key}`;
    // Typed before a number so that a spreadsheet keeps it as text.
    const value = cell.replace(/^'(?=[\p{L}\p{N}])/u, '');
    if (key === 'reference') {
      references.push(value);
      return;
    }
    const mistake = cellMistake(value, { key, isText: isMarked });
    if (mistake !== null) mistakes.push({ pointer, ...mistake });
    const before = givenBy.get(key);
    if (before !== undefined && identifiers[key] !== value) {
      const detail = `The columns ${before} and ${name} both stand for ${key}, with different numbers.`;
      mistakes.push({ pointer, code: 'conflict', detail });
    }
    givenBy.set(key, name);
    identifiers[key] = value;
  }

  /** As an export writes it: a JSON object. */
  function readMetadata(cell: string): void {
    const read = readJson(cell, rowLimits);
    const value = 'value' in read ? read.value : null;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      const detail =
        'metadata must be a JSON object such as {"buyer": "acme"}. A column can also hold one key: metadata.buyer.';
      mistakes.push({ pointer: '/metadata', code: 'wrong_type', detail });
      return;
    }
    for (const [key, one] of Object.entries(value)) if (!metadata.has(key)) metadata.set(key, one as string);
  }
}

/** Leaves anything but a whole number as text, which is refused with the rest of the row. */
function numberOrText(cell: string): number | string {
  return /^\d{1,6}$/.test(cell) ? Number(cell) : cell;
}

function outsideColumns(index: number, known: number): LandfallError {
  const where = `The row has text in column ${index + 1}`;
  return index < known
    ? rowRefusal('unnamed_column', `${where}, which has no name in the header.`)
    : rowRefusal(
        'wrong_length',
        `${where}, but the header has ${known}. Put a cell that contains the delimiter in quotes.`,
      );
}

function readUpdate(sent: string, { transport_mode: _, ...body }: Record<string, unknown>): SentRow | LandfallError {
  const shipmentId = readShipmentId(sent);
  if (shipmentId === null) return rowRefusal('invalid_value', `${sent.slice(0, 64)} is not the id of a shipment.`);
  try {
    // The kind of truckload can't change.
    const { service_type: __, ...update } = body;
    return { shipmentId, update: parseUpdateShipmentBody(update) };
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

/** The registration of an NDJSON row, or its error. */
function readNdjsonRow(text: string, options: Defaults): SentRegistration | LandfallError {
  const read = readJson(text, rowLimits);
  if ('value' in read) return parseRegisterShipmentBody(withDefaults(read.value, options));
  const { problem } = read;
  const detail = explainJsonProblem(problem, rowLimits, 'The row');
  if (problem in rowLimits) return rowRefusal(limitCodeOf(problem), detail);
  const hint = problem === 'not_json' ? ' Each line must be one JSON object.' : '';
  return rowRefusal('invalid_json', detail + hint, 'invalid_json');
}

function withDefaults(body: unknown, { carrier, transportMode }: Defaults): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return {
    ...(carrier === null ? {} : { carrier }),
    ...(transportMode === null ? {} : { transport_mode: transportMode }),
    ...body,
  };
}

const modeNames: Readonly<Record<string, TransportMode>> = {
  sea: 'ocean',
  'ocean freight': 'ocean',
  'sea freight': 'ocean',
  fcl: 'ocean',
  lcl: 'ocean',
  see: 'ocean',
  seefracht: 'ocean',
  'air freight': 'air',
  luft: 'air',
  luftfracht: 'air',
  truck: 'road',
  trucking: 'road',
  lkw: 'road',
  train: 'rail',
  bahn: 'rail',
  courier: 'parcel',
  paket: 'parcel',
};

function readMode(cell: string | undefined): TransportMode | null {
  const name = cell?.toLowerCase() ?? '';
  if (Object.hasOwn(modeNames, name)) return modeNames[name] ?? null;
  return transportModes.find((mode) => mode === name) ?? null;
}

/** The mode of a row that names none: a SCAC of an ocean carrier says ocean. Null for a carrier with several modes. */
function onlyModeOf(carrier: string | null): TransportMode | null {
  const modes = carrier === null ? undefined : findCarrierByName(carrier)?.modes;
  return modes?.length === 1 ? (modes[0] ?? null) : null;
}

/** A cell without the marks by which spreadsheets keep text, and without invisible characters around it. */
function cellText(cell: string): string {
  const trimmed = cell.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
  // ="0123" keeps leading zeros. The apostrophe is what the file of failed rows and the export put before a formula.
  const plain = withoutGuards(trimmed);
  return /^="([^"]*)"$/.exec(plain)?.[1]?.trim() ?? plain;
}

function unknownCarrier(sent: string): LandfallError {
  const detail = `Unknown carrier: ${sent.slice(0, 64)}. ${carrierHint(sent) ?? 'GET /v1/carriers lists those that are known.'}`;
  return new LandfallError('carrier_not_supported', detail, {
    mistakes: [{ pointer: '/carrier', code: 'carrier_not_supported', detail }],
  });
}

function rowRefusal(
  code: string,
  detail: string,
  errorCode: 'validation_failed' | 'invalid_json' = 'validation_failed',
): LandfallError {
  return new LandfallError(errorCode, detail, { mistakes: [{ pointer: '', code, detail }] });
}
