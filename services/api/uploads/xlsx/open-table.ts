import { LandfallError } from '#shared/domain/errors.ts';
import type { ImportFile, RawRow } from '#shared/domain/registration/import.ts';
import { maxSharedBytes, maxWorkbookBytes } from '../limits.ts';
import type { Upload, UploadRequest } from '../upload.ts';

export type TableRequest = Pick<
  UploadRequest,
  'headerLine' | 'sheet' | 'length' | 'holdMemory' | 'freeMemory' | 'readTable'
> & {
  compression: ImportFile['compression'];
};

/**
 * A file is held twice: in the blocks that arrive, and as a whole. For its texts, four times its size is taken in advance;
 * more is taken as it is found.
 */
const heldPerByte = 6;
const blockBytes = 1024 ** 2;
const maxArrivalMs = 60_000;
/** After it, a client that dawdles holds memory only for what has arrived. */
const advanceMs = 10_000;
const maxHeldBytes = 2 * maxWorkbookBytes + maxSharedBytes;

/** The table of a workbook, read by `request.readTable`. */
export async function openTable(source: AsyncGenerator<Buffer>, request: TableRequest): Promise<Upload> {
  const { hold, giveBack } = reserved(request);
  const { headerLine, sheet: named } = request;
  const dawdling = setTimeout(() => giveBack(0), advanceMs);
  const bytes = await readWorkbook(source, hold).finally(() => clearTimeout(dawdling));
  const parts = request.readTable({ bytes, headerLine, sheet: named }, hold);
  const { value: first } = await parts.next();
  // Its texts have been read, and the blocks are gone. Its rows may take minutes to store.
  giveBack(bytes.length);
  if (first?.kind !== 'header') throw new Error('a table without a header');
  const { header, sheet } = first;
  const file = { encoding: null, compression: request.compression, headerLine: header.line, sheet };
  async function* rows(): AsyncGenerator<RawRow[]> {
    for await (const part of parts) if (part.kind === 'rows') yield part.rows;
  }
  return { format: 'xlsx', delimiter: null, names: header.names, file: () => file, rows: rows() };
}

/**
 * Takes what a file of this length may need before it is read. Otherwise many that are read at once would take the
 * memory in small steps, and none of them would get enough.
 */
function reserved({ length, holdMemory, freeMemory }: TableRequest) {
  let free = Math.min((length ?? 0) * heldPerByte, maxHeldBytes);
  holdMemory(free);
  return {
    hold: (bytes: number): void => {
      if (bytes > free) holdMemory(bytes - free);
      free = Math.max(0, free - bytes);
    },
    /** The advance that was not needed, and these bytes. */
    giveBack: (bytes: number): void => {
      freeMemory(free + bytes);
      free = 0;
    },
  };
}

async function readWorkbook(source: AsyncGenerator<Buffer>, holdMemory: (bytes: number) => void): Promise<Uint8Array> {
  const blocks: Buffer[] = [];
  let length = 0;
  const startedAt = performance.now();
  for await (const bytes of source) {
    // It holds memory that other files need.
    if (performance.now() - startedAt > maxArrivalMs) {
      const detail = `The workbook did not arrive within ${maxArrivalMs / 1000} s. Save the sheet as CSV, which may take longer.`;
      throw new LandfallError('request_timeout', detail);
    }
    // Twice: the blocks, and then the whole.
    holdMemory(2 * bytes.length);
    append(blocks, bytes, length);
    length += bytes.length;
    if (length <= maxWorkbookBytes) continue;
    const detail = `A workbook may have at most ${maxWorkbookBytes / 1024 ** 2} MiB. Save the sheet as CSV, which has no limit.`;
    throw new LandfallError('validation_failed', detail);
  }
  // A parsing thread reads them where they are.
  const whole = new Uint8Array(new SharedArrayBuffer(length));
  let end = 0;
  for (const block of blocks) {
    whole.set(block.subarray(0, length - end), end);
    end += block.length;
  }
  return whole;
}

/** Pieces of 64 KiB that live long would keep the memory around them from going back to the system. */
function append(blocks: Buffer[], bytes: Buffer, length: number): void {
  let copied = 0;
  while (copied < bytes.length) {
    const used = (length + copied) % blockBytes;
    if (used === 0) blocks.push(Buffer.allocUnsafeSlow(blockBytes));
    copied += bytes.copy(blocks.at(-1) as Buffer, used, copied);
  }
}
