import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerQuestion, takeQuestions } from '#shared/core/carriers/answer-questions.ts';
import { leaveQuestion, questionLimits, waitForAnswer } from '#shared/core/carriers/ask-worker.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
let owner: pg.Client;
beforeAll(async () => {
  core = await openTestCore();
  owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await core.close();
});

const document = Buffer.from('a document');
const found = { answer: { outcome: 'found', mediaType: 'image/png' } as const, content: document };

async function ask({ accountId }: Caller, id: string = randomUUID()): Promise<string | null> {
  const question = {
    shipmentId: randomUUID(),
    proofId: 'signature',
    proof: { kind: 'signature', handle: null, piece: null },
    carrier: 'ups',
    connector: 'ups',
    transportMode: 'parcel',
    identifiers: { tracking_number: '1Z' },
    demonstration: false,
  } as const;
  const isLeft = await withAccount(core.store, accountId, (tx) =>
    leaveQuestion(tx, accountId, { id, kind: 'proof', question }),
  );
  return isLeft ? id : null;
}

const take = (max = 100, running: string[] = []) =>
  takeQuestions(core.ctx, { free: [{ kind: 'proof', max }], running });

const waitFor = ({ accountId }: Caller, id: string, more: { waitMs?: number; signal?: AbortSignal } = {}) =>
  waitForAnswer(core.ctx, { accountId, id, kind: 'proof', waitMs: 30_000, ...more });

const rowsOf = async ({ accountId }: Caller) =>
  (await owner.query('select id, content from landfall.worker_questions where account_id = $1', [accountId])).rows;

it('limits the waiting requests of an account, also at the same moment', async () => {
  const caller = await core.newCaller();
  const left = await Promise.all(Array.from({ length: 12 }, () => ask(caller)));
  const { maxOpen } = questionLimits.proof;
  expect(left.filter((id) => id !== null).length).toBe(maxOpen);
  // Another account has its own.
  expect(await ask(await core.newCaller())).not.toBeNull();
  await owner.query('delete from landfall.worker_questions');
});

it('gives each question to one worker, the oldest first', async () => {
  const caller = await core.newCaller();
  const ids = [await ask(caller), await ask(caller), await ask(caller)];
  const first = (await take(1)).taken.map(({ id }) => id);
  const others = await Promise.all([take(), take(), take()]);
  const taken = [...first, ...others.flatMap((one) => one.taken.map(({ id }) => id))];
  expect(first).toEqual([ids[0]]);
  expect(taken.toSorted()).toEqual(ids.toSorted());
});

it('deletes an answer as it is read, with its document', async () => {
  const caller = await core.newCaller();
  const id = (await ask(caller)) ?? '';
  const waiting = waitFor(caller, id);
  const question = (await take()).taken.find((one) => one.id === id);
  if (question?.kind !== 'proof') throw new Error('the question was not taken');
  await answerQuestion(core.ctx, question, found);
  const { answer, content } = await waiting;
  expect(answer).toEqual(found.answer);
  expect(content?.equals(document)).toBe(true);
  expect(await rowsOf(caller)).toEqual([]);
});

it('deletes an unread question within a minute, and accepts no answer after that', async () => {
  const caller = await core.newCaller();
  const id = (await ask(caller)) ?? '';
  const question = (await take()).taken.find((one) => one.id === id);
  if (question?.kind !== 'proof') throw new Error('the question was not taken');
  await answerQuestion(core.ctx, question, found);
  const { rows } = await owner.query(
    `select expires_at - created_at <= interval '1 minute' as soon from landfall.worker_questions where id = $1`,
    [id],
  );
  expect(rows).toEqual([{ soon: true }]);
  // The process of the request has died.
  await owner.query(
    `update landfall.worker_questions set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'
     where id = $1`,
    [id],
  );
  expect((await take(1, [id])).unasked).toEqual([id]);
  expect(await rowsOf(caller)).toEqual([]);
  await answerQuestion(core.ctx, question, found);
  expect(await rowsOf(caller)).toEqual([]);
});

it('forgets the question of a request that has ended, so that its worker ends the work', async () => {
  const caller = await core.newCaller();
  const [left, other] = [(await ask(caller)) ?? '', (await ask(caller)) ?? ''];
  await take();
  const gone = new AbortController();
  const waiting = waitFor(caller, left, { signal: gone.signal });
  gone.abort(new Error('the client is gone'));
  await expect(waiting).rejects.toThrow('the client is gone');
  expect((await take(1, [left, other])).unasked).toEqual([left]);
  await expect(waitFor(caller, other, { waitMs: 0 })).rejects.toMatchObject({ code: 'unavailable' });
  expect(await rowsOf(caller)).toEqual([]);
});
