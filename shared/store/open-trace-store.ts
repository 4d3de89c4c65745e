import pg from 'pg';
import { settlesWithin } from '#shared/async/deadline.ts';
import { asLogin } from '#shared/domain/operations/database-logins.ts';

/** One connection for the spans of a process, separate from those that serve requests. */
export type TraceStore = { pool: pg.Pool; close: () => Promise<void> };

const statementTimeoutMs = 3000;
/** A statement that hangs must not delay shutdown. */
const closeMs = 500;

/**
 * Connects on the first write. All timeouts are short, so that a hanging trace store only loses spans. The tables are
 * unlogged and need no sync at commit.
 */
export function openTraceStore(settings: { databaseUrl: string; onError: (error: Error) => void }): TraceStore {
  const pool = new pg.Pool({
    connectionString: asLogin(settings.databaseUrl, 'system'),
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
  return { pool, close: async () => void (await settlesWithin(pool.end(), closeMs)) };
}
