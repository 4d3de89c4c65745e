import { createPostgresBackend, Queue } from 'bullmq';
import { postgresConnection, type QueueSettings } from './connection.ts';

/**
 * Brings the Postgres backend's schema up to date, once per start. Any number of processes may do it at the same moment (an advisory lock
 * serialises them) and a current schema costs a few milliseconds. Redis needs nothing. Throws when the database is away.
 */
export async function prepareQueue(settings: QueueSettings): Promise<void> {
  if (settings.redisUrl !== null) return;
  const connection = { ...postgresConnection(settings, 1), query_timeout: 60_000, migrate: true };
  const queue = new Queue('migration', { connection, skipMetasUpdate: true }, createPostgresBackend);
  queue.on('error', settings.onError);
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}
