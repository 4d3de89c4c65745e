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
