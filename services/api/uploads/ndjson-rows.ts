import { isUtf8 } from 'node:buffer';
import { maxRowBytes } from '#shared/contract/imports/import-row-body.ts';
import type { RawRow } from '#shared/domain/registration/import.ts';
import type { RowReader } from './csv-rows.ts';
import { keptOfLongRow } from './limits.ts';

/** A reader of one JSON object per line. Blank lines are skipped. */
export function createNdjsonReader(): RowReader {
  let held: Buffer = Buffer.alloc(0);
  let line = 1;
  let skipping = false;

  return {
    push: function* (bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      yield takeLines();
    },
    end: function* () {
      const rows = takeLines();
      if (!skipping) rows.push(...readLine(held));
      yield rows;
    },
  };

  function takeLines(): RawRow[] {
    const rows: RawRow[] = [];
    for (let end = held.indexOf('\n'); end !== -1; end = held.indexOf('\n')) {
      if (!skipping) rows.push(...readLine(held.subarray(0, end)));
      skipping = false;
      held = held.subarray(end + 1);
      line += 1;
    }
    if (!skipping && held.length > maxRowBytes + 1) {
      rows.push(...readLine(held));
      skipping = true;
    }
    if (skipping) held = Buffer.alloc(0);
    return rows;
  }

  function readLine(bytes: Buffer): RawRow[] {
    const text = bytes.toString('utf8').trim();
    if (text === '') return [];
    if (bytes.length > maxRowBytes + 1)
      return [{ line, content: bytes.toString('utf8', 0, keptOfLongRow), problem: 'too_long' }];
    return [{ line, content: text, problem: isUtf8(bytes) ? null : 'invalid_utf8' }];
  }
}
