import type { Env } from '#shared/config/env.ts';
import { refreshQueues } from '#shared/domain/carriers/carrier-catalogue.ts';
import { type DatabaseFacts, inspectDatabase } from '#shared/store/inspect-database.ts';
import { isOfOlderBuild, migrationNames } from '../migrate.ts';
import { type Finding, fail, fine, reasonOf, sizeOf, warn } from './finding.ts';

const leastVersion = 180_000;
/** Of the clocks of this machine and the database, in milliseconds. */
const skewMs = { warn: 2000, fail: 60_000 };
/** Two days at a hundred spans a second from each of ten processes would be more. */
const muchTraceBytes = 20_000_000_000;

/** Null where nothing answers. */
export async function checkDatabase(
  databaseUrl: string,
  env: Env,
): Promise<{ facts: DatabaseFacts | null; findings: Finding[] }> {
  try {
    const facts = await inspectDatabase(databaseUrl);
    return { facts, findings: await judge(facts, env) };
  } catch (error) {
    return {
      facts: null,
      findings: [fail('database', `${whereOf(databaseUrl)}: ${reasonOf(error)}`, adviceOn(error, env))],
    };
  }
}

async function judge(facts: DatabaseFacts, env: Env): Promise<Finding[]> {
  return [
    judgeVersion(facts),
    judgeMigrations(facts.migrations, await migrationNames(), env),
    judgeConnections(facts, env),
    judgeClock(facts),
    judgeTraceStore(facts, env),
  ];
}

function judgeVersion({ version, versionNumber, databaseBytes }: DatabaseFacts): Finding {
  if (versionNumber >= leastVersion) return fine('database', `PostgreSQL ${version}, ${sizeOf(databaseBytes)}`);
  return fail(
    'database',
    `PostgreSQL ${version} is too old`,
    'Landfall needs PostgreSQL 18. Back up, install 18, and restore into it.',
  );
}

/** What the files of this release have and the database has not, and the other way round. */
export function judgeMigrations(
  applied: readonly string[],
  known: readonly string[],
  env: Pick<Env, 'DATABASE_URL'>,
): Finding {
  const check = 'migrations';
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (isOfOlderBuild(applied, known))
    return fail(
      check,
      `an older build of Landfall created this database (its first migration is ${applied[0]})`,
      `It can't be upgraded. ${env.DATABASE_URL === null ? 'Delete the data folder' : 'Set DATABASE_URL to an empty database'}.`,
    );
  if (unknown.length > 0)
    return fail(
      check,
      `the database is newer than this release: it has ${unknown.at(-1)}`,
      'Run the release that made it, or a newer one. Nothing goes backwards.',
    );
  if (missing.length === 0) return fine(check, `all ${known.length} applied`);
  const found = applied.length === 0 ? 'none applied' : `${missing.length} missing, the first is ${missing[0]}`;
  if (env.DATABASE_URL === null) return warn(check, found, 'npm start applies them.');
  return fail(
    check,
    found,
    'node infra/scripts/migrate.ts, before the services of this release start; npm start does it too.',
  );
}

function judgeConnections({ mostConnections, openConnections }: DatabaseFacts, env: Env): Finding {
  const check = 'connections';
  const { api, worker } = connectionsOf(env);
  const found = `${openConnections} of ${mostConnections} open; an API process takes up to ${api}, a worker up to ${worker}`;
  const raise = `Raise max_connections in PostgreSQL (200 is enough for a dozen processes), or lower DB_POOL_SIZE (${env.DB_POOL_SIZE}).`;
  if (api + worker > mostConnections) return fail(check, found, raise);
  if (openConnections > mostConnections * 0.85) return warn(check, found, raise);
  return fine(check, found);
}

/** At most: pools open connections as they need them, and a queue in PostgreSQL only for connectors in use. */
export function connectionsOf(env: Pick<Env, 'DB_POOL_SIZE' | 'REDIS_URL' | 'TRACE_STORE'>): {
  api: number;
  worker: number;
} {
  const traces = env.TRACE_STORE === 'on' ? 1 : 0;
  const usual = 3;
  // Two for signing in, one that all reads of single shipments share.
  const ofApi = 3;
  const queues = env.REDIS_URL === null ? Math.min(usual, refreshQueues.length) : 0;
  return {
    api: env.DB_POOL_SIZE + ofApi + traces + queues * 2,
    worker: env.DB_POOL_SIZE + Math.max(2, Math.ceil(env.DB_POOL_SIZE / 2)) + traces + queues * 5,
  };
}

function judgeClock({ clockMs, askedAtMs, askedForMs }: DatabaseFacts): Finding {
  const check = 'clock';
  const skew = Math.round(clockMs - (askedAtMs + askedForMs / 2));
  const apart = `${(Math.abs(skew) / 1000).toFixed(1)} s ${skew > 0 ? 'behind' : 'ahead of'} the database's`;
  if (Math.abs(skew) < skewMs.warn) return fine(check, `within ${Math.max(1, Math.abs(skew))} ms of the database's`);
  const advice =
    'Let both machines keep time by NTP (timedatectl set-ntp true). Due times go by the database alone; signed sign-ins at carriers and the times in logs do not.';
  return Math.abs(skew) >= skewMs.fail
    ? fail(check, `this machine is ${apart}`, advice)
    : warn(check, `this machine is ${apart}`, advice);
}

function judgeTraceStore({ traceStoreBytes }: DatabaseFacts, env: Env): Finding {
  const check = 'trace store';
  if (env.TRACE_STORE === 'off') return fine(check, 'off');
  if (traceStoreBytes < muchTraceBytes) return fine(check, sizeOf(traceStoreBytes));
  return warn(
    check,
    `${sizeOf(traceStoreBytes)}`,
    'Lower TRACE_STORE_SHARE, and refresh of what fails: failures are all kept. Days end after two by themselves while a worker runs.',
  );
}

function adviceOn(error: unknown, env: Env): string {
  if (env.DATABASE_URL === null) return 'npm start starts it; its last lines are in postgres.log in the data folder.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '28P01' || code === '28000') return 'User or password of DATABASE_URL are refused: correct them.';
  if (code === '3D000') return 'The server has no such database: create it (createdb), or correct DATABASE_URL.';
  if (code === '53300') return 'All connections are taken: raise max_connections, or stop what takes them.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host of DATABASE_URL is not known here: correct it.';
  return 'Is PostgreSQL running there, and may this machine reach it (listen_addresses, pg_hba.conf, firewall)?';
}

/** Host, port and database, without the password. */
function whereOf(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || '5432'}${pathname}`;
}
