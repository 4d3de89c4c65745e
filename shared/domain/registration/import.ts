import type { InputMistake } from '../errors.ts';
import type { TransportMode } from '../events/transport-mode.ts';

export const importFormats = ['csv', 'ndjson', 'xlsx'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** `receiving`: the upload is running. `running`: it is complete and rows are left. The others are final. */
export const importStates = ['receiving', 'running', 'completed', 'interrupted', 'failed'] as const;
export type ImportState = (typeof importStates)[number];

/** Reason for the failure of an import. `cancelled`: it is being deleted. Rows that were registered stay. */
export type ImportFailure = 'too_many_errors' | 'cancelled';

/** Of an import, in each severity. The others are only counted. */
export const maxListedErrors = 10_000;

/** Counts the rows of an import that are neither listed nor registered without a warning. */
export function omittedErrors({ failed, warned }: Pick<Import, 'failed' | 'warned'>): number {
  return Math.max(0, failed - maxListedErrors) + Math.max(0, warned - maxListedErrors);
}

const evaluatedFrom = 10_000;
const maxFailedShare = 0.99;

/** True for an import that is the wrong file: almost all of its first 10,000 rows, or of more, have failed. */
export function hasTooManyErrors({ processed, failed }: Pick<Import, 'processed' | 'failed'>): boolean {
  return processed >= evaluatedFrom && failed >= processed * maxFailedShare;
}

/** Storage quota of an account: bytes of rows that wait or have failed, and imports. */
export const importQuota = { bytes: 1024 * 1024 * 1024, imports: 10_000 };

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** Treatments of a column that the import does not know. */
export const unknownColumnChoices = ['refuse', 'ignore', 'metadata'] as const;
export type UnknownColumns = (typeof unknownColumnChoices)[number];

/** Effects of a row on the client's fields of a shipment that its number or reference already names. */
export const existingChoices = ['keep', 'update'] as const;
export type OnExisting = (typeof existingChoices)[number];

/** Options for parsing the rows of an import. */
export type ImportOptions = {
  /** For CSV. Otherwise null. */
  delimiter: Delimiter | null;
  /** The column names as sent, or those that the request named instead. Empty for NDJSON. */
  columns: string[];
  /** Missing in imports that an older version started: `refuse`. */
  unknownColumns?: UnknownColumns;
  /** Missing in imports that an older version started: `keep`. */
  onExisting?: OnExisting;
  /** For rows without their own. */
  carrier: string | null;
  transportMode: TransportMode | null;
};

/** Recognized format of a file. `encoding`: null for a workbook. `headerLine` counts from 1; null for NDJSON. */
export type ImportFile = {
  encoding: string | null;
  compression: 'gzip' | null;
  headerLine: number | null;
  /** The sheet of a workbook that was read. */
  sheet: string | null;
};

/** Reason why a row cannot be parsed. */
export type RowProblem = 'too_long' | 'too_wide' | 'open_quote' | 'invalid_quotes' | 'invalid_utf8';

/** One row: the cells of a table, or a line of NDJSON. `line` counts the lines of the file from 1. */
export type RawRow = { line: number; content: string[] | string; problem: RowProblem | null };

/** Rows that are stored and registered together. `contentHash` is the hex SHA-256 of their content. */
export type RawChunk = { number: number; firstRow: number; contentHash: string; rows: RawRow[] };

/** `id` is a uuid. Times are ISO UTC. `warned` counts registered rows with warnings. */
export type Import = {
  id: string;
  format: ImportFormat;
  options: ImportOptions;
  file: ImportFile;
  test: boolean;
  dryRun: boolean;
  state: ImportState;
  /** Null unless the state is `failed`. */
  reason: ImportFailure | null;
  received: number;
  processed: number;
  created: number;
  existing: number;
  updated: number;
  failed: number;
  warned: number;
  createdAt: string;
  completedAt: string | null;
};

export const rowSeverities = ['error', 'warning'] as const;
export type RowSeverity = (typeof rowSeverities)[number];

/**
 * A row that was not registered, or that was registered with warnings. `rowNumber` counts data rows from 1, `line` lines
 * of the file (null: stored by an older version). `raw` is the content: the cells as a JSON array, or a line of NDJSON.
 */
export type ImportError = {
  rowNumber: number;
  line: number | null;
  severity: RowSeverity;
  raw: string;
  code: string;
  detail: string;
  mistakes: InputMistake[];
};

/** A CSV body. `line` counts the lines of the file from 1; `problem` says why a row can't be read. */
export type CsvTable = {
  names: readonly string[];
  rows: readonly { line: number; cells: readonly string[]; problem: string | null }[];
};
