import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { writeBackup } from '#infra/backup/write-backup.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { openBuild } from '#infra/tools/golden/build-under-test.ts';
import type { Registered } from '#infra/tools/golden/capture.ts';
import { openCarriers } from '#infra/tools/golden/carrier-answers.ts';
import { findSequenceJob } from '#infra/tools/golden/find-sequence-job.ts';
import { stopTheClock } from '#infra/tools/golden/fixed-clock.ts';
import { newDatabase } from '#infra/tools/golden/new-database.ts';
import { refreshDue, register } from '#infra/tools/golden/play.ts';
import { settle } from '#infra/tools/golden/settle.ts';
import { endingVoyages, type Voyage } from '#infra/tools/golden/voyages.ts';
import { expireRecords } from '#shared/core/installation/expire-records.ts';
import { foldCounts } from '#shared/core/lists/count-shipments.ts';
import { readTableSizes, type TableSize } from '../measure/table-sizes.ts';
import { type WalPass, walPerRefresh } from './wal-per-refresh.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const voyageDays = 40;
const answers = 16;
const daysBetween = 2.7;
const settledAfterDays = 32;

export type Weights = {
  tables: TableSize[];
  /** Bytes a shipment, without what an empty database takes. */
  bytes: number;
  backupBytes: number;
};

/**
 * Shipments of one mode that the simulator takes through whole voyages, each with answers of its own, in a database of
 * their own under a stopped clock. Sizes and WAL don't depend on the load of the machine. Autovacuum is off and pages
 * are never written whole to the log, because how often that happens depends on checkpoints.
 */
export async function openFinishedVoyages(mode: Voyage['mode'], count: number) {
  const clock = stopTheClock(Date.parse('2026-01-05T08:00:00Z'));
  const dataDir = mkdtempSync(join(tmpdir(), 'landfall-storage-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, durable: false });
  const database = await newDatabase(postgres.databaseUrl, 'storage', clock.prepare);
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('alter system set autovacuum = off');
  await client.query('select pg_reload_conf()');
  const build = await openBuild(database.serviceUrl, null);
  const carrierTime = { ms: clock.now() };
  const carriers = openCarriers(() => carrierTime.ms, { voyageDays, edited: false });
  const registered: Registered[] = [];
  const byUuid = new Map<string, Registered>();
  const empty = await packedSizes();
  const emptyBackup = await backUp();

  async function packedSizes(): Promise<TableSize[]> {
    await client.query('vacuum (full, analyze)');
    return readTableSizes(client);
  }

  async function backUp(): Promise<number> {
    const file = join(dataDir, 'storage.backup');
    await writeBackup(createWriteStream(file), { databaseUrl: database.ownerUrl, credentialKeys: null });
    const { size } = statSync(file);
    rmSync(file);
    return size;
  }

  async function walBytes(): Promise<number> {
    const { rows } = await client.query<{ bytes: number }>(
      `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes`,
    );
    return rows[0]?.bytes ?? 0;
  }

  async function tidy(): Promise<void> {
    for (const job of [foldCounts, await findSequenceJob()]) while (((await job(build.core)) ?? 0) > 0);
  }

  async function measuredPass(step: number): Promise<WalPass> {
    const before = await walBytes();
    const { all, changed } = await refreshDue(build, carriers, byUuid, { step });
    return { bytes: (await walBytes()) - before, changed, unchanged: all - changed };
  }

  const weigh = async (): Promise<Weights> => {
    const tables = (await packedSizes()).map((size) => less(size, empty));
    const bytes = tables.reduce((sum, { heapBytes, indexBytes }) => {
      return sum + heapBytes + Object.values(indexBytes).reduce((all, one) => all + one, 0);
    }, 0);
    return { tables, bytes: bytes / count, backupBytes: ((await backUp()) - emptyBackup) / count };
  };

  return {
    build,
    registered,
    now: clock.now,
    weigh,
    /** Registers the shipments and takes them through their voyages; returns the WAL of refreshes, in bytes. */
    play: async () => {
      for (const one of await register(build, endingVoyages(mode, count), clock.now())) {
        registered.push(one);
        byUuid.set(one.uuid, one);
      }
      const passes: WalPass[] = [];
      for (let step = 0; step <= answers; step++) {
        await clock.set(clock.now() + (step === 0 ? hourMs : (daysBetween - 1) * dayMs));
        carrierTime.ms = clock.now();
        passes.push(await measuredPass(step));
        await tidy();
        // A day later the carrier still says the same.
        await clock.set(clock.now() + dayMs);
        passes.push(await measuredPass(step));
        await tidy();
      }
      const changed = passes.reduce((sum, pass) => sum + pass.changed, 0) / count;
      return { ...walPerRefresh(passes), changedRefreshes: changed };
    },
    /** Changes expire and the build packs what it packs; false: this build packs nothing. */
    settle: async (): Promise<boolean> => {
      await clock.set(clock.now() + settledAfterDays * dayMs);
      await expireRecords(build.core);
      return (await settle(build.core)) !== null;
    },
    close: async () => {
      await carriers.close();
      await build.close();
      await client.end();
      await clock.close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type FinishedVoyages = Awaited<ReturnType<typeof openFinishedVoyages>>;

/** The growth of a table since the database was empty. */
function less(size: TableSize, empty: readonly TableSize[]): TableSize {
  const before = empty.find(({ table }) => table === size.table);
  const indexes = Object.entries(size.indexBytes).map(([name, bytes]) => [
    name,
    Math.max(0, bytes - (before?.indexBytes[name] ?? 0)),
  ]);
  return {
    ...size,
    rows: size.rows - (before?.rows ?? 0),
    heapBytes: size.heapBytes - (before?.heapBytes ?? 0),
    toastBytes: size.toastBytes - (before?.toastBytes ?? 0),
    indexBytes: Object.fromEntries(indexes) as Record<string, number>,
  };
}
