import { chownSync, copyFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { postgresFolder } from '#infra/data-folder.ts';
import { clusterFolder } from '#infra/embedded/cluster-folder.ts';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { runDatabase } from '#infra/installation/run-database.ts';
import { prepareDatabase } from '#infra/prepare-database.ts';
import { openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { type Authority, type CertificateFiles, openAuthority, type Validity } from './certificates.ts';
import { onDatabase } from './on-database.ts';
import { postmasterPid } from './postmaster-pid.ts';
import { openRedisServer, type RedisServer } from './redis-server.ts';
import type { World, WorldSettings } from './world.ts';

export type FleetStores = Pick<World, 'databaseUrl' | 'redis' | 'stores' | 'certificates'> & {
  /** The login of the services, without a proxy or TLS. */
  serviceUrl: string;
  /** Settings with which services reach the stores. */
  env: Record<string, string>;
  close: () => Promise<void>;
};

/** PostgreSQL with its files in `folder` and, with that backend, Redis: directly, through proxies or over TLS. */
export async function openFleetStores(
  { backend, needsProxies = false, needsTls = false }: Omit<WorldSettings, 'voyageS'>,
  folder: string,
): Promise<FleetStores> {
  const authority = needsTls ? openAuthority() : null;
  const redis = backend === 'Redis' ? await openRedisServer(authority?.issue('valid')) : null;
  const database = await runDatabase(folder, () => {});
  const { databaseUrl } = database;
  const serviceUrl = serviceUrlOf(databaseUrl);
  await prepareDatabase({ ownerUrl: databaseUrl, databaseUrl: serviceUrl });
  const certificates = authority && {
    ...authority,
    install: (store: 'postgres' | 'redis', validity: Validity) =>
      store === 'redis'
        ? installInRedis(redis, authority.issue(validity))
        : installInPostgres({ databaseUrl }, folder, authority.issue(validity)),
  };
  await certificates?.install('postgres', 'valid');
  const stores = needsProxies
    ? {
        postgres: await openFaultProxy(serviceUrl),
        redis: redis && (await openFaultProxy(redis.url)),
        killPostgres: async () => {
          // Without it, the server would be started again.
          const stopping = database.stop();
          for (const pid of postmasterPid(postgresFolder(folder))) process.kill(pid, 'SIGKILL');
          await stopping;
        },
      }
    : null;
  const redisUrl = stores?.redis?.url ?? redis?.url;
  return {
    databaseUrl,
    redis,
    stores,
    certificates,
    serviceUrl,
    env: {
      DATABASE_URL: stores?.postgres.url ?? (authority === null ? serviceUrl : overTls(serviceUrl, authority)),
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      ...(authority && { NODE_EXTRA_CA_CERTS: authority.caFile }),
    },
    close: async () => {
      await stores?.redis?.close();
      await stores?.postgres.close();
      await redis?.close();
      await database.stop();
      authority?.close();
    },
  };
}

function overTls(serviceUrl: string, { caFile }: Authority): string {
  return `${serviceUrl}?sslmode=verify-full&sslrootcert=${encodeURIComponent(caFile)}`;
}

/** The server reads the files as its own user, and only if nobody else can read the key. */
async function installInPostgres(
  world: Pick<World, 'databaseUrl'>,
  folder: string,
  { certFile, keyFile }: CertificateFiles,
): Promise<void> {
  const { cluster } = clusterFolder(postgresFolder(folder));
  const { uid, gid } = statSync(cluster);
  for (const file of [certFile, keyFile]) {
    const copy = join(cluster, basename(file));
    copyFileSync(file, copy);
    chownSync(copy, uid, gid);
  }
  await onDatabase(world, async (client) => {
    await client.query(`alter system set ssl_cert_file = '${basename(certFile)}'`);
    await client.query(`alter system set ssl_key_file = '${basename(keyFile)}'`);
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
  });
}

async function installInRedis(redis: RedisServer | null, { certFile, keyFile }: CertificateFiles): Promise<void> {
  await redis?.command('config', 'set', 'tls-cert-file', certFile, 'tls-key-file', keyFile);
}
