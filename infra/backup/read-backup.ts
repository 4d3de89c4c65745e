import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { KeptTable } from '#shared/store/backup/list-tables.ts';
import { type BackupEnd, type BackupHeader, BackupUnreadable, backupFormat, backupVersion } from './backup-file.ts';

/** The parts of a backup, to be read in this order. */
export type OpenBackup = {
  header: BackupHeader;
  /** Gives each table's rows to `load`, which says how many they were; the file must say the same. Resolves with the end of the file. */
  readTables: (load: (table: KeptTable, chunks: AsyncIterable<Uint8Array>) => Promise<number>) => Promise<BackupEnd>;
};

/** Longer than any line of a backup; what has none is something else. */
const longestLine = 16 * 1024 * 1024;

/** Reads the header of a backup. Whatever is wrong with the file, here or later, throws `BackupUnreadable`. */
export async function openBackup(input: Readable): Promise<OpenBackup> {
  const reader = openReader(input);
  const header = await reader.line();
  if (header.format !== backupFormat || !Array.isArray(header.migrations) || !Array.isArray(header.tables))
    throw new BackupUnreadable('it is no backup of Landfall');
  if (header.version !== backupVersion)
    throw new BackupUnreadable(`its form ${String(header.version)} is unknown here; a newer Landfall made it`);
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
    if (heading.table !== table.name) throw new BackupUnreadable(`the table ${table.name} is not where it should be`);
    let stated = Number.NaN;
    const chunks = readBlocks(reader, (count) => {
      stated = count;
    });
    const loaded = await load(table, chunks);
    if (loaded !== stated) throw new BackupUnreadable(`${table.name} has ${loaded} rows, and should have ${stated}`);
    rows += loaded;
  }
  const end = (await reader.line()).end as BackupEnd | undefined;
  if (end === undefined || end.rows !== rows || end.tables !== header.tables.length)
    throw new BackupUnreadable('its end does not fit its tables');
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
    if (typeof part.bytes !== 'number') throw new BackupUnreadable('a part of a table is missing');
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
  /** The next bytes, or null at the end of a file that gzip finds whole. */
  const more = async (): Promise<Buffer | null> => {
    const { value, done } = await chunks.next().catch((error: unknown) => {
      throw new BackupUnreadable(
        `it is cut off or damaged (${error instanceof Error ? error.message : String(error)})`,
        error,
      );
    });
    return done ? null : (value as Buffer);
  };
  return {
    line: async () => {
      let end = rest.indexOf(10);
      while (end === -1) {
        const chunk = rest.length > longestLine ? null : await more();
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
      if (rest.length > 0 || (await more()) !== null) throw new BackupUnreadable('it goes on after its end');
    },
  };
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const part: unknown = JSON.parse(line);
    if (typeof part === 'object' && part !== null && !Array.isArray(part)) return part as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new BackupUnreadable('a line of it cannot be read');
}
