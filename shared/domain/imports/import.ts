import type { InputMistake } from '../errors.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';

export const importFormats = ['csv', 'ndjson'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** `receiving`: the upload is running. `running`: it is complete and rows are left. The other two are final. */
export const importStates = ['receiving', 'running', 'completed', 'interrupted'] as const;
export type ImportState = (typeof importStates)[number];

/** How the rows of an import are parsed. */
export type ImportOptions = {
  /** For CSV. Otherwise null. */
  delimiter: ',' | ';' | '\t' | null;
  /** The column names as sent. Empty for NDJSON. */
  columns: string[];
  /** For rows without their own. */
  carrier: string | null;
  transportMode: TransportMode | null;
};

/** Why a row cannot be parsed. */
export type RowProblem = 'too_long' | 'open_quote' | 'invalid_utf8';

/** One row as it was sent. */
export type RawRow = { text: string; problem: RowProblem | null };

/** Rows that are stored and registered together. `contentHash` is the hex SHA-256 of their bytes. */
export type RawChunk = { number: number; firstRow: number; contentHash: string; rows: RawRow[] };

/** `id` is a uuid. Times are ISO UTC. */
export type Import = {
  id: string;
  format: ImportFormat;
  options: ImportOptions;
  test: boolean;
  dryRun: boolean;
  state: ImportState;
  received: number;
  processed: number;
  created: number;
  existing: number;
  failed: number;
  createdAt: string;
  completedAt: string | null;
};

/** A row that was not registered. `rowNumber` counts data rows from 1. */
export type ImportError = { rowNumber: number; raw: string; code: string; detail: string; mistakes: InputMistake[] };
