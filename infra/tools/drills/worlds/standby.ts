import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { postgresFolder } from '#infra/data-folder.ts';
import { clusterFolder } from '#infra/embedded/cluster-folder.ts';
import { chooseIdentity, spawnAs } from '#infra/embedded/identity.ts';
import { findNativeBinaries } from '#infra/embedded/native-binaries.ts';
import { stopPostmaster } from '#infra/embedded/postmaster.ts';
import { until } from '#test/support/until.ts';
import { freePorts } from './fleet.ts';
import { onDatabase } from './on-database.ts';
import type { World } from './world.ts';

export type Standby = {
  /** Of its owner. */
  databaseUrl: string;
  /** Ends recovery: the server takes writes. */
  promote: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * A hot standby that receives every commit before its client is answered. `pg_basebackup` is not in the package of
 * PostgreSQL, so the files are copied between `pg_backup_start` and `pg_backup_stop`.
 */
export async function openStandby(world: Pick<World, 'databaseUrl' | 'folder'>): Promise<Standby> {
  const home = mkdtempSync(join(tmpdir(), 'landfall-drill-standby-'));
  const identity = chooseIdentity(home);
  const primary = clusterFolder(postgresFolder(world.folder));
  const cluster = join(home, 'cluster');
  const [port = 0] = await freePorts(1);
  spawnSync('chmod', ['711', home]);
  await onDatabase(world, async (client) => {
    await client.query(`select pg_backup_start('drill', true)`);
    const copied = spawnSync('cp', ['-a', primary.cluster, cluster], { encoding: 'utf8' });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    // Files that vanish while they are copied, such as temporary ones, are no loss.
    if (rows[0] === undefined) throw new Error(`no backup: ${copied.stderr}`);
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    writeFileSync(join(cluster, 'backup_label'), rows[0].labelfile);
  });
  const { username, password, port: primaryPort } = new URL(world.databaseUrl);
  const source = `host=127.0.0.1 port=${primaryPort} user=${username} password=${password} application_name=standby`;
  writeFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  writeFileSync(join(cluster, 'standby.signal'), '');
  spawnSync('chown', ['-R', '--reference', primary.cluster, cluster]);
  const native = findNativeBinaries(primary.home, identity);
  const log = openSync(join(home, 'log'), 'a');
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 200 };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawnAs(identity, native.postgres, ['-D', cluster, ...args], {
    cwd: '/',
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' },
  });
  closeSync(log);
  const standbyUrl = new URL(world.databaseUrl);
  standbyUrl.port = String(port);
  const databaseUrl = standbyUrl.href;
  const isStreaming = () =>
    onDatabase(world, async (client) => {
      const { rows } = await client.query(`select from pg_stat_replication where state = 'streaming'`);
      return rows.length > 0;
    });
  await until(isStreaming, (streams) => streams);
  await onDatabase(world, async (client) => {
    await client.query(`alter system set synchronous_standby_names = 'standby'`);
    await client.query('select pg_reload_conf()');
  });
  return {
    databaseUrl,
    promote: () => onDatabase({ databaseUrl }, async (client) => void (await client.query('select pg_promote()'))),
    close: async () => {
      if (server.pid !== undefined) await stopPostmaster(server.pid);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
