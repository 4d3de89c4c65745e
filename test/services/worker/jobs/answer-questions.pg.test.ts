import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQuestionAnswering } from '#services/worker/jobs/answer-questions.ts';
import { leaveQuestion, waitForAnswer } from '#shared/core/carriers/ask-worker.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});
afterAll(() => core.close());

const answer = { outcome: 'accepted', message: '', httpStatus: null, durationMs: 0, retryAfterMs: null } as const;

/** A worker whose checks last until they are ended. */
function openWorker(max: number, stopping = new AbortController()) {
  const signals: AbortSignal[] = [];
  const untilEnded = async (_question: unknown, signal: AbortSignal) => {
    signals.push(signal);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { answer, content: null };
  };
  const nothing = { max: 0, answer: () => Promise.reject(new Error('nobody asked for a document')) };
  const answerers = { credential_check: { max, answer: untilEnded }, proof: nothing };
  return { signals, stopping, ...createQuestionAnswering(core.ctx, answerers, stopping.signal) };
}

async function ask({ accountId }: Caller): Promise<string> {
  const id = randomUUID();
  const question = { carrier: 'dhl', connector: 'dhl' };
  await withAccount(core.store, accountId, (tx) =>
    leaveQuestion(tx, accountId, { id, kind: 'credential_check', question }),
  );
  return id;
}

const leave = ({ accountId }: Caller, id: string) =>
  waitForAnswer(core.ctx, { accountId, id, kind: 'credential_check', waitMs: null, signal: AbortSignal.abort() }).catch(
    () => undefined,
  );

it('ends the work for a request that has ended, and no other', async () => {
  const caller = await core.newCaller();
  const worker = openWorker(8);
  const first = await ask(caller);
  await worker.run();
  const second = await ask(caller);
  await worker.run();
  await leave(caller, first);
  await worker.run();
  expect(worker.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await leave(caller, second);
  await worker.run();
  await worker.end();
});

it('accepts no more questions than it may work on, and ends all of them with the worker', async () => {
  const caller = await core.newCaller();
  for (let count = 0; count < 3; count++) await ask(caller);
  const worker = openWorker(2);
  for (let count = 0; count < 3; count++) await worker.run();
  expect(worker.signals.length).toBe(2);
  worker.stopping.abort();
  await worker.end();
  expect(worker.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
