import type { Answer, Question, QuestionKind } from '#shared/domain/carriers/worker-question.ts';
import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

export type Sealed = { keyVersion: string; sealed: Uint8Array };

export type NewQuestion<Kind extends QuestionKind> = {
  id: string;
  kind: Kind;
  question: Question<Kind>;
  sealed: Sealed | null;
  traceparent: string | null;
  /** When nobody waits any more. */
  expiresInMs: number;
};

/** Asks the workers, unless the account waits for `maxOpen` answers of this kind already: then false. */
export async function insertQuestion<Kind extends QuestionKind>(
  tx: Tx,
  accountId: string,
  { id, kind, question, sealed, traceparent, expiresInMs }: NewQuestion<Kind>,
  maxOpen: number,
): Promise<boolean> {
  // Otherwise, requests of the same moment would not count each other.
  await tx.query({
    name: 'lock-questions-of-account',
    text: `select pg_advisory_xact_lock(hashtextextended('landfall.worker_questions ' || $1, 0))`,
    values: [accountId],
  });
  const { rowCount } = await tx.query({
    name: 'insert-worker-question',
    text: `
      insert into landfall.worker_questions
        (account_id, id, kind, question, key_version, sealed, traceparent, expires_at)
      select $1, $2, $3, $4::jsonb, $5, $6, $7, now() + make_interval(secs => $8)
      where (
        select count(*) from landfall.worker_questions as q
        where q.account_id = $1 and q.kind = $3 and q.expires_at > now()
      ) < $9`,
    values: [
      accountId,
      id,
      kind,
      JSON.stringify(question),
      sealed?.keyVersion ?? null,
      sealed?.sealed ?? null,
      traceparent,
      expiresInMs / 1000,
      maxOpen,
    ],
  });
  return rowCount === 1;
}

export type AnsweredQuestion<Kind extends QuestionKind> = { answer: Answer<Kind>; content: Buffer | null };

/** Takes the answer and deletes it. Null: there is none yet. */
export async function takeAnswer<Kind extends QuestionKind>(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<AnsweredQuestion<Kind> | null> {
  const rows = await readRows<AnsweredQuestion<Kind>>(tx, {
    name: 'take-worker-answer',
    text: `
      delete from landfall.worker_questions
      where account_id = $1 and id = $2 and answer is not null
      returning answer, content`,
    values: [accountId, id],
  });
  return rows[0] ?? null;
}

export async function deleteQuestion(tx: Tx, accountId: string, id: string): Promise<void> {
  await tx.query({
    name: 'delete-worker-question',
    text: 'delete from landfall.worker_questions where account_id = $1 and id = $2',
    values: [accountId, id],
  });
}

/** A question that this worker has taken. */
export type TakenQuestion<Kind extends QuestionKind = QuestionKind> = {
  accountId: string;
  id: string;
  kind: Kind;
  question: Question<Kind>;
  sealed: { keyVersion: string; sealed: Buffer } | null;
  traceparent: string | null;
};

type TakenRow = {
  accountId: string;
  id: string;
  kind: QuestionKind;
  question: Question<QuestionKind>;
  keyVersion: string | null;
  sealed: Buffer | null;
  traceparent: string | null;
};

/**
 * Takes up to `max` questions of each kind for which a request still waits, oldest first, and removes their sealed
 * credentials. Deletes those that nobody waits for.
 */
export async function takeQuestions(
  tx: Tx,
  free: readonly { kind: QuestionKind; max: number }[],
): Promise<TakenQuestion[]> {
  const rows = await readRows<TakenRow>(tx, {
    name: 'take-worker-questions',
    text: `
      with late as (
        delete from landfall.worker_questions where expires_at <= now()
      ),
      taken as (
        select q.account_id, q.id, q.key_version, q.sealed
        from unnest($1::text[], $2::integer[]) as f (kind, max)
        cross join lateral (
          select account_id, id, key_version, sealed from landfall.worker_questions
          where kind = f.kind and taken_at is null and expires_at > now()
          order by created_at
          limit f.max
          for update skip locked
        ) as q
      )
      update landfall.worker_questions as q
      set taken_at = now(), key_version = null, sealed = null
      from taken as t
      where q.account_id = t.account_id and q.id = t.id
      returning q.account_id, q.id, q.kind, q.question, q.traceparent, t.key_version, t.sealed`,
    values: [free.map(({ kind }) => kind), free.map(({ max }) => max)],
  });
  return rows.map(({ accountId, keyVersion, sealed, ...row }) => ({
    ...row,
    accountId,
    sealed: keyVersion === null || sealed === null ? null : { keyVersion, sealed },
  }));
}

/** Finds which of these questions no caller waits for any more. */
export async function findUnasked(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await readRows<{ id: string }>(tx, {
    name: 'find-unasked-questions',
    text: `
      select id from unnest($1::uuid[]) as id
      where not exists (select from landfall.worker_questions as q where q.id = id.id and q.expires_at > now())`,
    values: [ids],
  });
  return rows.map(({ id }) => id);
}

/** Does nothing if nobody waits for the answer any more. */
export async function answerQuestion<Kind extends QuestionKind>(
  tx: Tx,
  { accountId, id }: Pick<TakenQuestion, 'accountId' | 'id'>,
  { answer, content }: { answer: Answer<Kind>; content: Uint8Array | null },
): Promise<void> {
  await tx.query({
    name: 'answer-worker-question',
    text: `
      update landfall.worker_questions set answer = $3::jsonb, content = $4
      where account_id = $1 and id = $2 and expires_at > now()`,
    values: [accountId, id, JSON.stringify(answer), content],
  });
}
