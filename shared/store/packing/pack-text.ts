import { readFileSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type DictionaryName, dictionaries } from './dictionaries.ts';

const usualLevel = 3;
const numberBytes = 2;
/** Larger than any text that is packed. A damaged or forged frame must not take the process's memory. */
const maxTextBytes = 1 << 28;
const minChunkBytes = 4096;
const maxChunkBytes = 65_536;
/** Usual maximum ratio of a text's size to its packed size. */
const usualRatio = 20;

const loaded = new Map<number, Buffer>();

/** The number that `packText` takes for this kind of text. */
export function dictionaryOf(name: DictionaryName): number {
  const found = dictionaries.findLast((dictionary) => dictionary.name === name);
  if (found === undefined) throw new Error(`there is no dictionary for ${name}`);
  return found.number;
}

/**
 * Compresses a text: the number of its dictionary in 2 bytes, big-endian, and a zstd frame (level 3 unless given).
 * Number 0 stands for no dictionary.
 */
export function packText(text: string, dictionary: number, level = usualLevel): Buffer {
  const number = Buffer.alloc(numberBytes);
  number.writeUInt16BE(dictionary);
  const bytes = Buffer.from(text);
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_dictIDFlag]: 0 };
  // With its size, zstd sets up tables for no more than this text: a quarter of the time of a small one.
  const sized = { params, pledgedSrcSize: bytes.length };
  return Buffer.concat([number, zstdCompressSync(bytes, { ...sized, ...withDictionary(dictionary) })]);
}

/** The text that `packText` packed. Throws when this release has no dictionary with the value's number. */
export function unpackText(packed: Uint8Array): string {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  if (bytes.length <= numberBytes) throw new Error(`a packed text has ${bytes.length} bytes, which is too short`);
  // One chunk for most texts: putting several together takes half of the time of a text of 40 kB.
  const chunkSize = Math.min(maxChunkBytes, Math.max(minChunkBytes, bytes.length * usualRatio));
  const options = { ...withDictionary(bytes.readUInt16BE()), maxOutputLength: maxTextBytes, chunkSize };
  return zstdDecompressSync(bytes.subarray(numberBytes), options).toString();
}

function withDictionary(number: number): { dictionary?: Buffer } {
  return number === 0 ? {} : { dictionary: loaded.get(number) ?? load(number) };
}

function load(number: number): Buffer {
  const row = dictionaries.find((dictionary) => dictionary.number === number);
  if (row === undefined) {
    throw new Error(
      `a packed text needs dictionary ${number}, which this release doesn't have. ` +
        'It was packed by a newer release: run that release, or a later one',
    );
  }
  const bytes = readFileSync(new URL(`./dictionaries/${number}-${row.name}.zdict`, import.meta.url));
  loaded.set(number, bytes);
  return bytes;
}
