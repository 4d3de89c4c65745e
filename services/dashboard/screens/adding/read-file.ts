import { type CsvStart, readCsvStart } from './csv-columns.ts';

const startBytes = 256 * 1024;
const maxRows = 8;

/** A chosen file: CSV with its start, or NDJSON. `problem` is why it is neither. */
export type ReadFile =
  | { kind: 'csv'; file: File; start: CsvStart }
  | { kind: 'ndjson'; file: File }
  | { kind: 'problem'; file: File; problem: string };

/** Reads only the start of a file, whatever its size. */
export async function readFile(file: File): Promise<ReadFile> {
  const problem = (text: string): ReadFile => ({ kind: 'problem', file, problem: text });
  if (file.size === 0) return problem('The file is empty.');
  const bytes = new Uint8Array(await file.slice(0, startBytes).arrayBuffer());
  if ((bytes[0] === 0x50 && bytes[1] === 0x4b) || bytes[0] === 0xd0)
    return problem('This is a workbook. Save the sheet as CSV (UTF-8) first.');
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return problem('The file is UTF-16. Save it as CSV (UTF-8) first.');
  }
  if (/\.(ndjson|jsonl)$/i.test(file.name) || bytes[0] === 0x7b) return { kind: 'ndjson', file };
  const start = readCsvStart(bytes, { isWhole: file.size <= startBytes, maxRows });
  if (start === null) return problem('The first line contains no column names.');
  return { kind: 'csv', file, start };
}
