import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CsvRecord, readPlainRecords } from '#services/api/uploads/plain-records.ts';
import { delimiters } from '#shared/domain/registration/import.ts';

test('reads the same records as csv-parse from any bytes without quotes', () => {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('\n', '\r', '\r\n', ',', ';', '\t', '|', ' ', 'a', 'MAEU', 'é', '漢') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    // Also what is no UTF-8.
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 4 }) },
  );
  const bytesOf = (pieces: readonly (string | Uint8Array)[]) =>
    Buffer.concat(pieces.map((one) => Buffer.from(one as string))).map((byte) => (byte === 0x22 ? 0x27 : byte));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(...delimiters), (pieces, delimiter) => {
      const bytes = Buffer.from(bytesOf(pieces));
      const expected: CsvRecord[] = [];
      parse(bytes, {
        delimiter,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        relax_quotes: true,
        skip_empty_lines: true,
        on_record: (cells: string[], { bytes: end }) => {
          expected.push({ cells, end });
          return null;
        },
      });
      expect(readPlainRecords(bytes, delimiter)).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});
