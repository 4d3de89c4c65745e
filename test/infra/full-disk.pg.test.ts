import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { runChecks } from '#infra/doctor/run-checks.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { prepareDatabase } from '#infra/prepare-database.ts';
import { answerOperations } from '#services/api/operations/operations-answers.ts';
import { startTestApi } from '#test/support/api/api.ts';
import { until } from '#test/support/until.ts';

/** Only root may mount a file system of its own, and not in every container. */
const disk = mkdtempSync(join(tmpdir(), 'landfall-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'none', disk]).status === 0;

afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  rmdirSync(disk);
});

it.runIf(isMounted)(
  'answers storage_full while the disk is full, reports it everywhere, and recovers by itself',
  async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: join(disk, 'data'), log: () => {}, durable: false });
    const serviceUrl = serviceUrlOf(postgres.databaseUrl);
    await prepareDatabase({ ownerUrl: postgres.databaseUrl, databaseUrl: serviceUrl });
    const api = await startTestApi({ DATABASE_URL: serviceUrl });
    let number = 100_000_000;
    const register = async () => {
      number += 1;
      const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: `MAEU${number}` } };
      const answer = await api.post('/v1/shipments', body);
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
    };
    try {
      expect((await register()).status).toBe(201);
      expect((await api.request('/readyz')).status).toBe(200);

      await startNewLogFile(postgres.databaseUrl);
      fill(join(disk, 'fill'));
      // The first rows still fit into pages with free space.
      const refused = await until(register, ({ status }) => status !== 201);
      expect(refused).toMatchObject({ status: 503, retryAfter: '30', body: { code: 'storage_full' } });
      const ready = await api.request('/readyz');
      expect([ready.status, ((await ready.json()) as { code: string }).code]).toEqual([503, 'storage_full']);
      expect((await api.request('/v1/shipments')).status).toBe(200);
      expect(await answerOperations(api.ctx)).toMatchObject({ storage_full: true });
      const findings = await runChecks({
        source: { DATABASE_URL: serviceUrl, PORT: '0', OPERATIONS_PORT: '0', WORKER_HEALTH_PORT: '0' },
        nodeVersion: process.version,
        zoneRelease: process.versions.tz ?? 'unknown',
        reach: false,
        dataFolderOf: () => disk,
        postgresFolderOf: () => disk,
      });
      expect(findings).toContainEqual(
        expect.objectContaining({
          level: 'failure',
          check: 'operations',
          found: expect.stringContaining('disk is full'),
        }),
      );

      rmSync(join(disk, 'fill'));
      expect((await api.request('/readyz')).status).toBe(200);
      expect((await register()).status).toBe(201);
    } finally {
      await api.close();
      await postgres.stop();
    }
  },
);

/** PostgreSQL stops if the disk is too full for its log, so that needs some room. */
async function startNewLogFile(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('select pg_switch_wal()');
  await client.query('checkpoint');
  await client.end();
}

function fill(path: string): void {
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4096, 1);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
