import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LandfallError } from '#shared/domain/errors.ts';
import { openAccountTurns } from '#shared/store/account-turns.ts';
import { endOnAbort } from '#shared/store/end-on-abort.ts';
import { inTransaction } from '#shared/store/in-transaction.ts';
import type { Store } from '#shared/store/open-store.ts';
import type { Write } from '#shared/store/send-in-order.ts';
import { type Tx, withAccount, withAccountByKey } from '#shared/store/with-account.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

let core: TestCore;
let accountId: string;

beforeAll(async () => {
  core = await openTestCore();
  ({ accountId } = await core.newCaller());
});

afterAll(() => core.close());

async function backendOf(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

/** Holds every connection of the pool until `release` and returns their backends. */
async function holdAll(): Promise<{ backends: number[]; release: () => Promise<unknown> }> {
  const { promise: free, resolve } = Promise.withResolvers<void>();
  const arrivals = Array.from({ length: core.store.app.options.max }, () => Promise.withResolvers<number>());
  const held = arrivals.map((arrival) =>
    withAccount(core.store, accountId, async (tx) => {
      arrival.resolve(await backendOf(tx));
      await free;
    }),
  );
  const backends = await Promise.all(arrivals.map((arrival) => arrival.promise));
  const release = () => {
    resolve();
    return Promise.all(held);
  };
  return { backends, release };
}

test('runs nothing and uses no connection for work that was cancelled while waiting', async () => {
  const { backends, release } = await holdAll();
  const cancellation = new AbortController();
  const cancelled: Store = { ...core.store, signal: cancellation.signal };
  let ran = 0;
  const abandoned = Array.from({ length: 20 }, () =>
    withAccount(cancelled, accountId, async () => {
      ran += 1;
    }),
  );
  const next = withAccount(core.store, accountId, backendOf);
  const outcomes = Promise.allSettled(abandoned);
  cancellation.abort();
  await release();
  expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true);
  expect(ran).toBe(0);
  expect(backends).toContain(await next);
});

test('reports work that was cancelled before its turn as cancelled, for any reason of its signal', async () => {
  const turns = { app: openAccountTurns(1), reads: openAccountTurns(1) };
  const { promise: free, resolve } = Promise.withResolvers<void>();
  const held = withAccount({ ...core.store, turns }, accountId, () => free);
  const outcomeOf = async (reason?: unknown) => {
    const cancellation = new AbortController();
    const store: Store = { ...core.store, turns, signal: cancellation.signal };
    const waiting = withAccount(store, accountId, async () => undefined);
    const outcome = waiting.catch((error: unknown) => error);
    cancellation.abort(reason);
    expect(await withAccount(store, accountId, async () => undefined).catch((error: unknown) => error)).toEqual(
      await outcome,
    );
    return outcome;
  };
  const cancelled = { code: 'unavailable', message: 'The request was cancelled before its turn.' };
  expect(await outcomeOf()).toMatchObject(cancelled);
  expect(await outcomeOf('a reason that is no error')).toMatchObject(cancelled);
  const own = new LandfallError('unavailable', 'The client disconnected.');
  expect(await outcomeOf(own)).toBe(own);
  resolve();
  await held;
});

test('rejects work that is cancelled while running and discards its connection', async () => {
  const cancellation = new AbortController();
  const { promise: begun, resolve } = Promise.withResolvers<number>();
  const work = withAccount({ ...core.store, signal: cancellation.signal }, accountId, async (tx) => {
    resolve(await backendOf(tx));
    await tx.query('select pg_sleep(4)');
  });
  const outcome = expect(work).rejects.toMatchObject({ code: 'unavailable' });
  const backend = await begun;
  cancellation.abort();
  await outcome;
  const { backends, release } = await holdAll();
  await release();
  expect(backends).not.toContain(backend);
});

test('ends the connection when the cancel request can’t be sent', async () => {
  const tx = await core.store.app.connect();
  tx.on('error', () => undefined);
  const cancellation = new AbortController();
  // No server listens there.
  endOnAbort(Object.assign(tx, { port: 1 }), cancellation.signal);
  const asleep = tx.query('select pg_sleep(60)');
  cancellation.abort();
  await expect(asleep).rejects.toThrow('Connection terminated');
  tx.release(new Error('ended'));
});

