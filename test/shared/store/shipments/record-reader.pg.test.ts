import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  journeyShape,
  toJourneyText,
  toWireShipment,
  toWireShipmentText,
} from '#shared/contract/record/shipment-wire.ts';
import { readRecord } from '#shared/core/record/read-record.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { openRecordReader, type RecordReader } from '#shared/store/shipments/record-reader.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type FaultProxy, openFaultProxy } from '#test/support/api/fault-proxy.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { getShipment, oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let proxy: FaultProxy;
let records: RecordReader;

beforeAll(async () => {
  core = await openTestCore({ journeyText: toJourneyText }, ownDatabase);
  proxy = await openFaultProxy(core.serviceUrl);
  records = openReader(proxy.url);
});

afterAll(async () => {
  await records.close();
  await proxy.close();
  await core.close();
});

function openReader(databaseUrl: string, applicationName = 'landfall-test-reader'): RecordReader {
  return openRecordReader({
    databaseUrl,
    applicationName,
    renewAfterMs: 20,
    apart: (work) => work(),
    onError: () => {},
  });
}

async function newShipment(caller: Caller) {
  return (await registerShipment(core.ctx, caller, oceanRegistration({ tags: [caller.accountId] }))).shipment;
}

const read = (caller: Caller, shipmentId: string, shape = journeyShape) =>
  readRecord({ records }, caller, { shipmentId, shape });

const sql = (text: string, ...values: unknown[]) => withSystem(core.store, (tx) => tx.query(text, values));

test('returns what mapping the whole shipment returns, before and after refreshes', async () => {
  const caller = await core.newCaller();
  const { id: shipmentId } = await newShipment(caller);
  const departed = found(
    { code: 'gate_in_full', local: '2026-03-01T08:00' },
    { code: 'departed', local: '2026-03-02T08:00' },
  );
  for (const step of [null, departed, departed]) {
    if (step !== null) await refresh(core.ctx, { accountId: caller.accountId, shipmentId }, step);
    const record = await read(caller, shipmentId);
    expect(typeof record.journey).toBe('string');
    expect(toWireShipmentText(record)).toBe(
      JSON.stringify(toWireShipment(await getShipment(core.ctx, caller, shipmentId))),
    );
  }
});

test('composes the text of an older row, or of a release with another text format, from its journey', async () => {
  const caller = await core.newCaller();
  const { id } = await newShipment(caller);
  const expected = toWireShipmentText(await read(caller, id));
  const other = await read(caller, id, journeyShape + 1);
  expect([typeof other.journey, toWireShipmentText(other)]).toEqual(['object', expected]);
  await sql('update landfall.shipments set journey_text = null, journey_shape = null where id = $1', id);
  const old = await read(caller, id);
  expect([typeof old.journey, toWireShipmentText(old)]).toEqual(['object', expected]);
});

test('clears the old text when a journey is written without one', async () => {
  const caller = await core.newCaller();
  const { id: shipmentId } = await newShipment(caller);
  const { journeyText: _text, ...without } = core.ctx;
  await refresh(
    without,
    { accountId: caller.accountId, shipmentId },
    found({ code: 'departed', local: '2026-03-02T08:00' }),
  );
  expect(await read(caller, shipmentId)).toMatchObject({ status: 'in_transit', journey: { status: 'in_transit' } });
});

test('reads the record written by a release without texts', async () => {
  const caller = await core.newCaller();
  const { id } = await newShipment(caller);
  await sql(`update landfall.shipments set record = jsonb_set(record, '{eventsCount}', '7') where id = $1`, id);
  expect(await read(caller, id)).toMatchObject({ journey: { eventsCount: 7 } });
});

test('never mixes up accounts that read in turn over the one connection', async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const [ours, other] = [await newShipment(mine), await newShipment(theirs)];
  const answers = await Promise.allSettled(
    Array.from({ length: 2000 }, (_, turn) => read(turn % 2 ? mine : theirs, (turn >> 1) % 2 ? ours.id : other.id)),
  );
  for (const [turn, answer] of answers.entries()) {
    const isOwn = turn % 2 === (turn >> 1) % 2;
    if (isOwn) expect(answer).toMatchObject({ value: { accountId: (turn % 2 ? mine : theirs).accountId } });
    else expect(answer).toMatchObject({ reason: { code: 'shipment_not_found' } });
  }
  const { rows } = await sql(
    `select count(*) as n from pg_stat_activity where application_name = 'landfall-test-reader'`,
  );
  expect(rows[0].n).toBe(1);
});

