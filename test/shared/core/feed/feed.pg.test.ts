import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type ChangesInput, listChanges } from '#shared/core/feed/list-changes.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { type Change, changedShipmentOf, shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { appendChanges, type NewChange } from '#shared/store/feed/changes.ts';
import { deleteOldChanges } from '#shared/store/removal/expire-records.ts';
import { sequenceWaitingChanges } from '#shared/store/system/sequence-changes.ts';
import { type Tx, withAccount, withSystem } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let caller: Caller;
let shipment: Shipment;

beforeEach(async () => {
  await core?.close();
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
  ({ shipment } = await registerShipment(core.ctx, caller, oceanRegistration()));
  await positionAll();
});

afterAll(() => core.close());

it('returns a change that is committed after later ones exactly once to a reader that only moves forward', async () => {
  const seen: string[] = [];
  let after = 1;
  const read = async () => {
    await positionAll();
    const page = await list({ after });
    seen.push(...page.changes.map((change) => change.traceparent ?? ''));
    after = page.nextAfter;
  };

  const slow = await holdOpen([change('slow')]);
  await write([change('first')]);
  await read();
  await write([change('second')]);
  await read();
  expect(seen).toEqual(['first', 'second']);
  await slow.commit();
  await read();
  await read();
  expect(seen).toEqual(['first', 'second', 'slow']);
});

it('leaves no gap in the sequences for a change that is rolled back', async () => {
  const lost = await holdOpen([change('lost')]);
  await write([change('before')]);
  await lost.rollback();
  await write([change('after')]);
  await positionAll();
  const { changes } = await list();
  expect(changes.map(({ sequence, traceparent }) => [sequence, traceparent])).toEqual([
    [1, null],
    [2, 'before'],
    [3, 'after'],
  ]);
});

it('keeps the order of changes of one transaction and of one shipment', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `step ${index}`);
  for (let start = 0; start < names.length; start += 3)
    await write(names.slice(start, start + 3).map((name) => change(name)));
  while ((await sequenceWaitingChanges(core.store, 7))?.count !== 0);
  expect((await list()).changes.slice(1).map((found) => found.traceparent)).toEqual(names);
});

it('gives every change one sequence without gaps when sequencers run concurrently', async () => {
  for (let turn = 0; turn < 20; turn++)
    await write(Array.from({ length: 25 }, (_, index) => change(`${turn} ${index}`)));
  let given = 0;
  while (given < 500) {
    const counts = await Promise.all([1, 2, 3, 4].map(() => sequenceWaitingChanges(core.store, 17)));
    given += counts.reduce((sum, sequenced) => sum + (sequenced?.count ?? 0), 0);
  }
  expect(given).toBe(500);
  expect(await sequenceWaitingChanges(core.store, 100)).toEqual({ count: 0, accountIds: [] });
  const sequences = (await readAll()).map((found) => found.sequence);
  expect(sequences).toEqual(Array.from({ length: 501 }, (_, index) => index + 1));
});

it('does not wait for another sequencer, and undoes one that dies midway', async () => {
  await write([change('one'), change('two')]);
  const dying = await core.store.system.connect();
  await dying.query('begin');
  const { rows } = await dying.query('select sequenced from landfall.give_sequences(1)');
  expect(rows).toEqual([{ sequenced: 1 }]);
  expect(await sequenceChanges(core.ctx)).toBeNull();
  expect((await list({ after: 1 })).changes).toEqual([]);
  expect((await list({ after: 1 })).latestSequence).toBe(1);
  const ended = new Promise((resolve) => dying.once('end', resolve));
  dying.release(new Error('the process dies here'));
  await ended;
  // The server notices the closed connection by itself. Until then the lock is held.
  let given = await sequenceChanges(core.ctx);
  while (given === null) given = await sequenceChanges(core.ctx);
  expect(given).toBe(2);
  expect((await list({ after: 1 })).changes.map(({ sequence }) => sequence)).toEqual([2, 3]);
});

it('continues sequences after everything was deleted and reports the gap to a reader that missed it', async () => {
  await write([change('old 1'), change('old 2'), change('old 3')]);
  await positionAll();
  await system(`update landfall.changes set created_at = now() - interval '31 days'`);
  await write([change('new')]);
  await positionAll();
  const remove = () => withSystem(core.store, (tx) => deleteOldChanges(tx, { keptDays: 30, limit: 3 }));
  expect([await remove(), await remove(), await remove()]).toEqual([3, 1, 0]);

  expect(await list({ after: 2 })).toMatchObject({ gap: true, oldestSequence: 5, latestSequence: 5, nextAfter: 5 });
  expect(await list({ after: 4 })).toMatchObject({ gap: false });
  expect(await list()).toMatchObject({ gap: false, changes: [{ sequence: 5, traceparent: 'new' }] });

  await system(`update landfall.changes set created_at = now() - interval '31 days'`);
  expect(await remove()).toBe(1);
  await write([change('later')]);
  await positionAll();
  expect((await list()).changes.map(({ sequence, traceparent }) => [sequence, traceparent])).toEqual([[6, 'later']]);
});