test('resets the planner settings of a transaction by key, even after a failure', async () => {
  const plannedByHash = async (tx: Tx) => {
    const { rows } = await tx.query<{ setting: string }>(`select current_setting('enable_hashjoin') as setting`);
    return rows[0]?.setting;
  };
  expect(await withAccountByKey(core.store, accountId, plannedByHash)).toBe('off');
  await expect(withAccountByKey(core.store, accountId, () => Promise.reject(new Error('no')))).rejects.toThrow('no');

  const { release } = await holdAll();
  await release();
  const connections = Array.from({ length: core.store.app.options.max }, () =>
    withAccount(core.store, accountId, plannedByHash),
  );
  expect(new Set(await Promise.all(connections))).toEqual(new Set(['on']));
});

test.each([
  ['app', false],
  ['system', true],
] as const)('writes nothing after a failed begin and reports its reason: %s', async (pool, isAwaited) => {
  for (const text of ['begin; select 1/0', 'no begin at all']) {
    const actor = `${pool}-${text}`;
    const write = (tx: Tx) =>
      tx.query('insert into landfall.audit (account_id, actor, action, subject_type) values ($1, $2, $2, $2)', [
        accountId,
        actor,
      ]);
    await expect(inTransaction(core.store[pool], { text, isAwaited }, write)).rejects.toThrow(
      /division by zero|syntax error/,
    );
    const { rows } = await withAccount(core.store, accountId, (tx) =>
      tx.query('select from landfall.audit where actor = $1', [actor]),
    );
    expect(rows).toEqual([]);
  }
});

describe('commits with the last writes', () => {
  const noteOf =
    (actor: string): Write =>
    (tx) =>
      tx.query('insert into landfall.audit (account_id, actor, action, subject_type) values ($1, $2, $2, $2)', [
        accountId,
        actor,
      ]);
  const notes = async (prefix: string) => {
    const { rows } = await withAccount(core.store, accountId, (tx) =>
      tx.query<{ actor: string }>('select actor from landfall.audit where actor like $1 order by id', [`${prefix}%`]),
    );
    return rows.map(({ actor }) => actor);
  };

  test('in order, without awaiting an answer in between', async () => {
    const log: string[] = [];
    await withAccountByKey(core.store, accountId, async (tx, commitWith) => {
      await tx.query('select 1');
      const query = tx.query.bind(tx) as (...of: unknown[]) => Promise<unknown>;
      const logged = (...of: unknown[]) => {
        log.push('sent');
        return query(...of).finally(() => log.push('answered'));
      };
      Object.assign(tx, { query: logged });
      await commitWith([
        noteOf('order 1'),
        async () => undefined,
        slowly(noteOf('order 2')),
        noteOf('order 3'),
      ]).finally(() => Object.assign(tx, { query }));
    });
    expect(log).toEqual([...Array.from({ length: 4 }, () => 'sent'), ...Array.from({ length: 4 }, () => 'answered')]);
    expect(await notes('order')).toEqual(['order 1', 'order 2', 'order 3']);
  });

  test('or with none of them if PostgreSQL refuses one, and throws that error', async () => {
    const refused: Write = async (tx) => {
      await tx.query('select 1 / 0').catch(async (error: unknown) => {
        // Its error must not be overtaken by those of the writes behind it.
        await new Promise(setImmediate);
        throw error;
      });
    };
    await expect(
      withAccountByKey(core.store, accountId, (_tx, commitWith) =>
        commitWith([noteOf('refused 1'), refused, noteOf('refused 2')]),
      ),
    ).rejects.toThrow('division by zero');
    expect(await notes('refused')).toEqual([]);
  });

  test('or with none of them if one fails before it sends anything', async () => {
    await expect(
      withAccountByKey(core.store, accountId, (_tx, commitWith) =>
        commitWith([
          noteOf('unsent 1'),
          async () => {
            throw new Error('not composed');
          },
          noteOf('unsent 2'),
        ]),
      ),
    ).rejects.toThrow('not composed');
    expect(await notes('unsent')).toEqual([]);
  });

  test('and refuses a statement that a write sends after an answer', async () => {
    const late: Write = async (tx) => {
      await tx.query('select 1');
      await noteOf('late')(tx);
    };
    await expect(withAccountByKey(core.store, accountId, (_tx, commitWith) => commitWith([late]))).rejects.toThrow(
      'after the answer',
    );
    expect(await notes('late')).toEqual([]);
  });

  function slowly(write: Write): Write {
    return async (tx) => {
      await Promise.resolve();
      return write(tx);
    };
  }
});
