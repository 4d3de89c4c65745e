import { maxRowBytes } from '#shared/contract/imports/import-row-body.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxSharedBytes, maxSharedTexts } from '../limits.ts';

/** The texts that cells of a workbook refer to by their number. */
export type SharedTexts = {
  add: (text: string) => void;
  /** Empty for a number that has no text. */
  at: (index: number) => string;
};

const blockBytes = 1024 * 1024;
const firstCount = 1024;
/** No byte of UTF-8. */
const endByte = 0xff;
/** A row that is longer is refused anyway. */
const maxChars = maxRowBytes + 1;

/**
 * Holds texts as UTF-8, outside of the heap: each takes five bytes beside its characters. A string of JavaScript takes
 * more, and may keep the part of the file alive that it was cut from. `holdMemory` takes memory before it is used.
 */
export function openSharedTexts(holdMemory: (bytes: number) => void): SharedTexts {
  const blocks: Buffer[] = [];
  let used = blockBytes;
  /** Counted over all blocks as if they were full. */
  let starts = new Uint32Array(0);
  let count = 0;
  let held = 0;

  const hold = (bytes: number): void => {
    held += bytes;
    if (held > maxSharedBytes) throw tooMuch(`${maxSharedBytes / 1024 ** 2} MiB of text`);
    holdMemory(bytes);
  };

  return {
    add: (text) => {
      if (count === maxSharedTexts) throw tooMuch(`${maxSharedTexts.toLocaleString('en')} texts`);
      const kept = text.slice(0, maxChars);
      const length = Buffer.byteLength(kept) + 1;
      if (used + length > blockBytes) {
        hold(blockBytes);
        blocks.push(Buffer.allocUnsafeSlow(blockBytes));
        used = 0;
      }
      if (count === starts.length) {
        const longer = new Uint32Array(Math.max(firstCount, 2 * count));
        hold(longer.byteLength - starts.byteLength);
        longer.set(starts);
        starts = longer;
      }
      const block = blocks.at(-1);
      block?.write(kept, used);
      block?.writeUInt8(endByte, used + length - 1);
      starts[count] = (blocks.length - 1) * blockBytes + used;
      used += length;
      count += 1;
    },
    at: (index) => {
      const start = Number.isInteger(index) && index < count ? starts[index] : undefined;
      if (start === undefined) return '';
      const block = blocks[Math.floor(start / blockBytes)];
      const offset = start % blockBytes;
      return block?.toString('utf8', offset, block.indexOf(endByte, offset)) ?? '';
    },
  };
}

function tooMuch(what: string): LandfallError {
  return new LandfallError('validation_failed', `The workbook has more than ${what}. Save the sheet as CSV.`);
}
