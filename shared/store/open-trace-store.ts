import pg from 'pg';
import { settlesWithin } from '#shared/async/deadline.ts';
import { asLogin } from '#shared/domain/installation/database-logins.ts';

/** One connection for the spans of a process, separate from those that serve requests. */
export type TraceStore = { pool: pg.Pool; close: () => Promise<void> };

const defaultTimeoutMs = 3000;
/** A statement that hangs must not delay shutdown. */
const closeMs = 500;

/**
 * Connects on the first write. All timeouts are short, so that a hanging trace store only loses spans. The tables are
 * unlogged and need no sync at commit. `timeoutMs`: of a connection and of a statement; default 3000.
 */
export function openTraceStore(settings: {
  databaseUrl: string;
  timeoutMs?: number;
  onError: (error: Error) => void;
}): TraceStore {
  const { timeoutMs = defaultTimeoutMs } = settings;
  const pool = new pg.Pool({
    connectionString: asLogin(settings.databaseUrl, 'system'),
    application_name: 'landfall-traces',
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: 30_000,
    query_timeout: timeoutMs + 500,
    options: [
      '-c role=landfall_system',
      '-c search_path=landfall',
      '-c timezone=UTC',
      '-c synchronous_commit=off',
      `-c statement_timeout=${timeoutMs}`,
    ].join(' '),
  });
  pool.on('error', settings.onError);
  return { pool, close: async () => void (await settlesWithin(pool.end(), closeMs)) };
}
