import pg from 'pg';
import type { FairQueue } from '#shared/async/fair-queue.ts';
import { asLogin, type DatabaseUse, databaseRoles } from '#shared/domain/installation/database-logins.ts';
import { openAccountTurns } from './account-turns.ts';
import { openSilence, type Silence } from './silence.ts';
import { verifyLogins } from './verify-logins.ts';

export type StoreSettings = {
  databaseUrl: string;
  /** Connections for requests and refreshes, as `landfall_app`. */
  apiPoolSize: number;
  /**
   * Connections for lists, counts, search and exports, as `landfall_app`. With it, the accounts take turns at both
   * pools. Absent: they use those for requests, and requests are served in their order of arrival.
   */
  readPoolSize?: number;
  /** Connections for system queries, as `landfall_system`. */
  systemPoolSize: number;
  /** Connections for authentication, as `landfall_auth`. They are opened on demand. 0: none is. Default: 2. */
  authPoolSize?: number;
  applicationName: string;
  /** Called for each idle connection that breaks. The pool replaces it. */
  onPoolError: (error: Error) => void;
};

/** A connection inside a transaction. `readRows` reads rows from it; `query` itself returns `timestamptz` as `Date`. */
export type Tx = pg.PoolClient;

type PoolName = 'app' | 'reads' | 'system';

type Turns = { app: FairQueue; reads: FairQueue };

export type PoolStats = { total: number; idle: number; waiting: number };

export type Store = {
  app: pg.Pool;
  /** For lists, counts, search and exports, which may take long. */
  reads: pg.Pool;
  system: pg.Pool;
  auth: pg.Pool;
  /** Aborts the account transactions. Absent: they are never aborted. */
  signal?: AbortSignal;
  /** The account whose transaction runs next, by pool. Absent: in their order of arrival. */
  turns?: Turns;
  /** Absent: transactions wait for a server that answers nothing. */
  silence?: Silence;
  stats: () => Record<PoolName, PoolStats>;
  close: () => Promise<void>;
};

const appStatementTimeoutMs = 5000;
/** Sessions and members are read by key. */
const authStatementTimeoutMs = 4000;
const systemStatementTimeoutMs = 15_000;
const connectTimeoutMs = 5000;

/**
 * Opens one pool per database role, each with a login that may run as no other role. Throws when the database is
 * unreachable or not migrated, or when a login or the request role could bypass row-level security.
 */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const app = openPool(settings, {
    use: 'app',
    max: settings.apiPoolSize,
    statementTimeoutMs: appStatementTimeoutMs,
  });
  const { readPoolSize } = settings;
  const reads =
    readPoolSize === undefined
      ? app
      : openPool(settings, {
          use: 'app',
          max: readPoolSize,
          statementTimeoutMs: appStatementTimeoutMs,
          // A search with parallel workers takes the processors of all accounts, not the one of its connection.
          options: ['-c max_parallel_workers_per_gather=0'],
        });
  const turns =
    readPoolSize === undefined
      ? undefined
      : { app: openAccountTurns(settings.apiPoolSize), reads: openAccountTurns(readPoolSize) };
  const system = openPool(settings, {
    use: 'system',
    max: settings.systemPoolSize,
    statementTimeoutMs: systemStatementTimeoutMs,
  });
  const auth = openPool(settings, {
    use: 'auth',
    searchPath: 'auth',
    max: settings.authPoolSize ?? 2,
    statementTimeoutMs: authStatementTimeoutMs,
  });
  // pg would open 10 connections of a pool of 0.
  if (settings.authPoolSize === 0) await auth.end();
  const close = async () => {
    await Promise.all([...new Set([app, reads, system, auth])].map((pool) => (pool.ended ? undefined : pool.end())));
  };
  try {
    await verifyRequestRole(app);
    await verifyLogins(app);
    await system.query('select 1');
  } catch (error) {
    await close();
    throw isRefusedLogin(error) ? loginRefused(error) : error;
  }
  return {
    ...{ app, reads, system, auth, close, silence: openSilence() },
    ...(turns === undefined ? {} : { turns }),
    stats: () => ({
      app: statsOf(app, turns?.app),
      reads: statsOf(reads, turns?.reads),
      system: statsOf(system),
    }),
  };
}

