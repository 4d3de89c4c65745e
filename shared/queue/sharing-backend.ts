import { type createPostgresBackend, type PostgresConnection, PostgresQueueBackend } from 'bullmq';

type Options = { options: Parameters<typeof createPostgresBackend>[1]; instance: string };
type Finished = Awaited<ReturnType<PostgresQueueBackend['moveToCompleted']>>;
type Finishing = Parameters<PostgresQueueBackend['moveToCompleted']>;
type Failing = Parameters<PostgresQueueBackend['moveToFailed']>;

/** Longer than any claim takes: 5 s for a connection and 10 s for the statement. */
const claimMs = 15_000;

/** Returns the name of a process's sessions in `pg_stat_activity`. */
export function sessionName(instance: string): string {
  return `landfall-queue ${instance}`;
}

/**
 * Ends the locks of processes without a session, and those that this process doesn't know of: their connection was lost
 * after the claim. Nothing ends if this process doesn't see its own name, as behind a pooler that keeps names to
 * itself. A process that is between two connections renews its locks with the next one.
 */
const endOrphanedLocks = `
  with alive as materialized (
    select substr(application_name, length('${sessionName('')}') + 1) as instance
    from pg_stat_activity
    where application_name like '${sessionName('%')}'
  )
  update job set locked_until_ms = 0
  where queue = $1 and state = 'active' and locked_until_ms > 0 and processed_by is not null
    and case
      when processed_by = $2 then processed_at_ms < $3 and id <> all($4::text[])
      else processed_by not in (select instance from alive) and $2 in (select instance from alive)
    end`;

/**
 * The backend of one queue or worker on connections that it shares. It leaves them open when it closes, and finds jobs
 * that nobody works on long before their locks end.
 */
export class SharingBackend extends PostgresQueueBackend {
  readonly #instance: string;
  /** The jobs that this process has. */
  readonly #held = new Set<string>();
  readonly #listenAgain = (): void => {
    // Ends the wait on the lost connection, so that the worker listens on the next one.
    void this.disconnectBlocking();
    void this.reconnectBlocking();
  };

  constructor(connection: PostgresConnection, name: string, { options, instance }: Options) {
    super(connection, name, options, false);
    this.#instance = instance;
    connection.on('listenerinvalidated', this.#listenAgain);
  }

  override async moveToActive(...given: Parameters<PostgresQueueBackend['moveToActive']>) {
    const next = await super.moveToActive(...given);
    this.#hold(next);
    return next;
  }

  override moveToCompleted(...given: Finishing) {
    return this.#finish(given[0].id, super.moveToCompleted(...given));
  }

  override moveToFailed(...given: Failing) {
    return this.#finish(given[0].id, super.moveToFailed(...given));
  }

  override async moveStalledJobsToWait(): Promise<string[]> {
    const claimedBefore = Date.now() - claimMs;
    const parameters = [this.queueName, this.#instance, claimedBefore, [...this.#held]];
    await this.connection.pool.query(endOrphanedLocks, parameters);
    return super.moveStalledJobsToWait();
  }

  override async close(): Promise<void> {
    this.closing ??= Promise.resolve();
    this.connection.off('listenerinvalidated', this.#listenAgain);
  }

  override async disconnect(): Promise<void> {
    await super.disconnect();
    await this.close();
  }

  /** Notes the job of a claim: `[data, id, …]`, without data if there was none. */
  #hold(next: unknown): void {
    const [data, id] = Array.isArray(next) ? next : [];
    if (data && typeof id === 'string') this.#held.add(id);
  }

  /** A completion that the server refused is as final as one that it accepted. BullMQ repeats one without an answer. */
  async #finish(id: string | undefined, finishing: Promise<Finished>): Promise<Finished> {
    try {
      const finished = await finishing;
      this.#held.delete(id ?? '');
      this.#hold(finished.result);
      return finished;
    } catch (error) {
      if (error instanceof Error && 'code' in error && typeof error.code === 'number') this.#held.delete(id ?? '');
      throw error;
    }
  }
}