test("another account's shipment, or one across test mode, reads exactly like a missing one", async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const { id } = await newShipment(theirs);
  const refusal = (caller: Caller, shipmentId: string) => read(caller, shipmentId).catch((error: unknown) => error);
  const missing = await refusal(mine, crypto.randomUUID());
  expect(missing).toMatchObject({ code: 'shipment_not_found' });
  expect(await refusal(mine, id)).toEqual(missing);
  expect(await refusal({ ...theirs, test: true }, id)).toEqual(missing);
  expect(await read(theirs, id)).toMatchObject({ id });
});

test('resets the account of a read before the next statement of the connection', async () => {
  const caller = await core.newCaller();
  const { id } = await newShipment(caller);
  const connection = await core.store.app.connect();
  try {
    const { rows } = await connection.query('select id from landfall.read_records($1, $2, $3, $4)', [
      [caller.accountId],
      [id],
      [false],
      [1],
    ]);
    expect(rows).toEqual([{ id }]);
    expect((await connection.query('select id from landfall.shipments')).rows).toEqual([]);
  } finally {
    connection.release();
  }
});

test('returns 503 to reads on a broken connection and opens another for the next read', async () => {
  const caller = await core.newCaller();
  const { id } = await newShipment(caller);
  await read(caller, id);
  proxy.freeze();
  const waiting = [read(caller, id), read(caller, id)];
  const settled = Promise.allSettled(waiting);
  await proxy.cut();
  for (const answer of await settled) expect(answer).toMatchObject({ reason: { code: 'unavailable', retryAfterS: 2 } });
  await expect(read(caller, id)).rejects.toMatchObject({ code: 'unavailable' });
  proxy.thaw();
  await proxy.restore();
  expect((await read(caller, id)).id).toBe(id);
});

test('fails a statement that the server cancels and answers those behind it on the connection', async () => {
  const caller = await core.newCaller();
  const { id } = await newShipment(caller);
  await read(caller, id);
  const { rows } = await sql(`select pid from pg_stat_activity where application_name = 'landfall-test-reader'`);
  const administrator = new pg.Client({ connectionString: core.databaseUrl });
  await administrator.connect();
  try {
    await administrator.query('begin; lock table landfall.polling in access exclusive mode');
    const first = read(caller, id);
    const waiting = async () =>
      (await administrator.query('select from pg_locks where pid = $1 and not granted', [rows[0].pid])).rowCount;
    await expect.poll(waiting).toBe(1);
    const settled = Promise.allSettled([first, read(caller, id)]);
    await administrator.query('select pg_cancel_backend($1)', [rows[0].pid]);
    await expect.poll(waiting).toBe(1);
    await administrator.query('rollback');
    expect(await settled).toMatchObject([{ reason: { code: 'unavailable' } }, { value: { id } }]);
  } finally {
    await administrator.end();
  }
});

test('fails only the invalid read of those that share a statement', async () => {
  const [mine, theirs] = [await core.newCaller(), await core.newCaller()];
  const [ours, other] = [await newShipment(mine), await newShipment(theirs)];
  const answers = await Promise.allSettled([read(mine, ours.id), read(mine, 'no uuid'), read(theirs, other.id)]);
  expect(answers).toMatchObject([{ value: { id: ours.id } }, { status: 'rejected' }, { value: { id: other.id } }]);
});

test('reads from a read-only server only until its address leads to one that takes writes', async () => {
  const caller = await core.newCaller();
  const { id } = await newShipment(caller);
  const owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
  await owner.query(`alter database ${owner.database} set default_transaction_read_only = on`);
  const reader = openReader(core.serviceUrl, 'landfall-test-failover');
  const readByReader = () => readRecord({ records: reader }, caller, { shipmentId: id, shape: journeyShape });
  try {
    expect((await readByReader()).id).toBe(id);
    await owner.query(`alter database ${owner.database} reset default_transaction_read_only`);
    const { rows } = await owner.query<{ at: Date }>('select clock_timestamp() as at');
    // Sessions take the setting when they connect.
    const sessions = async () => {
      const found = await owner.query<{ writable: boolean }>(
        `select backend_start > $1 as writable from pg_stat_activity where application_name = 'landfall-test-failover'`,
        [rows[0]?.at],
      );
      return found.rows.map(({ writable }) => writable);
    };
    await expect.poll(sessions).toEqual([true]);
    expect((await readByReader()).id).toBe(id);
  } finally {
    await reader.close();
    await owner.end();
  }
});

test('reads nothing after closing', async () => {
  const caller = await core.newCaller();
  const { id } = await newShipment(caller);
  const closed = openReader(core.serviceUrl);
  await readRecord({ records: closed }, caller, { shipmentId: id, shape: journeyShape });
  await closed.close();
  await expect(readRecord({ records: closed }, caller, { shipmentId: id, shape: journeyShape })).rejects.toMatchObject({
    code: 'unavailable',
  });
});