/** Number of requests waiting for a connection, by pool. */
export function poolWaiting(store: Pick<Store, 'stats'>): Record<PoolName, number> {
  const { app, reads, system } = store.stats();
  return { app: app.waiting, reads: reads.waiting, system: system.waiting };
}

type PoolSettings = {
  use: DatabaseUse;
  searchPath?: string;
  max: number;
  statementTimeoutMs: number;
  options?: readonly string[];
};

function openPool(settings: StoreSettings, pool: PoolSettings): pg.Pool {
  const opened = new pg.Pool({
    connectionString: asLogin(settings.databaseUrl, pool.use),
    application_name: settings.applicationName,
    max: pool.max,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // The server cancels first. This timeout applies when the server itself doesn't respond.
    query_timeout: pool.statementTimeoutMs + 500,
    // An account's transaction sends its first statement together with `begin`.
    pipeline: true,
    options: [
      `-c role=${databaseRoles[pool.use]}`,
      `-c search_path=${pool.searchPath ?? 'landfall'}`,
      '-c timezone=UTC',
      `-c statement_timeout=${pool.statementTimeoutMs}`,
      '-c idle_in_transaction_session_timeout=15000',
      ...(pool.options ?? []),
    ].join(' '),
    types: { getTypeParser: typeParser },
  });
  opened.on('error', settings.onPoolError);
  ownErrors(opened);
  return opened;
}

function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8) return Number;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

async function verifyRequestRole(app: pg.Pool): Promise<void> {
  const { rows } = await app.query<{
    role: string;
    superuser: boolean;
    bypass: boolean;
    owned: number;
    unforced: string[];
    tables: number;
  }>(`
    select
      current_user as role,
      r.rolsuper as superuser,
      r.rolbypassrls as bypass,
      (select count(*) from pg_class as c
        where c.relnamespace = n.oid and c.relkind = 'r' and pg_has_role(current_user, c.relowner, 'member')) as owned,
      (select count(*) from pg_class as c where c.relnamespace = n.oid and c.relkind = 'r') as tables,
      array(
        select c.relname::text from pg_class as c
        where c.relnamespace = n.oid and c.relkind = 'r' and c.relname <> 'migrations' and not (c.relrowsecurity and c.relforcerowsecurity)
      ) as unforced
    from pg_roles as r
      left join pg_namespace as n on n.nspname = 'landfall'
    where r.rolname = current_user
  `);
  const found = rows[0];
  if (found === undefined || found.tables === 0)
    throw new Error('the database has no Landfall schema yet: run the migrations first');
  const faults: string[] = [];
  if (found.role !== 'landfall_app') faults.push(`requests run under the role ${found.role} instead of landfall_app`);
  if (found.superuser) faults.push('it is a superuser');
  if (found.bypass) faults.push('it may bypass row-level security');
  if (found.owned > 0) faults.push('it owns tables, or is a member of their owner');
  if (found.unforced.length > 0) faults.push(`row-level security is not forced on ${found.unforced.join(', ')}`);
  if (faults.length > 0)
    throw new Error(
      `account isolation isn't enforced in the database: for the role landfall_app, ${faults.join('; ')}`,
    );
}

/** A wrong password, a login that doesn't exist or may not run as its role, or a role that doesn't exist. */
function isRefusedLogin(error: unknown): error is Error {
  return error instanceof Error && ['28P01', '28000', '42501', '22023'].includes(Object(error).code);
}

function loginRefused(cause: Error): Error {
  return new Error(
    `the database refused a login of DATABASE_URL: ${cause.message}. Run node infra/scripts/migrate.ts with ` +
      'MIGRATION_DATABASE_URL set: it creates the logins. With --set-password, it gives those that exist the password ' +
      'in DATABASE_URL',
    { cause },
  );
}

function statsOf(pool: pg.Pool, turns?: FairQueue): PoolStats {
  return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount + (turns?.waiting() ?? 0) };
}

/**
 * Gives every connection of the pool an error listener from the start. A server that dies sends its last error right
 * after `ReadyForQuery`, before the code that waits for the connection has added a listener. Without one, the error
 * would end the process. With one, the next query rejects.
 */
function ownErrors(pool: pg.Pool): void {
  pool.on('connect', (client) => client.on('error', () => undefined));
}
