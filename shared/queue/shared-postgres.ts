import { createPostgresBackend, PostgresConnection, Queue } from 'bullmq';
import { settlesWithin } from '#shared/async/deadline.ts';
import { asLogin, databaseRoles } from '#shared/domain/installation/database-logins.ts';
import { connectionWaitMs, type QueueSettings } from './queue-settings.ts';
import { SharingBackend, sessionName } from './sharing-backend.ts';

const closeMs = 1000;

/** The connections that all queues and workers of one process share. */
export type SharedPostgres = {
  /** For BullMQ's queues and workers. Their own `connection` option is not used. */
  factory: typeof createPostgresBackend;
  /** Names this process in its sessions and in the jobs that its workers take. */
  instance: string;
  close: () => Promise<void>;
};

/**
 * Shares one pool and one connection for LISTEN. BullMQ's own backend opens a pool for each queue, and a pool and a
 * connection for LISTEN for each worker.
 */
export function openSharedPostgres(settings: QueueSettings): SharedPostgres {
  let current: PostgresConnection | null = null;
  let isClosed = false;
  const instance = crypto.randomUUID();

  const connect = (): PostgresConnection => {
    if (isClosed) throw new Error('the queue is closed');
    if (current !== null) return current;
    const opened = new SharedConnection(connectionOf(settings, settings.poolSize, instance));
    opened.on('error', settings.onError);
    opened.waitUntilReady().catch(() => {
      // BullMQ never retries a first connection that failed, so the next queue or worker opens another one.
      if (current === opened) current = null;
      opened.close().catch(() => undefined);
    });
    current = opened;
    return opened;
  };

  return {
    instance,
    factory: (name, options) => new SharingBackend(connect(), name, { options, instance }),
    close: async () => {
      const opened = current;
      isClosed = true;
      current = null;
      // It waits for statements that a silent server may never answer.
      if (opened !== null) await settlesWithin(opened.close(), closeMs);
    },
  };
}

/** Brings BullMQ's schema up to date over a connection of its own. */
export async function preparePostgres(settings: Omit<QueueSettings, 'poolSize'>): Promise<void> {
  const connection = { ...connectionOf(settings, 1, 'migration'), query_timeout: 60_000, migrate: true };
  const queue = new Queue('migration', { connection, skipMetasUpdate: true }, createPostgresBackend);
  queue.on('error', settings.onError);
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}

function connectionOf(settings: Pick<QueueSettings, 'databaseUrl' | 'prefix'>, poolSize: number, instance: string) {
  return {
    connectionString: asLogin(settings.databaseUrl, 'queue'),
    options: `-c role=${databaseRoles.queue}`,
    schema: settings.prefix,
    max: poolSize,
    // Includes the wait for a free connection. Producers have deadlines of their own.
    connectionTimeoutMillis: connectionWaitMs,
    idleTimeoutMillis: 30_000,
    query_timeout: 10_000,
    keepAlive: true,
    // Workers issue LISTEN on the shared connection at the same time.
    pipeline: true,
    application_name: sessionName(instance),
  };
}

/** Fields of BullMQ's connection that its types don't declare. */
type Internals = { pool: Connecting; pgModule: { Client: new (config: object) => Failing } };
type Failing = { on: (event: 'error', listener: (error: Error) => void) => unknown };
type Connecting = { on: (event: 'connect', listener: (client: Failing) => void) => unknown };

/**
 * Gives every connection an error listener from the start. A server that dies sends its last error right after
 * `ReadyForQuery`, before the code that waits for the connection has added a listener, and the error would end the
 * process.
 */
function ownErrors(connection: Internals): void {
  const own = (client: Failing) => client.on('error', () => undefined);
  connection.pool.on('connect', own);
  const { Client } = connection.pgModule;
  // For the connection that listens.
  class OwnedClient extends Client {
    constructor(config: object) {
      super(config);
      own(this);
    }
  }
  connection.pgModule = { ...connection.pgModule, Client: OwnedClient };
}

/**
 * Runs statements as pg-pool 3.14 does, but keeps the connection when only the statement failed. pg-pool closes it after
 * every error, and BullMQ reports a lost lock as one: on a busy machine each lost job would cost a connection, and
 * waiting for new connections would lose the locks of the next jobs.
 */
function keepAfterStatementErrors(pool: PostgresConnection['pool']): void {
  pool.query = async (text: string, values?: readonly unknown[]) => {
    const client = await pool.connect();
    try {
      const result = await client.query(text, atPresent(text, values) as unknown[]);
      client.release();
      return result;
    } catch (error) {
      client.release(!isStatementError(error));
      throw error;
    }
  };
}

/** The parameter with the present time in the statements that lock jobs, by a part of their text. */
const presentTimes = [
  { part: 'move_to_active(', index: 3 },
  { part: 'move_to_completed_fetch(', index: 9 },
  { part: 'move_to_failed_fetch(', index: 10 },
  { part: 'locked_until_ms = $5', index: 4 },
];

/**
 * Lets a lock begin when its statement has a connection. BullMQ takes the time before it waits for one, and on a busy
 * machine that wait would be a part of the lock.
 */
function atPresent(text: string, values: readonly unknown[] | undefined): readonly unknown[] | undefined {
  const locking = presentTimes.find(({ part }) => text.includes(part));
  return locking === undefined ? values : values?.with(locking.index, Date.now());
}

/**
 * True if the server refused the statement and the connection still serves. False for a lost connection, a timeout of
 * the driver (the statement may still run), and a server that is shutting down or read-only after a failover.
 */
function isStatementError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|28|57P|25006)/.test(code);
}

/** Every queue and worker listens to its events, and every waiting worker to its notifications. */
class SharedConnection extends PostgresConnection {
  constructor(connection: ReturnType<typeof connectionOf>) {
    super(connection);
    this.setMaxListeners(0);
    ownErrors(this as unknown as Internals);
    keepAfterStatementErrors(this.pool);
  }

  override async getListenClient(): ReturnType<PostgresConnection['getListenClient']> {
    const client = await super.getListenClient();
    (client as typeof client & { setMaxListeners: (count: number) => void }).setMaxListeners(0);
    return client;
  }
}
