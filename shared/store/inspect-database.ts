import pg from 'pg';
import { appliedMigrations, isOfOlderBuild } from './backup/read-schema-state.ts';

/** Facts about a database server and its schema. */
export type DatabaseFacts = {
  /** The value of `server_version`. */
  version: string;
  /** 18.4 is 180004. */
  versionNumber: number;
  /** The server's clock in milliseconds since 1970, this process's clock at that moment, and the round-trip time. */
  clockMs: number;
  askedAtMs: number;
  askedForMs: number;
  /** Maximum and current number of connections for an ordinary role. */
  maxConnections: number;
  openConnections: number;
  /** Names of the applied migrations, in order. Empty without a schema. */
  migrations: string[];
  /** True when a build that this one can't upgrade created the schema. */
  isOfOlderBuild: boolean;
  databaseBytes: number;
  traceStoreBytes: number;
};

const connectTimeoutMs = 5000;
const statementTimeoutMs = 5000;

/**
 * Connects as the owner or as the login of API and worker, and writes nothing. Rejects when the server refuses the
 * connection or doesn't respond.
 */
export async function inspectDatabase(databaseUrl: string): Promise<DatabaseFacts> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'landfall-doctor',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + 500,
    statement_timeout: statementTimeoutMs,
  });
  // A broken connection rejects the pending query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    // The login has no rights of its own. Before the first migration there is no role yet.
    await client.query('set role landfall_app').catch(() => undefined);
    const askedAtMs = Date.now();
    const startedAt = performance.now();
    const clock = await client.query<{ ms: number }>(
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
    );
    const askedForMs = performance.now() - startedAt;
    const server = await client.query<
      Omit<DatabaseFacts, 'clockMs' | 'askedAtMs' | 'askedForMs' | 'migrations' | 'isOfOlderBuild' | 'traceStoreBytes'>
    >(`
      select
        current_setting('server_version') as version,
        current_setting('server_version_num')::integer as "versionNumber",
        (current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer) as "maxConnections",
        (select sum(numbackends)::integer from pg_stat_database) as "openConnections",
        pg_database_size(current_database())::float8 as "databaseBytes"
    `);
    const [found] = server.rows;
    if (found === undefined) throw new Error('the server returned no rows');
    return {
      ...found,
      clockMs: clock.rows[0]?.ms ?? Number.NaN,
      askedAtMs,
      askedForMs,
      ...(await readMigrations(client)),
      traceStoreBytes: await readTraceStoreBytes(client),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** An owner whose database lacks the migration that lets the request role read them reads them itself. */
async function readMigrations(client: pg.Client): Promise<Pick<DatabaseFacts, 'migrations' | 'isOfOlderBuild'>> {
  const read = async () => ({
    migrations: await appliedMigrations(client),
    isOfOlderBuild: await isOfOlderBuild(client),
  });
  return read().catch(async (error: unknown) => {
    if (Object(error).code !== '42501') throw error;
    await client.query('set role none');
    return read();
  });
}

async function readTraceStoreBytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(`
    select coalesce(sum(pg_total_relation_size(i.inhrelid)), 0)::float8 as bytes
    from pg_inherits as i
    where i.inhparent in (to_regclass('landfall.trace_parts'), to_regclass('landfall.spans'))
  `);
  return rows[0]?.bytes ?? 0;
}