it('deletes only the start of the feed, nothing recent and nothing without a sequence', async () => {
  await write([change('old'), change('young'), change('old, but behind a young one')]);
  await positionAll();
  await write([change('old and waiting')]);
  await system(
    `update landfall.changes set created_at = now() - interval '31 days' where coalesce(traceparent, '') <> 'young'`,
  );
  await withSystem(core.store, (tx) => deleteOldChanges(tx, { keptDays: 30, limit: 100 }));
  await positionAll();
  expect((await readAll()).map((found) => found.traceparent)).toEqual([
    'young',
    'old, but behind a young one',
    'old and waiting',
  ]);
});

it('counts sequences per account, so that they reveal nothing of other accounts', async () => {
  const stranger = await core.newCaller();
  for (let count = 0; count < 3; count++) await registerShipment(core.ctx, stranger, oceanRegistration());
  await write([change('own')]);
  await positionAll();
  expect(await list()).toMatchObject({
    latestSequence: 2,
    nextAfter: 2,
    changes: [{ sequence: 1 }, { sequence: 2, traceparent: 'own' }],
  });
  expect(await listChanges(core.ctx, stranger, whole)).toMatchObject({
    latestSequence: 3,
    changes: [{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }],
  });
  const newcomer = await core.newCaller();
  expect(await listChanges(core.ctx, newcomer, whole)).toMatchObject({ latestSequence: 0, nextAfter: 0, gap: false });
});

it('deletes the old start of every feed, of each account for itself', async () => {
  const stranger = await core.newCaller();
  await registerShipment(core.ctx, stranger, oceanRegistration());
  await write([change('old'), change('young')]);
  await positionAll();
  await system(
    `update landfall.changes set created_at = now() - interval '31 days' where coalesce(traceparent, '') <> 'young'`,
  );
  const remove = () => withSystem(core.store, (tx) => deleteOldChanges(tx, { keptDays: 30, limit: 2 }));
  expect([await remove(), await remove(), await remove()].reduce((sum, count) => sum + count, 0)).toBe(3);
  expect(await list({ after: 1 })).toMatchObject({ gap: true, oldestSequence: 3, changes: [{ traceparent: 'young' }] });
  expect(await listChanges(core.ctx, stranger, { ...whole, after: 1 })).toMatchObject({
    gap: false,
    oldestSequence: 2,
    changes: [],
  });
});

it('deletes the live and the test feed in the order of their common sequences', async () => {
  const isTest = [false, true, true, false, true, false];
  await write(isTest.map((test, at) => ({ ...change(`${at}`), test })));
  await positionAll();
  await system(`update landfall.changes set created_at = now() - interval '31 days'`);
  const oldest: number[] = [];
  while ((await withSystem(core.store, (tx) => deleteOldChanges(tx, { keptDays: 30, limit: 1 }))) === 1) {
    const sequences = [caller, { ...caller, test: true }].map(async (reader) =>
      (await listChanges(core.ctx, reader, whole)).changes.map(({ sequence }) => sequence),
    );
    const left = (await Promise.all(sequences)).flat().toSorted((one, another) => one - another);
    const { oldestSequence, latestSequence } = await list();
    expect(left).toEqual(Array.from({ length: latestSequence - oldestSequence + 1 }, (_, at) => oldestSequence + at));
    oldest.push(oldestSequence);
  }
  expect(oldest).toEqual(Array.from({ length: isTest.length + 1 }, (_, at) => at + 2));
});

