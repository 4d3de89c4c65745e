import { expect, test, vi } from 'vitest';
import { createCsvReader } from '#services/api/uploads/csv-rows.ts';
import { findCsvHeader } from '#services/api/uploads/find-header.ts';

const parsed = vi.hoisted(() => ({ bytes: 0 }));

vi.mock('csv-parse/sync', async (original) => {
  const actual = await original<typeof import('csv-parse/sync')>();
  return {
    ...actual,
    parse: (bytes: Buffer, options: object) => {
      parsed.bytes += bytes.length;
      return actual.parse(bytes, options);
    },
  };
});

const kib = 1024;

/** The bytes parsed between two results of the reader, at most, and in total. */
function costOf(file: Buffer, pieceBytes: number): { step: number; total: number } {
  const reader = createCsvReader(',');
  let step = 0;
  let total = 0;
  const take = (results: Iterable<unknown>) => {
    parsed.bytes = 0;
    const note = () => {
      step = Math.max(step, parsed.bytes);
      total += parsed.bytes;
      parsed.bytes = 0;
    };
    for (const _ of results) note();
    note();
  };
  for (let at = 0; at < file.length; at += pieceBytes) take(reader.push(file.subarray(at, at + pieceBytes)));
  take(reader.end());
  return { step, total };
}

test('parses a long row that arrives in small pieces a few times, not once for each piece', () => {
  const file = Buffer.from(`a,"${'x'.repeat(60 * kib)}"\n`);
  expect(costOf(file, 100).total).toBeLessThan(12 * file.length);
});

test('copies a long row that arrives in single bytes a few times, not once for each byte', () => {
  const concat = vi.spyOn(Buffer, 'concat');
  const file = Buffer.from(`a,"${'x'.repeat(40 * kib)}"\n`);
  expect(costOf(file, 1).total).toBeLessThan(12 * file.length);
  const copied = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0);
  concat.mockRestore();
  // Small pieces are joined first: half a KiB each time.
  expect(copied).toBeLessThan(kib * file.length);
});

test('parses a bounded part of a file full of open quotes in one step', () => {
  for (const file of ['"a","b\n'.repeat(60_000), `${'x","z\n'.repeat(9000)}x"y\n`.repeat(3)])
    expect(costOf(Buffer.from(file), 64 * kib).step).toBeLessThanOrEqual(512 * kib);
});

test('parses a bounded part of the first lines to find the header', () => {
  const line = `x","${'z'.repeat(1600)}\n`;
  parsed.bytes = 0;
  findCsvHeader(Buffer.from(`${line.repeat(39)}x"y\n`), null);
  expect(parsed.bytes).toBeLessThan(1024 * kib);
});
