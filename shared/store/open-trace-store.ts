import pg from 'pg';

/** One connection for the spans of a process, apart from those that serve requests. */
export type TraceStore = { pool: pg.Pool; close: () => Promise<void> };

const statementTimeoutMs = 3000;
/** A statement that hangs does not hold up the end of a process. */
const closeMs = 500;

/**
 * Connects with the first write. Everything about it is short, so that a store that hangs costs the spans and nothing else. Unlogged tables
 * need no sync at commit.
 */
export function openTraceStore(settings: { databaseUrl: string; onError: (error: Error) => void }): TraceStore {
  const pool = new pg.Pool({
    connectionString: settings.databaseUrl,
    application_name: 'landfall-traces',
    max: 1,
    connectionTimeoutMillis: 3000,
    idleTimeoutMillis: 30_000,
    query_timeout: statementTimeoutMs + 500,
    options: [
      '-c role=landfall_system',
      '-c search_path=landfall',
      '-c timezone=UTC',
      '-c synchronous_commit=off',
      `-c statement_timeout=${statementTimeoutMs}`,
    ].join(' '),
  });
  pool.on('error', settings.onError);
  const close = async () => {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const deadline = setTimeout(resolve, closeMs);
    await Promise.race([late, pool.end()]);
    clearTimeout(deadline);
  };
  return { pool, close };
}
