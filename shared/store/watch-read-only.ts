import type pg from 'pg';

/** PostgreSQL 14 and later report these settings when a client connects and when they change. */
const reported = ['in_hot_standby', 'default_transaction_read_only'];

/**
 * Calls `onReadOnly` once the server of this connection takes no writes: it is a standby, or its operator made it
 * read-only. A connection that only reads learns it in no other way, and would stay there after a failover.
 */
export function watchReadOnly({ connection }: pg.Client, onReadOnly: () => void): void {
  let isCalled = false;
  connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
    if (isCalled || parameterValue !== 'on' || !reported.includes(parameterName)) return;
    isCalled = true;
    onReadOnly();
  });
}
