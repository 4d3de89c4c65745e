import type pg from 'pg';

/**
 * True if the server takes no writes: a standby, or a server that its operator made read-only. The connection is closed
 * then, because the next one may reach the server that has taken over.
 */
export async function isReadOnly(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  let mustClose = true;
  try {
    const { rows } = await client.query<{ refused: boolean }>(
      `select current_setting('transaction_read_only') = 'on' as refused`,
    );
    mustClose = rows[0]?.refused !== false;
    return mustClose;
  } finally {
    client.release(mustClose);
  }
}

/** Returns why nothing can be written: the server is `read-only` or `unavailable`. Null: it can. */
export function findWriteFault(pool: pg.Pool): Promise<'read-only' | 'unavailable' | null> {
  return isReadOnly(pool).then(
    (isRefused) => (isRefused ? 'read-only' : null),
    () => 'unavailable',
  );
}
