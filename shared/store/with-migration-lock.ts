import pg from 'pg';

export type MigrationLockOptions = {
  /** Whoever migrates the same database holds the same one. */
  lockId: number;
  /** The longest that a statement of `work` waits for a table, in milliseconds. */
  lockTimeoutMs: number;
};

/**
 * Runs `work` on a connection of its own, as the owner of the schema, while no other process migrates the database; waits for one that does.
 * A statement that waits longer for a lock fails: all who came later wait behind it, readers too.
 */
export async function withMigrationLock<T>(
  databaseUrl: string,
  { lockId, lockTimeoutMs }: MigrationLockOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'landfall-migrate',
    keepAlive: true,
  });
  // A connection that breaks between two statements would end the process; the next one says what happened.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockId]);
    await client.query(`set lock_timeout = ${Math.round(lockTimeoutMs)}`);
    return await work(client);
  } finally {
    // The lock goes with the connection.
    await client.end().catch(() => undefined);
  }
}

/** Whether a statement gave up waiting for a lock, or was ended because it and another one waited for each other. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}
