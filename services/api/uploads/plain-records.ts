import { isAscii } from 'node:buffer';
import type { Delimiter } from '#shared/domain/registration/import.ts';

/** `end`: the byte after the record. */
export type CsvRecord = { cells: string[]; end: number };

/**
 * The records of bytes without quotes, as csv-parse reads them, in a quarter of its time: every line is a record and
 * every delimiter ends a cell. Lines end with LF, CRLF or CR; empty ones are skipped.
 */
export function readPlainRecords(bytes: Buffer, delimiter: Delimiter): CsvRecord[] {
  const records: CsvRecord[] = [];
  // Characters are bytes then, and the text is decoded once.
  const text = isAscii(bytes) ? bytes.toString('latin1') : null;
  const lines = text ?? bytes;
  let feed = lines.indexOf('\n');
  let carriage = lines.indexOf('\r');
  for (let from = 0; from < bytes.length; ) {
    if (feed !== -1 && feed < from) feed = lines.indexOf('\n', from);
    if (carriage !== -1 && carriage < from) carriage = lines.indexOf('\r', from);
    const at = Math.min(feed === -1 ? bytes.length : feed, carriage === -1 ? bytes.length : carriage);
    const end = Math.min(at === carriage && feed === at + 1 ? at + 2 : at + 1, bytes.length);
    if (at > from) {
      const line = text === null ? bytes.toString('utf8', from, at) : text.slice(from, at);
      records.push({ cells: line.split(delimiter), end });
    }
    from = end;
  }
  return records;
}
