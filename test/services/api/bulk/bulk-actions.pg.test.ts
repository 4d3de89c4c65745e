import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { toBulkActionId } from '#shared/contract/bulk/bulk-action-wire.ts';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { type BulkInput, startBulkAction } from '#shared/core/bulk/bulk-actions.ts';
import { runBulkActions } from '#shared/core/bulk/run-bulk-actions.ts';
import { ensureOrganization } from '#shared/store/auth/members.ts';
import { withAuth } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
let database: pg.Pool;
const signal = new AbortController().signal;

beforeAll(async () => {
  api = await startTestApi({}, { openDatabase: ownDatabase });
  database = new pg.Pool({ connectionString: api.databaseUrl, max: 2 });
});

afterAll(async () => {
  await database.end();
  await api.close();
});

it('archives all shipments of a filter with the changes of an archive by hand, and undoes it', async () => {
  const ids = await register(120, ['spring']);
  const [byHand = '', ...others] = await register(2, ['autumn']);
  await api.request(`/v1/shipments/${byHand}`, { method: 'DELETE' });
  const before = await lastWritten();

  const started = await start({ action: 'archive', filter: { tag: ['spring'] } });
  expect(started).toMatchObject({ state: 'finding', total: 0, action: 'archive', undoes: null });
  await runAll();

  const done = await get(started.bulk_action_id);
  expect(done).toMatchObject({ state: 'completed', total: 120, processed: 120, changed: 120, unchanged: 0, failed: 0 });
  expect(done.completed_at).not.toBeNull();
  expect(await countListed('tag=spring')).toBe(0);
  expect(await countListed('tag=autumn')).toBe(others.length);
  const changes = await changesAfter(before);
  expect(changes.map(({ shipment }) => shipment).toSorted()).toEqual(uuidsOf(ids));
  const [handUuid] = uuidsOf([byHand]);
  const hand = (await changesAfter(0)).filter(({ shipment }) => shipment === handUuid).at(-1);
  expect(hand?.type).toBe('shipment.updated');
  for (const { type, changes: made } of changes) expect([type, made]).toEqual([hand?.type, hand?.changes]);

  const undo = await jsonOf(await api.post(`/v1/bulk-actions/${started.bulk_action_id}/undo`, {}));
  expect(undo).toMatchObject({ action: 'restore', undoes: started.bulk_action_id, state: 'running', total: 120 });
  const again = await jsonOf(await api.post(`/v1/bulk-actions/${started.bulk_action_id}/undo`, {}));
  expect(again.bulk_action_id).toBe(undo.bulk_action_id);
  await runAll();
  expect(await get(undo.bulk_action_id)).toMatchObject({ state: 'completed', changed: 120 });
  expect(await countListed('tag=spring')).toBe(120);
});

it('tags named shipments, and reports which could not be changed', async () => {
  const [first = '', second = ''] = await register(2, ['old', 'kept']);
  const [archived = ''] = await register(1, ['old']);
  await api.request(`/v1/shipments/${archived}`, { method: 'DELETE' });
  const foreign = 'shp_01kahf3m2xfr5tq4d8z9w6c7yb';
  const body = {
    action: 'tag',
    tags_add: ['new'],
    tags_remove: ['old'],
    shipment_ids: [first, second, first, foreign],
  };
  const key = { 'idempotency-key': 'tag-them' };
  const started = await jsonOf(await api.post('/v1/bulk-actions', body, key));
  const repeated = await api.post('/v1/bulk-actions', body, key);
  expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  expect((await jsonOf(repeated)).bulk_action_id).toBe(started.bulk_action_id);
  const other = await api.post('/v1/bulk-actions', { ...body, tags_add: ['other'] }, key);
  expect(other.status).toBe(422);

  await runAll();
  expect(await get(started.bulk_action_id)).toMatchObject({
    state: 'completed',
    ...{ total: 3, processed: 3, changed: 2, unchanged: 0, failed: 1 },
    failures: [{ shipment_id: foreign, code: 'shipment_not_found' }],
  });
  expect((await jsonOf(await api.request(`/v1/shipments/${first}`))).tags).toEqual(['kept', 'new']);

  const many = Array.from({ length: 19 }, (_, index) => `tag ${index}`);
  const crowded = await start({ action: 'tag', tags_add: many, shipment_ids: [first] });
  await runAll();
  expect(await get(crowded.bulk_action_id)).toMatchObject({ failed: 1, failures: [{ code: 'validation_failed' }] });

  const stopped = await start({ action: 'stop', shipment_ids: [first, archived] });
  await runAll();
  expect(await get(stopped.bulk_action_id)).toMatchObject({
    changed: 1,
    failed: 1,
    failures: [{ code: 'invalid_state' }],
  });
  const unchanged = await start({ action: 'stop', shipment_ids: [first] });
  await runAll();
  expect(await get(unchanged.bulk_action_id)).toMatchObject({ changed: 0, unchanged: 1, failed: 0 });
  expect((await api.post(`/v1/bulk-actions/${stopped.bulk_action_id}/undo`, {})).status).toBe(409);
});

