/** A file as a program writes it, and what an import of it says. Each expectation was written before the reader ran. */
export type Spreadsheet = {
  name: string;
  /** The program, or the text that describes how it writes. */
  source: string;
  bytes: Buffer;
  type?: string;
  query?: string;
  encoding?: 'gzip';
  expected: Imported | Refused;
};

type Imported = {
  created: number;
  failed?: number;
  /** Of the import: what was recognized. */
  says?: Record<string, unknown>;
  /** Line of the file and part of the reason of each failed row. */
  errors?: [number, string][];
  /** Fields of stored shipments by their reference. */
  stored?: Record<string, Record<string, unknown>>;
};

type Refused = { refused: string[] };

let last = 770_000_000;

/** A number of a bill of lading that no other row has. */
export function bl(): string {
  last += 1;
  return String(last);
}

/** A table of shipments whose rows are all fine, with references of their own. */
export function rowsOf(references: readonly string[]): string[][] {
  return [
    ['transport_mode', 'carrier', 'mbl', 'reference'],
    ...references.map((reference) => ['ocean', 'MAEU', bl(), reference]),
  ];
}

export function text(rows: readonly (readonly string[])[], delimiter = ',', lineEnd = '\r\n'): string {
  return rows.map((row) => row.join(delimiter) + lineEnd).join('');
}

/** Latin-1, which is windows-1252 but for 27 characters. */
export function latin1(content: string): Buffer {
  return Buffer.from(content, 'latin1');
}

export function utf16(content: string, order: 'le' | 'be', mark = true): Buffer {
  const bytes = Buffer.from((mark ? '\ufeff' : '') + content, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}
