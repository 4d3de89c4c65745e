/**
 * Time that a statement waits for a connection to a queue in PostgreSQL. Background callers wait longer for the
 * statement itself, or their queued jobs would count as failed on a busy machine.
 */
export const connectionWaitMs = 5000;

export type QueueSettings = {
  /** Null: the queue is in Postgres. Several node addresses, separated by commas, mean a Redis Cluster. */
  redisUrl: string | null;
  databaseUrl: string;
  /**
   * Namespace: the prefix of Redis keys, or the Postgres schema the queue lives in. Letters, digits and underscores.
   */
  prefix: string;
  /** Connections of this process to a queue in Postgres, besides the one that listens for its consumers. */
  poolSize: number;
  telemetry: boolean;
  /** Called for lost connections and failed jobs. The queue reconnects by itself. */
  onError(error: Error): void;
};