it('changes every shipment once when a worker dies in the middle of a part', async () => {
  const ids = await register(110, ['killed']);
  const before = await lastWritten();
  const started = await start({ action: 'archive', shipment_ids: ids });
  await runBulkActions(api.ctx.core, { signal });
  expect(await get(started.bulk_action_id)).toMatchObject({ state: 'running', processed: 50 });

  // The last shipment of the second part is locked, so that the worker waits with 49 uncommitted ones.
  const locked = uuidsOf(ids.slice(50, 100)).at(-1);
  const holder = await database.connect();
  await holder.query('begin');
  await holder.query('select from landfall.shipments where id = $1 for update', [locked]);
  const running = runBulkActions(api.ctx.core, { signal });
  const waiting = await until(
    async () => {
      const { rows } = await database.query<{ pid: number }>(
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows[0]?.pid ?? null;
    },
    (pid) => pid !== null,
  );
  await database.query('select pg_terminate_backend($1)', [waiting]);
  await running.catch(() => undefined);
  await holder.query('rollback');
  holder.release();
  expect(await get(started.bulk_action_id)).toMatchObject({ state: 'running', processed: 50 });

  await database.query('update landfall.bulk_actions set retry_at = null');
  // Two workers at once.
  await Promise.all([runAll(), runAll()]);
  expect(await get(started.bulk_action_id)).toMatchObject({ state: 'completed', processed: 110, changed: 110 });
  const changed = (await changesAfter(before)).map(({ shipment }) => shipment);
  expect(changed.toSorted()).toEqual(uuidsOf(ids));
});

it('changes the others when one shipment fails unexpectedly', async () => {
  const ids = await register(3, ['broken']);
  const [broken] = uuidsOf(ids).slice(1);
  await database.query(
    `create function landfall.break_one() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
     create trigger break_one before update on landfall.shipments for each row
       when (new.id = '${broken}' and new.archived_at is not null) execute function landfall.break_one()`,
  );
  const started = await start({ action: 'archive', shipment_ids: ids });
  await runBulkActions(api.ctx.core, { signal });
  expect(await get(started.bulk_action_id)).toMatchObject({ state: 'running', processed: 0 });
  await database.query('update landfall.bulk_actions set retry_at = null');
  await runAll();
  await database.query('drop trigger break_one on landfall.shipments; drop function landfall.break_one()');
  expect(await get(started.bulk_action_id)).toMatchObject({
    state: 'completed',
    ...{ changed: 2, failed: 1 },
    failures: [{ code: 'internal_error' }],
  });
});

it('stops where it is cancelled, and runs at most ten actions of an account', async () => {
  const ids = await register(60, ['cancelled']);
  const started = await start({ action: 'archive', shipment_ids: ids });
  await runBulkActions(api.ctx.core, { signal });
  const undoPath = `/v1/bulk-actions/${started.bulk_action_id}/undo`;
  expect((await api.post(undoPath, {})).status).toBe(409);
  const cancelled = await jsonOf(await api.post(`/v1/bulk-actions/${started.bulk_action_id}/cancel`, {}));
  expect(cancelled).toMatchObject({ state: 'cancelled', total: 60, processed: 50, changed: 50 });
  await runAll();
  expect(await get(started.bulk_action_id)).toEqual(cancelled);

  const some = { action: 'refresh', filter: { tag: ['cancelled'] } };
  for (let open = 0; open < 10; open += 1) await start(some);
  expect((await api.post('/v1/bulk-actions', some)).status).toBe(409);
  await runAll();
  expect((await api.post('/v1/bulk-actions', some)).status).toBe(202);
  await runAll();
});

describe('an action whose starter loses access', () => {
  const lost = [
    {
      how: 'its key is revoked',
      reason: 'key_revoked',
      by: 'key',
      statement: 'update landfall.api_keys set revoked_at = now() where id = $1',
    },
    {
      how: 'its key expires',
      reason: 'key_expired',
      by: 'key',
      statement: 'update landfall.api_keys set expires_at = now() where id = $1',
    },
    {
      how: 'its member is removed',
      reason: 'member_removed',
      by: 'user',
      statement: 'delete from auth.members where user_id = $1',
    },
    {
      how: 'its member becomes a viewer',
      reason: 'permission_lost',
      by: 'user',
      statement: "update auth.members set role = 'viewer' where user_id = $1",
    },
  ] as const;

  it('continues under the key to which its key was rotated, until that one is revoked', async () => {
    const keyId = await addKey();
    const successor = await addKey();
    const caller = { ...operatorOf(api.accountId), keyId };
    const ids = uuidsOf(await register(60, ['rotated']));
    const { started } = await startBulkAction(api.ctx.core, caller, { action: { kind: 'archive' }, source: { ids } });
    await database.query('update landfall.api_keys set expires_at = now(), rotated_to = $2 where id = $1', [
      keyId,
      successor,
    ]);
    await runBulkActions(api.ctx.core, { signal });
    expect(await get(toBulkActionId(started.id))).toMatchObject({ state: 'running', changed: 50 });
    await database.query('update landfall.api_keys set revoked_at = now() where id = $1', [successor]);
    await runAll();
    expect(await get(toBulkActionId(started.id))).toMatchObject({ state: 'stopped', stop_reason: 'key_revoked' });
  });

  it.each(lost)('changes no further shipment once $how', async ({ by, reason, statement }) => {
    const [ids, kept] = [await register(60, [reason]), await register(60, [reason])];
    const starter = by === 'key' ? { keyId: await addKey() } : { keyId: null, userId: await addMember() };
    const caller = { ...operatorOf(api.accountId), ...starter };
    const startAs = async (source: BulkInput['source']) =>
      (await startBulkAction(api.ctx.core, caller, { action: { kind: 'archive' }, source })).started.id;
    const running = await startAs({ ids: uuidsOf(ids) });
    const before = await lastWritten();
    await runBulkActions(api.ctx.core, { signal });
    // Found by a filter: the check comes before the shipments are found, too.
    const finding = await startAs({ filter: { tag: [reason] } });

    await database.query(statement, [starter.userId ?? starter.keyId]);
    await runAll();

    const stopped = { state: 'stopped', stop_reason: reason, completed_at: expect.any(String) };
    expect(await get(toBulkActionId(running))).toMatchObject({ ...stopped, total: 60, processed: 50, changed: 50 });
    expect(await get(toBulkActionId(finding))).toMatchObject({ ...stopped, total: 0, processed: 0 });
    expect(await changesAfter(before)).toHaveLength(50);
    expect(await countListed(`tag=${reason}`)).toBe(ids.length + kept.length - 50);
    const { rows: audited } = await database.query(
      "select actor, detail from landfall.audit where subject_id = $1 and action = 'bulk_action.stopped'",
      [running],
    );
    expect(audited).toEqual([{ actor: 'system', detail: { reason } }]);

    // Another caller may undo what it did.
    const undo = await api.post(`/v1/bulk-actions/${toBulkActionId(running)}/undo`, {});
    expect(undo.status).toBe(202);
    await runAll();
    expect(await countListed(`tag=${reason}`)).toBe(ids.length + kept.length);
  });
});

it('names every mistake in the body', async () => {
  const answer = await api.post('/v1/bulk-actions', {
    action: 'archive',
    tags_add: ['a'],
    filter: { colour: 'red' },
    shipment_ids: ['shp_x'],
  });
  expect(answer.status).toBe(400);
  const pointers = (await jsonOf(answer)).errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(pointers.toSorted()).toEqual(['/filter', '/filter/colour', '/shipment_ids/0', '/tags_add']);
});

async function addKey(): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    `insert into landfall.api_keys (account_id, name, prefix, last_four, key_hash, scopes, test)
     values ($1, 'bulk', 'lf_live_', 'abcd', sha256(uuidv7()::text::bytea), '{shipments:read,shipments:write}', false)
     returning id`,
    [api.accountId],
  );
  return rows[0]?.id ?? '';
}

