import { type createPostgresBackend, type PostgresConnection, PostgresQueueBackend } from 'bullmq';
import { Absences } from './absences.ts';

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
 * Ends the locks of the processes in `$6` that still have no session, and those of claims that this process doesn't know
 * of: their connection was lost after the claim. Returns the processes without a session that have jobs, and the claims
 * that this process no longer has. Nobody is missing if this process doesn't see its own name, as behind a pooler that
 * keeps names to itself.
 */
const endOrphanedLocks = `
  with alive as materialized (
    select substr(application_name, length('${sessionName('')}') + 1) as instance
    from pg_stat_activity
    where application_name like '${sessionName('%')}'
  ), held as materialized (
    select id, token from unnest($4::text[], $5::text[]) as held (id, token)
  ), missing as materialized (
    select distinct processed_by as instance from job
    where queue = $1 and state = 'active' and locked_until_ms > 0 and processed_by <> $2
      and processed_by not in (select instance from alive) and $2 in (select instance from alive)
  ), ended as (
    update job set locked_until_ms = 0
    where queue = $1 and state = 'active' and locked_until_ms > 0
      and case
        when processed_by = $2
          then processed_at_ms < $3 and (id, lock_token) not in (select id, token from held)
        else processed_by in (select instance from missing) and processed_by = any($6::text[])
      end
  )
  select instance, null as id, null as token from missing
  union all
  select null, id, token from held
  where not exists (select from job where queue = $1 and job.id = held.id and lock_token = held.token)`;

type Orphaned = { instance: string; id: null; token: null } | { instance: null; id: string; token: string };

/**
 * The backend of one queue or worker on connections that it shares. It leaves them open when it closes, and finds jobs
 * that nobody works on long before their locks end.
 */
export class SharingBackend extends PostgresQueueBackend {
  readonly #instance: string;
  /** The jobs that this process has, with the tokens of their locks. */
  readonly #held = new Map<string, string>();
  readonly #absences = new Absences();
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
    this.#hold(next, given[0]);
    return next;
  }

  override moveToCompleted(...given: Finishing) {
    return this.#finish(given[0].id, given[3], super.moveToCompleted(...given));
  }

  override moveToFailed(...given: Failing) {
    return this.#finish(given[0].id, given[3], super.moveToFailed(...given));
  }

  override async moveStalledJobsToWait(): Promise<string[]> {
    await this.#endOrphanedLocks();
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

  async #endOrphanedLocks(): Promise<void> {
    const [ids, tokens] = [[...this.#held.keys()], [...this.#held.values()]];
    const gone = this.#absences.longMissing(performance.now());
    const parameters = [this.queueName, this.#instance, Date.now() - claimMs, ids, tokens, gone];
    try {
      const { rows } = await this.connection.pool.query<Orphaned>(endOrphanedLocks, parameters);
      this.#absences.note(
        rows.flatMap(({ instance }) => instance ?? []),
        performance.now(),
      );
      for (const { id, token } of rows) if (id !== null) this.#drop(id, token);
    } catch (error) {
      this.#absences.forget();
      throw error;
    }
  }

  /** Notes the job of a claim: `[data, id, …]`, without data if there was none. */
  #hold(next: unknown, token: string): void {
    const [data, id] = Array.isArray(next) ? next : [];
    if (data && typeof id === 'string') this.#held.set(id, token);
  }

  /** Another claim of the same job stays. */
  #drop(id: string | undefined, token: string): void {
    if (id !== undefined && this.#held.get(id) === token) this.#held.delete(id);
  }

  /** A completion that the server refused is as final as one that it accepted. BullMQ repeats one without an answer. */
  async #finish(id: string | undefined, token: string, finishing: Promise<Finished>): Promise<Finished> {
    try {
      const finished = await finishing;
      this.#drop(id, token);
      this.#hold(finished.result, token);
      return finished;
    } catch (error) {
      if (error instanceof Error && 'code' in error && typeof error.code === 'number') this.#drop(id, token);
      throw error;
    }
  }
}
