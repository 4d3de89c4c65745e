import { type CsvBeginning, readBeginning } from './csv-columns.ts';

const beginningBytes = 256 * 1024;
const mostRows = 8;

/** A file that was chosen: a CSV with its beginning, or NDJSON, which names its fields itself. `problem`: why it is neither. */
export type ReadFile =
  | { kind: 'csv'; file: File; beginning: CsvBeginning }
  | { kind: 'ndjson'; file: File }
  | { kind: 'problem'; file: File; problem: string };

/** Reads the beginning alone, so that the size does not matter. */
export async function readFile(file: File): Promise<ReadFile> {
  const problem = (words: string): ReadFile => ({ kind: 'problem', file, problem: words });
  if (file.size === 0) return problem('The file is empty.');
  const bytes = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
  if ((bytes[0] === 0x50 && bytes[1] === 0x4b) || bytes[0] === 0xd0)
    return problem('That is a workbook. Save the sheet as CSV (UTF-8), then take that file.');
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return problem('The file is UTF-16. Save it as CSV (UTF-8), then take that file.');
  }
  if (/\.(ndjson|jsonl)$/i.test(file.name) || bytes[0] === 0x7b) return { kind: 'ndjson', file };
  const beginning = readBeginning(bytes, { isWhole: file.size <= beginningBytes, mostRows });
  if (beginning === null) return problem('The first line holds no column names.');
  return { kind: 'csv', file, beginning };
}
