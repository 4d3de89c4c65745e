import type { Readable } from 'node:stream';
import { createYield } from '#shared/async/yield-event-loop.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { CsvTable, RawRow, RowProblem } from '#shared/domain/registration/import.ts';
import { createCsvReader } from './csv-rows.ts';
import { decodeText } from './decode-text.ts';
import { isSeparatorLine } from './find-header.ts';

const problems: Readonly<Record<RowProblem, string>> = {
  open_quote: 'a quote is never closed',
  invalid_quotes: 'a quote is in the wrong place',
  invalid_utf8: 'it is not valid UTF-8',
  too_long: 'it is too long',
  too_wide: 'it has too many cells',
};

/**
 * Reads a CSV body as a whole, whose first row is the header, by comma, semicolon or tab. Throws LandfallError
 * `payload_too_large` above `maxBytes`, or `validation_failed` for a file without rows.
 */
export async function readCsvTable(stream: Readable, maxBytes: number): Promise<CsvTable> {
  const yieldIfDue = createYield();
  const text = decodeText(limited(stream, maxBytes), null);
  const parts: Buffer[] = [];
  for await (const part of text.bytes) parts.push(part);
  const bytes = Buffer.concat(parts);
  const reader = createCsvReader(delimiterOf(bytes));
  const rows: RawRow[] = [];
  for (const some of [reader.push(bytes), reader.end()])
    for (const read of some) {
      rows.push(...read);
      await yieldIfDue();
    }
  const [header, ...others] = rows.filter((row) => !isSeparatorLine(row));
  if (header === undefined) throw new LandfallError('validation_failed', 'The file is empty. Send a header and rows.');
  return {
    names: cellsOf(header),
    rows: others.map((row) => ({
      line: row.line,
      cells: cellsOf(row),
      problem: row.problem === null ? null : problems[row.problem],
    })),
  };
}

async function* limited(stream: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const part of stream) {
    length += (part as Buffer).length;
    if (length > maxBytes)
      throw new LandfallError('payload_too_large', `The body exceeds ${Math.round(maxBytes / 1024)} KiB.`);
    yield part as Buffer;
  }
}

/** The one that the first line has most of. */
function delimiterOf(bytes: Buffer): ',' | ';' | '\t' {
  const [line = ''] = bytes.toString('utf8', 0, 4096).split(/\r|\n/, 1);
  const named = /^sep=([,;\t])$/i.exec(line)?.[1];
  if (named === ',' || named === ';' || named === '\t') return named;
  const counts = ([',', ';', '\t'] as const).map((delimiter) => ({ delimiter, found: line.split(delimiter).length }));
  return counts.reduce((best, one) => (one.found > best.found ? one : best)).delimiter;
}

function cellsOf({ content }: RawRow): string[] {
  return typeof content === 'string' ? [content] : [...content];
}
