import type { Readable } from 'node:stream';
import type { Delimiter, ImportFile, ImportFormat, RawRow } from '#shared/domain/registration/import.ts';
import type { TableInput, TablePart } from './xlsx/read-table.ts';

export type UploadRequest = {
  stream: Readable;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  /** `Content-Length`, in bytes. Null: the request has none. */
  length: number | null;
  idleMs: number;
  /** The line of the header. 0: the file has none. Null: it is searched. */
  headerLine: number | null;
  /** The sheet of a workbook. Null: the first with a header. */
  sheet: string | null;
  /** Takes memory for what is held of a workbook, in bytes. Throws LandfallError if it is not free. */
  holdMemory: (bytes: number) => void;
  /** Gives back some of it. */
  freeMemory: (bytes: number) => void;
  /** Reads a workbook in parts. `hold` takes memory for its texts. */
  readTable: (input: TableInput, hold: (bytes: number) => void) => AsyncGenerator<TablePart>;
};

/**
 * A file of which only the beginning has been read. `names` are those of its header, empty for NDJSON and for a table
 * without one. `rows` are what follows. `file` is complete when all rows have been read.
 */
export type Upload = {
  format: ImportFormat;
  delimiter: Delimiter | null;
  names: string[];
  file: () => ImportFile;
  rows: AsyncGenerator<RawRow[]>;
};
