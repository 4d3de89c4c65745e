import type { Env } from '#shared/config/env.ts';
import { apiPools, type PoolSizes, workerPools } from '#shared/config/pool-sizes.ts';
import { type DatabaseFacts, inspectDatabase } from '#shared/store/inspect-database.ts';
import { migrationNames } from '../migrate.ts';
import { type Finding, fail, fine, reasonOf, sizeOf, warn } from './finding.ts';

const minVersion = 180_000;
/** Clock skew between this machine and the database, in milliseconds. */
const skewMs = { warn: 2000, fail: 60_000 };
/** More than two days of ten processes with a hundred spans a second each. */
const highTraceBytes = 20_000_000_000;

/** Facts are null when the database doesn't respond. */
export async function checkDatabase(
  databaseUrl: string,
  env: Env,
): Promise<{ facts: DatabaseFacts | null; findings: Finding[] }> {
  try {
    const facts = await inspectDatabase(databaseUrl);
    return { facts, findings: await evaluate(facts, env) };
  } catch (error) {
    return {
      facts: null,
      findings: [fail('database', `${whereOf(databaseUrl)}: ${reasonOf(error)}`, adviceOn(error, env))],
    };
  }
}

async function evaluate(facts: DatabaseFacts, env: Env): Promise<Finding[]> {
  return [
    checkVersion(facts),
    checkMigrations(facts, await migrationNames(), env),
    checkConnections(facts, env),
    checkClock(facts),
    checkTraceStore(facts, env),
  ];
}

function checkVersion({ version, versionNumber, databaseBytes }: DatabaseFacts): Finding {
  if (versionNumber >= minVersion) return fine('database', `PostgreSQL ${version}, ${sizeOf(databaseBytes)}`);
  return fail(
    'database',
    `PostgreSQL ${version} is too old`,
    'Landfall needs PostgreSQL 18. Back up, install 18, and restore into it.',
  );
}

/** Compares the migration files of this release with the migrations applied to the database. */
export function checkMigrations(
  { migrations: applied, isOfOlderBuild }: Pick<DatabaseFacts, 'migrations' | 'isOfOlderBuild'>,
  known: readonly string[],
  env: Pick<Env, 'DATABASE_URL'>,
): Finding {
  const check = 'migrations';
  const missing = known.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !known.includes(name));
  if (isOfOlderBuild)
    return fail(
      check,
      'an older build of Landfall created this database',
      `It can't be upgraded. ${env.DATABASE_URL === null ? 'Delete the data folder' : 'Set DATABASE_URL to an empty database'}.`,
    );
  if (unknown.length > 0)
    return fail(
      check,
      `the database is newer than this release: it has ${unknown.at(-1)}`,
      "Run the release that created it, or a newer one. Downgrades aren't supported.",
    );
  if (missing.length === 0) return fine(check, `all ${known.length} applied`);
  const found = applied.length === 0 ? 'none applied' : `${missing.length} missing, the first is ${missing[0]}`;
  if (env.DATABASE_URL === null) return warn(check, found, 'npm start applies them.');
  return fail(
    check,
    found,
    'Run node infra/scripts/migrate.ts before starting the services of this release, or use npm start.',
  );
}

function checkConnections({ maxConnections, openConnections }: DatabaseFacts, env: Env): Finding {
  const check = 'connections';
  const found =
    `${openConnections} of ${maxConnections} open; an API process takes up to ${divided(apiPools(env))}, ` +
    `a worker up to ${divided(workerPools(env))}`;
  const raise = `Raise max_connections in PostgreSQL (200 is enough for a dozen processes), or lower DB_POOL_SIZE (${env.DB_POOL_SIZE}).`;
  if (env.DB_POOL_SIZE * 2 > maxConnections) return fail(check, found, raise);
  if (openConnections > maxConnections * 0.85) return warn(check, found, raise);
  return fine(check, found);
}

/** `12 (app 4, system 2, …)`, without unused pools. */
function divided(pools: PoolSizes): string {
  const used = Object.entries(pools).filter(([, size]) => size > 0);
  const total = used.reduce((sum, [, size]) => sum + size, 0);
  return `${total} (${used.map(([name, size]) => `${name} ${size}`).join(', ')})`;
}

function checkClock({ clockMs, askedAtMs, askedForMs }: DatabaseFacts): Finding {
  const check = 'clock';
  const skew = Math.round(clockMs - (askedAtMs + askedForMs / 2));
  const apart = `${(Math.abs(skew) / 1000).toFixed(1)} s ${skew > 0 ? 'behind' : 'ahead of'} the database's`;
  if (Math.abs(skew) < skewMs.warn) return fine(check, `within ${Math.max(1, Math.abs(skew))} ms of the database's`);
  const advice =
    "Synchronize both machines by NTP (timedatectl set-ntp true). Due times use only the database clock, but carrier authentication and log timestamps use this machine's.";
  return Math.abs(skew) >= skewMs.fail
    ? fail(check, `this machine is ${apart}`, advice)
    : warn(check, `this machine is ${apart}`, advice);
}

function checkTraceStore({ traceStoreBytes }: DatabaseFacts, env: Env): Finding {
  const check = 'trace store';
  if (env.TRACE_STORE === 'off') return fine(check, 'off');
  if (traceStoreBytes < highTraceBytes) return fine(check, sizeOf(traceStoreBytes));
  return warn(
    check,
    `${sizeOf(traceStoreBytes)}`,
    'Lower TRACE_STORE_SHARE and fix recurring failures, whose traces are always kept. Traces are deleted after two days while a worker runs.',
  );
}

function adviceOn(error: unknown, env: Env): string {
  if (env.DATABASE_URL === null)
    return 'npm start starts it. Its last log lines are in postgres.log in the data folder.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '28P01' || code === '28000')
    return 'PostgreSQL rejected the user or password in DATABASE_URL. Correct them, or run node infra/scripts/migrate.ts with MIGRATION_DATABASE_URL: it creates the login, and with --set-password gives it this password.';
  if (code === '3D000') return 'The database does not exist. Create it (createdb), or correct DATABASE_URL.';
  if (code === '53300') return 'All connections are in use. Raise max_connections, or close other connections.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return "The host in DATABASE_URL can't be resolved. Correct it.";
  return 'Check that PostgreSQL is running and reachable from this machine (listen_addresses, pg_hba.conf, firewall).';
}

/** Host, port and database, without credentials. */
function whereOf(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || '5432'}${pathname}`;
}