async function addMember(): Promise<string> {
  const { rows } = await database.query<{ id: string }>(
    "insert into auth.users (name, email) values ('Ann', uuidv7() || '@example.com') returning id",
  );
  const id = rows[0]?.id ?? '';
  await withAuth(api.ctx.core.store, (tx) => ensureOrganization(tx, { accountId: api.accountId, name: 'bulk' }));
  await database.query("insert into auth.members (organization_id, user_id, role) values ($1, $2, 'member')", [
    api.accountId,
    id,
  ]);
  return id;
}

async function register(count: number, tags: string[]): Promise<string[]> {
  const shipments = Array.from({ length: count }, () => ({
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
    tags,
  }));
  const { results } = await jsonOf(await api.post('/v1/shipments/batch', { shipments }));
  return results.map(({ shipment_id: id }: { shipment_id: string }) => id);
}

async function start(body: object): Promise<Json> {
  const answer = await api.post('/v1/bulk-actions', body);
  expect(answer.status).toBe(202);
  const started = await jsonOf(answer);
  expect(answer.headers.get('location')).toBe(`/v1/bulk-actions/${started.bulk_action_id}`);
  return started;
}

async function get(id: string): Promise<Json> {
  return jsonOf(await api.request(`/v1/bulk-actions/${id}`));
}

async function runAll(): Promise<void> {
  while ((await runBulkActions(api.ctx.core, { signal })) > 0) {}
}

async function countListed(query: string): Promise<number> {
  return (await jsonOf(await api.request(`/v1/shipments/counts?${query}`))).total;
}

type Change = { type: string; shipment: string; changes: object };

/** Changes without a sequence number count too. */
async function changesAfter(writtenUpTo: number): Promise<Change[]> {
  const { rows } = await database.query<Change>(
    `select type, shipment_id as shipment, data -> 'changes' as changes from landfall.changes
     where account_id = $1 and write_order > $2 order by write_order`,
    [api.accountId, writtenUpTo],
  );
  return rows;
}

async function lastWritten(): Promise<number> {
  const { rows } = await database.query(
    'select coalesce(max(write_order), 0)::integer as latest from landfall.changes',
  );
  return rows[0].latest;
}

function uuidsOf(ids: readonly string[]): string[] {
  return ids.map((id) => readShipmentId(id) ?? '').toSorted();
}
