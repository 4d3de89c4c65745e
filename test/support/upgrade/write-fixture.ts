/**
 * Writes the backup of this build's schema that later builds restore and migrate in test/infra/upgrade-fixtures.pg.test.ts:
 * `node test/support/upgrade/write-fixture.ts`, before the next migration is added. It restores the newest backup in
 * test/fixtures/upgrade with this build's commands, or begins with a new installation if there is none, adds rows
 * through its API, lets its worker work on them, and keeps what the API answered beside the new backup.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { startEmbeddedPostgres } from '#infra/embedded/start-embedded.ts';
import { ensureCredentialKeysFile } from '#infra/installation/credential-keys-file.ts';
import { runScript, startService } from '#test/support/processes.ts';
import { answerWith, openReceiver } from '#test/support/webhooks/receiver.ts';
import { addRows } from './add-rows.ts';
import { addStoredRows } from './add-stored-rows.ts';
import { claimInstallation } from './claim-installation.ts';
import { readFacts } from './read-facts.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const fixtures = join(project, 'test/fixtures/upgrade');
const schema = basename(
  globSync('*.sql', { cwd: join(project, 'infra/migrations') })
    .toSorted()
    .at(-1) ?? '',
).slice(0, 4);
const former = globSync('*.backup', { cwd: fixtures })
  .filter((file) => file < schema)
  .toSorted()
  .at(-1);
const written = join(fixtures, `${schema}.backup`);

const folder = mkdtempSync(join(tmpdir(), 'landfall-upgrade-fixture-'));
chmodSync(folder, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: console.error, durable: false });
const receiver = await openReceiver();
receiver.answer('failing', answerWith(500));
const keysFile = former === undefined ? ensureCredentialKeysFile(folder) : join(folder, 'credential-keys');
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATABASE_URL: serviceUrlOf(postgres.databaseUrl),
  MIGRATION_DATABASE_URL: postgres.databaseUrl,
  CREDENTIAL_KEYS_FILE: keysFile,
};
try {
  if (former === undefined) await runScript('migrate', [], env);
  else await runScript('restore', [join(fixtures, former), '--credential-keys-to', keysFile], env);
  await postponeRefreshes();
  const settings: Record<string, string> = {
    DATABASE_URL: env.DATABASE_URL,
    CREDENTIAL_KEYS_FILE: keysFile,
    SIMULATOR: 'off',
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SETTLE_AFTER_DAYS: '1',
    // No shipment is of this carrier, so that nothing asks it.
    CARRIER_EVERGREEN_BASE_URL: 'https://carrier.example.test',
    CARRIER_EVERGREEN_CLIENT_ID: 'id',
    CARRIER_EVERGREEN_CLIENT_SECRET: 'secret',
  };
  const api = await startService('api', { ...settings, PORT: '0' });
  const worker = await startService('worker', { ...settings, WORKER_HEALTH_PORT: '0' });
  const facts =
    former === undefined
      ? await claimInstallation(api, (await runScript('keys', ['claim'], env)).stdout)
      : JSON.parse(readFileSync(join(fixtures, former.replace('.backup', '.json')), 'utf8'));
  const added = await addRows(api, { facts, receiver });
  await worker.stop();
  await addStoredRows({ databaseUrl: env.DATABASE_URL, keysFile }, added);
  // From here on, nothing changes.
  const read = await readFacts(api, { facts, added });
  await api.stop();
  mkdirSync(fixtures, { recursive: true });
  rmSync(written, { force: true });
  const backup = await runScript('backup', [written, '--with-credential-keys'], env);
  const writtenBy = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: project, encoding: 'utf8' }).trim();
  const file = written.replace('.backup', '.json');
  writeFileSync(file, JSON.stringify({ ...facts, writtenBy, ...read }, null, 2));
  execFileSync('node_modules/.bin/biome', ['format', '--write', file], { cwd: project });
  console.log(backup.stderr);
} finally {
  receiver.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A worker must not ask carriers about what the former builds registered: they know nothing of it. */
async function postponeRefreshes(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.databaseUrl });
  await client.connect();
  await client.query(
    `update landfall.polling set next_refresh_at = now() + interval '30 days' where next_refresh_at is not null`,
  );
  await client.end();
}
