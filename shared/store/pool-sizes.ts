/** Connections of a process by pool. See `StoreSettings`. */
export type PoolSizes = { apiPoolSize: number; readPoolSize: number; systemPoolSize: number };

const systemConnections = 3;
/** Lists, counts, search and exports, of the connections that serve accounts. */
const readShare = 0.4;

/** How an API process divides DB_POOL_SIZE. A size below 5 becomes 5: each pool needs a connection. */
export function apiPoolSizes(connections: number): PoolSizes {
  const forAccounts = Math.max(2, connections - systemConnections);
  const readPoolSize = Math.max(1, Math.round(forAccounts * readShare));
  return { apiPoolSize: forAccounts - readPoolSize, readPoolSize, systemPoolSize: systemConnections };
}

/** A worker serves no requests, so it needs no connections for lists. Its system queries come on top. */
export function workerPoolSizes(connections: number): Omit<PoolSizes, 'readPoolSize'> {
  return { apiPoolSize: connections, systemPoolSize: Math.max(2, Math.ceil(connections / 2)) };
}
