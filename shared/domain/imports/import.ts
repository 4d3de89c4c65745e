import type { InputMistake } from '../errors.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';

export const importFormats = ['csv', 'ndjson'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** `receiving`: the upload still runs; `running`: it is complete, rows are left; the other two are final. */
export const importStates = ['receiving', 'running', 'completed', 'interrupted'] as const;
export type ImportState = (typeof importStates)[number];

/** What the rows of an import are read by. */
export type ImportOptions = {
  /** CSV alone; else null. */
  delimiter: ',' | ';' | '\t' | null;
  /** The names in the header of a CSV, as they were sent; empty for NDJSON. */
  columns: string[];
  /** For rows that do not say it themselves. */
  carrier: string | null;
  transportMode: TransportMode | null;
};

/** Why a row cannot even be read. */
export type RowProblem = 'too_long' | 'open_quote' | 'invalid_utf8';

/** One row as it was sent. */
export type RawRow = { text: string; problem: RowProblem | null };

/** Rows that are stored and registered together. `contentHash` is a hex SHA-256 of their bytes. */
export type RawChunk = { number: number; firstRow: number; contentHash: string; rows: RawRow[] };

/** `id` is a uuid; times are ISO UTC. */
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
