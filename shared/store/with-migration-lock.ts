import pg from 'pg';

export type MigrationLockOptions = {
  /** All processes that migrate the same database use the same lock. */
  lockId: number;
  /** Maximum time that a statement of `work` waits for a table lock, in milliseconds. */
  lockTimeoutMs: number;
};

/**
 * Runs `work` on a separate connection as the owner of the schema, while no other process migrates the database. Waits
 * for a running migration. A statement that waits longer for a lock fails, because later statements, including reads,
 * queue behind it.
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
  // Without a listener, a connection that breaks between two statements would end the process. The next statement
  // reports the error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockId]);
    await client.query(`set lock_timeout = ${Math.round(lockTimeoutMs)}`);
    return await work(client);
  } finally {
    // The lock ends with the connection.
    await client.end().catch(() => undefined);
  }
}

/** True when a statement timed out waiting for a lock or was the victim of a deadlock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}
