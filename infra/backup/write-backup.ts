import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { withSnapshot } from '#shared/store/backup/with-snapshot.ts';
import { type BackupEnd, type BackupHeader, backupFormat, backupVersion } from './backup-file.ts';

export type BackupOptions = {
  databaseUrl: string;
  /** The credential keys as in their variable or file, to include them in the backup. */
  credentialKeys: string | null;
};

/** Postgres sends rows one by one. A block of many rows has one heading. */
const blockBytes = 256 * 1024;

/** Writes a backup of the current state of the database, and ends `output`. */
export async function writeBackup(output: Writable, options: BackupOptions): Promise<{ tables: number; rows: number }> {
  const gzip = createGzip();
  const written = Promise.all([finished(gzip), finished(output)]);
  written.catch(() => {});
  gzip.on('error', (error) => output.destroy(error));
  output.once('error', (error) => gzip.destroy(error));
  gzip.pipe(output);
  const write = async (chunk: string | Uint8Array): Promise<void> => {
    if (gzip.write(chunk)) return;
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    gzip.once('drain', resolve);
    await Promise.race([drained, written]);
  };
  const writeLine = (part: unknown) => write(`${JSON.stringify(part)}\n`);
  try {
    const end = await withSnapshot(options.databaseUrl, async (snapshot): Promise<BackupEnd> => {
      const { takenAt, serverVersion, migrations, tables } = snapshot;
      await writeLine({
        format: backupFormat,
        version: backupVersion,
        takenAt: takenAt.toISOString(),
        serverVersion,
        migrations,
        tables,
        credentialKeys: options.credentialKeys,
      } satisfies BackupHeader);
      let rows = 0;
      for (const table of tables) {
        await writeLine({ table: table.name });
        const block = bufferBlocks(async (bytes) => {
          await writeLine({ bytes: bytes.length });
          await write(bytes);
        });
        const count = await snapshot.readTable(table, block.add);
        await block.flush();
        await writeLine({ rows: count });
        rows += count;
      }
      return { tables: tables.length, rows, sequences: await snapshot.readSequences() };
    });
    await writeLine({ end });
    gzip.end();
    await written;
    return end;
  } catch (error) {
    gzip.destroy();
    output.destroy();
    throw error;
  }
}

function bufferBlocks(onBlock: (bytes: Buffer) => Promise<void>) {
  let chunks: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (size === 0) return;
    const bytes = Buffer.concat(chunks);
    chunks = [];
    size = 0;
    await onBlock(bytes);
  };
  const add = async (chunk: Uint8Array): Promise<void> => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= blockBytes) await flush();
  };
  return { add, flush };
}
