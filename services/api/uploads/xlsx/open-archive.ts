import type { Readable } from 'node:stream';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { LandfallError } from '#shared/domain/errors.ts';
import { maxPackingRatio, maxUnpackedBytes, maxWorkbookParts } from '../limits.ts';

/** The files of a ZIP by name. `open` streams one; it throws if the file unpacks to more than the directory says. */
export type Archive = { names: readonly string[]; open: (name: string) => Promise<Readable | null>; close: () => void };

/** Small files may pack better than any limit without doing harm. */
const ratioFromBytes = 8 * 1024 * 1024;

/** Opens a ZIP held in memory. Throws LandfallError `validation_failed` for a damaged one and for a ZIP bomb. */
export async function openArchive(bytes: Buffer): Promise<Archive> {
  const zip = await opened(bytes);
  const entries = await listEntries(zip);
  return {
    names: [...entries.keys()],
    open: async (name) => {
      const entry = entries.get(name);
      return entry === undefined ? null : await openEntry(zip, entry);
    },
    close: () => zip.close(),
  };
}

function opened(bytes: Buffer): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
  fromBuffer(bytes, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) =>
    error ? reject(damaged(error)) : resolve(zip),
  );
  return promise;
}

function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const { promise, resolve, reject } = Promise.withResolvers<Map<string, Entry>>();
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  zip.on('error', (error: Error) => reject(damaged(error)));
  zip.on('end', () => resolve(entries));
  zip.on('entry', (entry: Entry) => {
    const { uncompressedSize: size, compressedSize } = entry;
    unpacked += size;
    const isBomb =
      unpacked > maxUnpackedBytes ||
      entries.size >= maxWorkbookParts ||
      (size > ratioFromBytes && size > compressedSize * maxPackingRatio);
    if (isBomb) return reject(tooLarge());
    entries.set(entry.fileName, entry);
    zip.readEntry();
  });
  zip.readEntry();
  return promise;
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  zip.openReadStream(entry, (error, stream) => (error ? reject(damaged(error)) : resolve(stream)));
  return promise;
}

function tooLarge(): LandfallError {
  return new LandfallError(
    'validation_failed',
    `The workbook unpacks to more than ${maxUnpackedBytes / 1024 ** 2} MiB, ${maxWorkbookParts} parts or ` +
      `${maxPackingRatio} times its size. Save the sheet as CSV.`,
  );
}

/** For whatever goes wrong while a workbook is read: its bytes are to blame. */
export function damaged(error: unknown): LandfallError {
  if (error instanceof LandfallError) return error;
  const reason = error instanceof Error ? error.message.split('\n', 1)[0]?.slice(0, 200) : 'unknown';
  return new LandfallError(
    'validation_failed',
    `The workbook is damaged (${reason}). Open it, save it again as .xlsx or CSV, and send that file.`,
    { cause: error },
  );
}
