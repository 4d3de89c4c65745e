import pg from 'pg';

/**
 * A connection as the owner of the schema, without timeouts. Only for backup and restore, never on a request's path.
 */
export async function openOwner(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'landfall-backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: [
      '-c search_path=landfall',
      '-c timezone=UTC',
      '-c datestyle=ISO',
      '-c intervalstyle=postgres',
      '-c extra_float_digits=1',
      '-c bytea_output=hex',
      '-c statement_timeout=0',
      '-c idle_in_transaction_session_timeout=0',
    ].join(' '),
  });
  // Without a listener, a connection that breaks between two queries would end the process. The next query reports the
  // error.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs a statement as the system role and returns how many rows it changed: row-level security shows the owner none. */
export async function changeAsSystem(databaseUrl: string, text: string): Promise<number> {
  const client = await openOwner(databaseUrl);
  try {
    await client.query('begin');
    await client.query('set local role landfall_system');
    const { rowCount } = await client.query(text);
    await client.query('commit');
    return rowCount ?? 0;
  } finally {
    await client.end().catch(() => {});
  }
}
