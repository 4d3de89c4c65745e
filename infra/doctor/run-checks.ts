import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '#shared/config/env.ts';
import { clusterFolder } from '../embedded/cluster-folder.ts';
import { serviceUrlOf } from '../embedded/service-url.ts';
import { lockHolder } from '../embedded/single-run-lock.ts';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start-embedded.ts';
import { checkConfiguration, checkCredentialKeys, checkNode } from './check-configuration.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk, checkPort, portQuestions } from './check-machine.ts';
import { checkCarriers, checkOtlp } from './check-reachable.ts';
import { checkRedis } from './check-redis.ts';
import { checkTimeZones } from './check-time-zones.ts';
import { checkWork } from './check-work.ts';
import { type Finding, fail, fine, reasonOf } from './finding.ts';

export type DoctorOptions = {
  /** The process environment. */
  source: Record<string, string | undefined>;
  nodeVersion: string;
  /** The release of the time zone database in Node.js. */
  zoneRelease: string;
  /** Connect to the carriers' hosts. */
  reach: boolean;
  /** The data folder of `npm start`. Throws when no writable folder exists. */
  dataFolderOf: (env: Env) => string;
  postgresFolderOf: (dataFolder: string) => string;
};

/**
 * Checks the requirements for a start and the health of a running installation, without changing anything. A stopped
 * embedded database is started temporarily.
 */
export async function runChecks(options: DoctorOptions): Promise<Finding[]> {
  const { source, nodeVersion, zoneRelease, reach } = options;
  const { env, findings } = checkConfiguration(source);
  const first = [checkNode(nodeVersion), ...findings];
  if (env === null) return first;
  const [database, redis, ports, carriers, otlp] = await Promise.all([
    env.DATABASE_URL === null ? checkOwnDatabase(env, options) : checkGivenDatabase(env.DATABASE_URL, env),
    env.REDIS_URL === null ? [fine('queue', 'in PostgreSQL')] : checkRedis(env.REDIS_URL),
    Promise.all(portQuestions(env, source).map((question) => checkPort(env[question.name], question))),
    checkCarriers(env, { reach }),
    checkOtlp(source),
  ]);
  return [...first, checkTimeZones(zoneRelease, Date.now()), ...database, ...redis, ...ports, ...carriers, ...otlp];
}

async function checkGivenDatabase(databaseUrl: string, env: Env): Promise<Finding[]> {
  return [
    ...(await checkOne({ url: databaseUrl, databaseUrl }, env, { running: true })),
    checkCredentialKeys(env, null),
  ];
}

async function checkOwnDatabase(env: Env, { dataFolderOf, postgresFolderOf }: DoctorOptions): Promise<Finding[]> {
  let dataFolder: string;
  try {
    dataFolder = dataFolderOf(env);
  } catch (error) {
    return [
      fail(
        'data folder',
        reasonOf(error),
        'Make it writable (chmod u+rwx), or set LANDFALL_DATA_DIR to another folder.',
      ),
    ];
  }
  const dataDir = postgresFolderOf(dataFolder);
  const { home, cluster } = clusterFolder(dataDir);
  const files = [await checkDisk(existsSync(home) ? home : dataFolder), checkCredentialKeys(env, dataFolder)];
  if (!existsSync(join(cluster, 'PG_VERSION')))
    return [fine('data folder', `${dataFolder}, empty until npm start creates the database`), ...files];
  const holder = lockHolder(join(dataFolder, 'running'));
  const found = fine(
    'data folder',
    `${dataFolder}, ${holder === null ? 'not in use' : `in use by process ${holder.pid}`}`,
  );
  const running = await findEmbeddedPostgres(dataDir);
  if (running !== null)
    return [found, ...files, ...(await checkOne(ownAddresses(running), env, { running: holder !== null }))];
  try {
    const started = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    try {
      return [found, ...files, ...(await checkOne(ownAddresses(started.databaseUrl), env, { running: false }))];
    } finally {
      await started.stop();
    }
  } catch (error) {
    return [
      found,
      ...files,
      fail(
        'database',
        `PostgreSQL failed to start: ${reasonOf(error)}`,
        `Its last log lines are in ${clusterFolder(dataDir).logFile}.`,
      ),
    ];
  }
}

/** `url`: of a user that can read the migrations. `databaseUrl`: of the API and the workers. */
type Addresses = { url: string; databaseUrl: string };

function ownAddresses(ownerUrl: string): Addresses {
  return { url: ownerUrl, databaseUrl: serviceUrlOf(ownerUrl) };
}

async function checkOne(
  { url, databaseUrl }: Addresses,
  env: Env,
  { running }: { running: boolean },
): Promise<Finding[]> {
  const { facts, findings } = await checkDatabase(url, env);
  const isCurrent = findings.every(({ check, level }) => check !== 'migrations' || level === 'ok');
  return facts === null || !isCurrent
    ? findings
    : [
        ...findings,
        ...(await checkWork(
          {
            databaseUrl,
            redisUrl: env.REDIS_URL,
            settleAfterDays: env.SETTLE_AFTER_DAYS,
            positionsUrl: env.POSITIONS_URL,
            hasMail: env.SMTP_URL !== null,
          },
          { running },
        )),
      ];
}