it('separates types, shipments, test mode and accounts', async () => {
  const other = (await registerShipment(core.ctx, caller, oceanRegistration())).shipment;
  const tester = { ...caller, test: true };
  const tried = (await registerShipment(core.ctx, tester, oceanRegistration({ identifiers: { mbl: 'TEST-BOOKED' } })))
    .shipment;
  const stranger = await core.newCaller();
  await registerShipment(core.ctx, stranger, oceanRegistration());
  await write([
    { ...change('a'), type: 'shipment.eta_changed' },
    { ...change('b'), type: 'shipment.updated' },
    { ...change('c'), type: 'shipment.eta_changed' },
    { ...change('d'), type: 'shipment.stale' },
  ]);
  await positionAll();
  const found = async (input: Partial<ChangesInput>, by = caller) =>
    (await listChanges(core.ctx, by, { ...whole, ...input })).changes;

  expect((await found({})).map((change) => changedShipmentOf(change)?.id)).toEqual([
    shipment.id,
    other.id,
    ...Array(4).fill(shipment.id),
  ]);
  expect((await found({}, tester)).map((change) => changedShipmentOf(change)?.id)).toEqual([tried.id]);
  expect((await found({ shipmentId: other.id })).map(({ type }) => type)).toEqual(['shipment.created']);
  expect(await found({ shipmentId: shipment.id }, stranger)).toEqual([]);
  expect(await found({ shipmentId: shipment.id }, tester)).toEqual([]);
  const types: ChangesInput['types'] = ['shipment.stale', 'shipment.eta_changed'];
  expect((await found({ types })).map(({ traceparent }) => traceparent)).toEqual(['a', 'c', 'd']);
  expect((await found({ types, shipmentId: shipment.id })).map(({ traceparent }) => traceparent)).toEqual([
    'a',
    'c',
    'd',
  ]);

  const first = await listChanges(core.ctx, caller, { ...whole, types, limit: 2 });
  expect(first).toMatchObject({ hasMore: true, changes: [{ traceparent: 'a' }, { traceparent: 'c' }] });
  const second = await listChanges(core.ctx, caller, { ...whole, types, limit: 2, after: first.nextAfter });
  expect(second).toMatchObject({ hasMore: false, changes: [{ traceparent: 'd' }], nextAfter: second.latestSequence });
});

it('lets a reader start at the end and refuses a sequence beyond it', async () => {
  const end = await list({ after: 'latest' });
  expect(end).toMatchObject({ changes: [], hasMore: false, nextAfter: 1, latestSequence: 1 });
  await write([change('next')]);
  await positionAll();
  expect((await list({ after: end.nextAfter })).changes).toMatchObject([{ traceparent: 'next' }]);
  await expect(list({ after: 3 })).rejects.toMatchObject({
    code: 'validation_failed',
    mistakes: [{ pointer: '?after' }],
  });
});

it('denies requests to rewrite the feed or its sequences', async () => {
  for (const text of [
    'update landfall.changes set sequence = 7',
    'delete from landfall.changes',
    'update landfall.account_feeds set given = 7',
  ]) {
    await expect(
      withAccount(core.store, caller.accountId, (tx) => tx.query(text)),
      text,
    ).rejects.toThrow(/permission denied/);
  }
  for (const call of ['give_sequences(1)', 'start_feed_generation()']) {
    const calling = withAccount(core.store, caller.accountId, (tx) => tx.query(`select landfall.${call}`));
    await expect(calling, call).rejects.toThrow(/permission denied/);
  }
});

const whole: ChangesInput = {
  after: null,
  types: null,
  shipmentId: null,
  narrowedBy: { codes: [], legRoles: [], classifiers: [] },
  limit: 500,
};

function list(input: Partial<ChangesInput> = {}) {
  return listChanges(core.ctx, caller, { ...whole, ...input });
}

async function readAll(): Promise<Change[]> {
  const found: Change[] = [];
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await list({ after, limit: 100 });
    found.push(...page.changes);
    ({ nextAfter: after, hasMore } = page);
  }
  return found;
}

/** A change with a traceparent of its own to find it by. */
function change(name: string): NewChange {
  const data = { shipment: shipmentSnapshot(shipment), changes: {} };
  return { type: 'shipment.updated', shipmentId: shipment.id, test: false, data, traceparent: name };
}

function write(changes: NewChange[]): Promise<void> {
  return withAccount(core.store, caller.accountId, (tx) => appendChanges(tx, caller.accountId, changes));
}

async function holdOpen(changes: NewChange[]): Promise<{ commit: () => Promise<void>; rollback: () => Promise<void> }> {
  const written = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const running = withAccount(core.store, caller.accountId, async (tx: Tx) => {
    await appendChanges(tx, caller.accountId, changes);
    written.resolve();
    await end.promise;
  });
  await written.promise;
  return {
    commit: async () => {
      end.resolve();
      await running;
    },
    rollback: async () => {
      end.reject(new Error(`rolled back ${randomUUID()}`));
      await running.catch(() => undefined);
    },
  };
}

async function positionAll(): Promise<void> {
  while ((await sequenceChanges(core.ctx)) !== 0);
}

function system(text: string): Promise<unknown> {
  return withSystem(core.store, (tx) => tx.query(text));
}
