import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { KeptTable } from '#shared/store/backup/list-tables.ts';
import { type BackupEnd, type BackupHeader, BackupUnreadable, backupFormat, backupVersion } from './backup-file.ts';

/** The parts of a backup. They must be read in this order. */
export type OpenBackup = {
  header: BackupHeader;
  /**
   * Passes each table's rows to `load`, which returns their number; it must match the number in the file. Resolves at
   * the end of the file.
   */
  readTables: (load: (table: KeptTable, chunks: AsyncIterable<Uint8Array>) => Promise<number>) => Promise<BackupEnd>;
};

/** Longer than any line of a backup. A file without a line break by then is something else. */
const maxLineBytes = 16 * 1024 * 1024;

/** Reads the header of a backup. An invalid file throws `BackupUnreadable`, here or while reading the tables. */
export async function openBackup(input: Readable): Promise<OpenBackup> {
  const reader = openReader(input);
  const header = await reader.line();
  if (header.format !== backupFormat || !Array.isArray(header.migrations) || !Array.isArray(header.tables))
    throw new BackupUnreadable('it is not a Landfall backup');
  if (Number(header.version) < backupVersion)
    throw new BackupUnreadable("an older build of Landfall wrote it, and this build can't restore it");
  if (header.version !== backupVersion)
    throw new BackupUnreadable(`format ${String(header.version)} is unknown; it was created by a newer Landfall`);
  const known = header as unknown as BackupHeader;
  return { header: known, readTables: (load) => readTables(reader, known, load) };
}

async function readTables(
  reader: Reader,
  header: BackupHeader,
  load: (table: KeptTable, chunks: AsyncIterable<Uint8Array>) => Promise<number>,
): Promise<BackupEnd> {
  let rows = 0;
  for (const table of header.tables) {
    const heading = await reader.line();
    if (heading.table !== table.name) throw new BackupUnreadable(`the table ${table.name} is out of order`);
    let stated = Number.NaN;
    const chunks = readBlocks(reader, (count) => {
      stated = count;
    });
    const loaded = await load(table, chunks);
    if (loaded !== stated) throw new BackupUnreadable(`${table.name} has ${loaded} rows instead of ${stated}`);
    rows += loaded;
  }
  const end = (await reader.line()).end as BackupEnd | undefined;
  if (end === undefined || end.rows !== rows || end.tables !== header.tables.length)
    throw new BackupUnreadable("its end doesn't match its tables");
  await reader.expectEnd();
  return end;
}

async function* readBlocks(reader: Reader, onRows: (count: number) => void): AsyncGenerator<Uint8Array> {
  for (;;) {
    const part = await reader.line();
    if (typeof part.rows === 'number') {
      onRows(part.rows);
      return;
    }
    if (typeof part.bytes !== 'number') throw new BackupUnreadable('part of a table is missing');
    yield* reader.bytes(part.bytes);
  }
}

type Reader = {
  line: () => Promise<Record<string, unknown>>;
  bytes: (count: number) => AsyncGenerator<Uint8Array>;
  expectEnd: () => Promise<void>;
};

function openReader(input: Readable): Reader {
  const gunzip = createGunzip();
  input.once('error', (error) => gunzip.destroy(error));
  const chunks = input.pipe(gunzip)[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** The next bytes, or null at the end of a complete gzip file. */
  const more = async (): Promise<Buffer | null> => {
    const { value, done } = await chunks.next().catch((error: unknown) => {
      throw new BackupUnreadable(
        `it is truncated or corrupted (${error instanceof Error ? error.message : String(error)})`,
        error,
      );
    });
    return done ? null : (value as Buffer);
  };
  return {
    line: async () => {
      let end = rest.indexOf(10);
      while (end === -1) {
        const chunk = rest.length > maxLineBytes ? null : await more();
        if (chunk === null) throw new BackupUnreadable('it ends too early');
        rest = Buffer.concat([rest, chunk]);
        end = rest.indexOf(10);
      }
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      return parseLine(line.toString());
    },
    bytes: async function* (count) {
      for (let left = count; left > 0; ) {
        const chunk: Buffer | null = rest.length > 0 ? rest : await more();
        if (chunk === null) throw new BackupUnreadable('it ends too early');
        rest = chunk.subarray(left);
        const taken = chunk.subarray(0, left);
        left -= taken.length;
        yield taken;
      }
    },
    expectEnd: async () => {
      if (rest.length > 0 || (await more()) !== null) throw new BackupUnreadable('it continues after its end');
    },
  };
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const part: unknown = JSON.parse(line);
    if (typeof part === 'object' && part !== null && !Array.isArray(part)) return part as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new BackupUnreadable('one of its lines is invalid');
}
