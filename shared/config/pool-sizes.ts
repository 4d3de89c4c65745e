/** Database connections of one process, by pool. Together they are `DB_POOL_SIZE`. */
export type PoolSizes = {
  /** Requests or refreshes. */
  app: number;
  /** Lists, counts, search and exports. */
  reads: number;
  system: number;
  /** Sign-in. */
  auth: number;
  /** Reads of single shipments. */
  records: number;
  traces: number;
  /** A queue in Postgres. */
  queue: number;
  /** LISTEN for a queue in Postgres. */
  listen: number;
  /** LISTEN for changes of the feed. */
  feed: number;
};

export type PoolSettings = { DB_POOL_SIZE: number; REDIS_URL: string | null; TRACE_STORE: 'on' | 'off' };

/** The smallest `DB_POOL_SIZE`: it leaves an API or a worker two connections for requests or refreshes. */
export const minPoolSize = 12;

/** The pools of an API process. */
export function apiPools(env: PoolSettings): PoolSizes {
  return divide(env, { auth: 2, records: 1, queue: 2, listen: 0, feed: 1, systemShare: 0.2, readShare: 0.4 });
}

/** The pools of a worker process, whose periodic jobs and budgets use the system role. */
export function workerPools(env: PoolSettings): PoolSizes {
  return divide(env, { auth: 0, records: 0, queue: 3, listen: 1, feed: 0, systemShare: 0.4, readShare: 0 });
}

type Shares = Pick<PoolSizes, 'auth' | 'records' | 'queue' | 'listen' | 'feed'> & {
  systemShare: number;
  readShare: number;
};

function divide(env: PoolSettings, own: Shares): PoolSizes {
  const onPostgres = env.REDIS_URL === null;
  const fixed = {
    auth: own.auth,
    records: own.records,
    traces: env.TRACE_STORE === 'on' ? 1 : 0,
    queue: onPostgres ? own.queue : 0,
    listen: onPostgres ? own.listen : 0,
    feed: own.feed,
  };
  const left = env.DB_POOL_SIZE - Object.values(fixed).reduce((sum, size) => sum + size, 0);
  // Every key is looked up by the system's: one slow statement must not hold them all.
  const system = Math.max(2, Math.round(left * own.systemShare));
  const reads = own.readShare === 0 ? 0 : Math.max(1, Math.round((left - system) * own.readShare));
  return { ...fixed, system, reads, app: left - system - reads };
}
