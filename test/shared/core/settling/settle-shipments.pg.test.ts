import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleLine } from '#shared/contract/shipments/bundle-wire.ts';
import { recordPush } from '#shared/core/carrier-subscriptions/record-push.ts';
import { getShipmentAsOf } from '#shared/core/record/get-shipment-as-of.ts';
import { listEvents } from '#shared/core/record/list-events.ts';
import { listRefreshes } from '#shared/core/record/list-refreshes.ts';
import { readBundle } from '#shared/core/record/read-bundle.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { measureSettling, settleShipments } from '#shared/core/settling/settle-shipments.ts';
import { resumeShipment } from '#shared/core/shipments/resume-shipment.ts';
import { recomposeJourneys } from '#shared/core/tracking/recompose-journeys.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { StatedFacts } from '#shared/domain/events/event.ts';
import { unpackHistory } from '#shared/store/packing/packed-history.ts';
import { settleShipment } from '#shared/store/settling/settle-shipment.ts';
import { readAllRawEvents } from '#shared/store/settling/settled-shipments.ts';
import { lockShipment } from '#shared/store/shipments/shipments.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { found, refresh, stating } from '#test/support/carriers/refreshed-shipment.ts';
import {
  getShipment,
  oceanRegistration,
  openTestCore,
  type TestCore,
  uniqueNumber,
} from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { until } from '#test/support/until.ts';

let core: TestCore;

const voyage = [
  {
    code: 'gate_in_full',
    local: '2026-03-01T08:00',
    raw: { said: 'gate', deep: { list: [1, 2.5, 'NUL \ufffd', null] } },
  },
  { code: 'loaded', local: '2026-03-02T08:00' },
  { code: 'departed', local: '2026-03-03T08:00', raw: { long: 'ä"\\'.repeat(9000) } },
  {
    code: 'arrived',
    local: '2026-03-20T08:00',
    details: {
      statusDetail: 'weather',
      window: {
        from: null,
        to: {
          at: '2026-03-20T12:00:00.000Z',
          local: '2026-03-20',
          timezone: null,
          zoneSource: 'assumed_utc',
          precision: 'date',
        },
      },
      piecesCount: 2,
      weightKg: 1.5,
      uld: 'AKE1LH',
    },
  },
  { code: 'gate_out_full', local: '2026-03-22T08:00' },
  { code: 'gate_in_empty', local: '2026-03-25T08:00' },
] as const;

const facts: StatedFacts = {
  service: { code: null, name: 'Express' },
  piecesCount: 2,
  receivedBy: 'M. Muster',
  proof: [{ kind: 'signature', handle: 'h', piece: null }],
};

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
});

afterAll(async () => {
  await core.close();
});

const system = <Row extends object>(text: string, values: unknown[]) =>
  withSystem(core.store, async (tx) => (await tx.query<Row>(text, values)).rows);

/** A shipment that closed forty days ago. */
async function closedShipment(): Promise<{ caller: Caller; shipmentId: string }> {
  const caller = await core.newCaller();
  const registration = oceanRegistration({ identifiers: { mbl: uniqueNumber(), container: 'CSQU3054383' } });
  const { shipment } = await registerShipment(core.ctx, caller, registration);
  const subject = { accountId: caller.accountId, shipmentId: shipment.id };
  await refresh(core.ctx, subject, found(...voyage.slice(0, 3)));
  await refresh(core.ctx, subject, found(...voyage.slice(0, 3)));
  await refresh(core.ctx, subject, stating(facts, found(...voyage)));
  await close(shipment.id);
  return { caller, shipmentId: shipment.id };
}

async function close(shipmentId: string): Promise<void> {
  await system(
    `with paused as (
       update landfall.polling set next_refresh_at = null, lease_until = null, state = 'completed' where shipment_id = $1
     )
     update landfall.shipments set closed_at = now() - interval '40 days', settling_from = null where id = $1`,
    [shipmentId],
  );
}

/** Everything that the API shows of a shipment. */
async function answers({ caller, shipmentId }: { caller: Caller; shipmentId: string }): Promise<unknown> {
  const filter = { classifiers: [], codes: [], containers: [] };
  const page = { shipmentId, filter, sort: 'time', limit: 100, cursor: null, includeRaw: true } as const;
  const moments = (await listEvents(core.ctx, caller, page)).events.map(({ receivedAt }) => receivedAt);
  const shown = {
    record: await getShipment(core.ctx, caller, shipmentId),
    events: await listEvents(core.ctx, caller, page),
    secondPage: await listEvents(core.ctx, caller, { ...page, limit: 2 }),
    refreshes: await listRefreshes(core.ctx, caller, shipmentId),
    asOf: await Promise.all(
      [...new Set(moments)].map((at) =>
        getShipmentAsOf(core.ctx, caller, { shipmentId, moment: { earliest: at, latest: at } }),
      ),
    ),
    bundle: await bundle(caller, shipmentId),
  };
  return JSON.parse(JSON.stringify(shown));
}

async function bundle(caller: Caller, shipmentId: string): Promise<string> {
  const lines: string[] = [];
  for await (const parts of readBundle(core.ctx, caller, shipmentId)) lines.push(...parts.map(bundleLine));
  return lines.join('');
}

function unpack(tx: Tx, { caller, shipmentId }: { caller: Caller; shipmentId: string }) {
  return lockShipment(tx, caller.accountId, shipmentId);
}

/** Until another statement of this test waits for a lock. */
async function somebodyWaits(): Promise<void> {
  const owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  try {
    await until(
      () => owner.query(waiting),
      ({ rowCount }) => rowCount !== 0,
    );
  } finally {
    await owner.end();
  }
}

const rowsOf = async (shipmentId: string) =>
  (
    await system<{ events: number; statuses: number; refreshes: number; settled: number }>(
      `select (select count(*)::integer from landfall.events where shipment_id = $1) as events,
         (select count(*)::integer from landfall.status_changes where shipment_id = $1) as statuses,
         (select count(*)::integer from landfall.refreshes where shipment_id = $1) as refreshes,
         (select count(*)::integer from landfall.settled_shipments where shipment_id = $1) as settled`,
      [shipmentId],
    )
  )[0];

it('gives the same answers for a settled shipment as before, from one packed row', async () => {
  const subject = await closedShipment();
  const before = await answers(subject);
  expect(JSON.stringify(before)).toContain('AKE1LH');
  await settleShipments(core.ctx);
  expect(await rowsOf(subject.shipmentId)).toEqual({ events: 0, statuses: 0, refreshes: 0, settled: 1 });
  expect(await answers(subject)).toEqual(before);
  const { journey } = await getShipment(core.ctx, subject.caller, subject.shipmentId);
  expect(journey).toMatchObject({ facts, service: facts.service, delivery: { receivedBy: 'M. Muster' } });
});

it('keeps neither a journey of its own nor its cadence in the row of a settled shipment, and restores both', async () => {
  const subject = await closedShipment();
  const columns = async () =>
    (
      await system<{ cadence: object | null; packed: boolean; whole: boolean }>(
        `select cadence, packed_journey is not null as packed, record ? 'events' as whole from landfall.shipments where id = $1`,
        [subject.shipmentId],
      )
    )[0];
  const before = await columns();
  expect(before).toMatchObject({ cadence: { status: 'delivered' }, packed: true, whole: false });
  const shown = await answers(subject);
  await settleShipments(core.ctx);
  expect(await columns()).toEqual({ cadence: null, packed: false, whole: false });
  await withSystem(core.store, (tx) => unpack(tx, subject));
  expect(await columns()).toEqual({ ...before, packed: false, whole: true });
  expect(await answers(subject)).toEqual(shown);
});

it('waits for a shipment that is being settled, and unpacks it', async () => {
  const { caller, shipmentId } = await closedShipment();
  const before = await getShipment(core.ctx, caller, shipmentId);
  const settling = Promise.withResolvers<void>();
  const settled = withSystem(core.store, async (tx) => {
    await settleShipment(tx, { accountId: caller.accountId, shipmentId }, 30);
    settling.resolve();
    await somebodyWaits();
  });
  await settling.promise;
  const locked = await withSystem(core.store, (tx) => lockShipment(tx, caller.accountId, shipmentId));
  await settled;
  expect(locked?.journey).toEqual(before.journey);
  expect((await rowsOf(shipmentId))?.settled).toBe(0);
});

it('ignores a lease on a settled shipment', async () => {
  const subject = await closedShipment();
  const { accountId } = subject.caller;
  const { shipmentId } = subject;
  const [leased] = await system<{ epoch: number }>(
    `update landfall.polling set lease_until = now() + interval '60 s' where shipment_id = $1 returning epoch`,
    [shipmentId],
  );
  const epoch = Number(leased?.epoch);
  const [claim] = await beginRefreshes(core.ctx, [{ accountId, shipmentId, epoch }]);
  if (claim === undefined) throw new Error('the claim is not live');
  const lease = (until: string) =>
    system(`update landfall.polling set lease_until = ${until} where shipment_id = $1`, [shipmentId]);
  await lease('null');
  await settleShipments(core.ctx);
  const before = await answers(subject);
  await lease(`now() + interval '60 s'`);
  expect(await beginRefreshes(core.ctx, [{ accountId, shipmentId, epoch }])).toEqual([]);
  const late = { code: 'returned', local: '2026-03-28T08:00' } as const;
  expect(await recordRefresh(core.ctx, claim, found(late), null)).toMatchObject({ stale: true });
  expect(await rowsOf(shipmentId)).toEqual({ events: 0, statuses: 0, refreshes: 0, settled: 1 });
  expect(await answers(subject)).toEqual(before);
});

it('unpacks a settled shipment for a late event, and settles it again after it has rested', async () => {
  const subject = await closedShipment();
  await settleShipments(core.ctx);
  const settledBundle = await bundle(subject.caller, subject.shipmentId);
  await resumeShipment(core.ctx, subject.caller, subject.shipmentId);
  const late = { code: 'returned', local: '2026-03-28T08:00' } as const;
  await refresh(core.ctx, { ...subject.caller, shipmentId: subject.shipmentId }, found(...voyage, late));
  const rows = await rowsOf(subject.shipmentId);
  expect(rows).toMatchObject({ events: voyage.length + 1, settled: 0 });
  const unpacked = await bundle(subject.caller, subject.shipmentId);
  const eventLines = (text: string) => text.split('\n').filter((line) => line.startsWith('{"part":"event"'));
  expect(eventLines(unpacked)).toEqual(expect.arrayContaining(eventLines(settledBundle)));

  await system(
    `update landfall.polling set next_refresh_at = null, lease_until = null, state = 'completed' where shipment_id = $1`,
    [subject.shipmentId],
  );
  await settleShipments(core.ctx);
  expect((await rowsOf(subject.shipmentId))?.settled).toBe(0);
  await close(subject.shipmentId);
  const before = await answers(subject);
  await settleShipments(core.ctx);
  expect((await rowsOf(subject.shipmentId))?.settled).toBe(1);
  expect(await answers(subject)).toEqual(before);
});

it('keeps voided and superseded events through settling and unpacking', async () => {
  const subject = await closedShipment();
  await system(
    `update landfall.events set voided_at = '2026-04-01T00:00Z',
       superseded_by = (select id from landfall.events where shipment_id = $1 and code = 'departed')
     where shipment_id = $1 and code = 'loaded'`,
    [subject.shipmentId],
  );
  const before = await answers(subject);
  await settleShipments(core.ctx);
  expect(await answers(subject)).toEqual(before);
  await withSystem(core.store, (tx) => unpack(tx, subject));
  expect(await rowsOf(subject.shipmentId)).toMatchObject({ events: voyage.length, settled: 0 });
  expect(await answers(subject)).toEqual(before);
});

it('leaves a shipment that is still refreshed, or locked, as rows', async () => {
  const followed = await closedShipment();
  const locked = await closedShipment();
  await system(`update landfall.polling set next_refresh_at = now() + interval '1 day' where shipment_id = $1`, [
    followed.shipmentId,
  ]);
  await withSystem(core.store, async (tx) => {
    await tx.query('select from landfall.shipments where id = $1 for no key update', [locked.shipmentId]);
    await settleShipments(core.ctx);
  });
  expect((await rowsOf(followed.shipmentId))?.settled).toBe(0);
  expect((await rowsOf(locked.shipmentId))?.settled).toBe(0);
  await settleShipments(core.ctx);
  expect((await rowsOf(locked.shipmentId))?.settled).toBe(1);
});

it('leaves a shipment as rows while its polling is changed', async () => {
  const subject = await closedShipment();
  await withSystem(core.store, async (tx) => {
    await tx.query('update landfall.polling set next_refresh_at = now() where shipment_id = $1', [subject.shipmentId]);
    await settleShipments(core.ctx);
  });
  await settleShipments(core.ctx);
  expect((await rowsOf(subject.shipmentId))?.settled).toBe(0);
});

it('reads raw values of a shipment that settles between any two statements', async () => {
  const subject = await closedShipment();
  const ids = (
    await system<{ id: string }>('select id from landfall.events where shipment_id = $1', [subject.shipmentId])
  ).map(({ id }) => id);
  const read = (tx: Tx) => readAllRawEvents(tx, subject.caller.accountId, { shipmentId: subject.shipmentId, ids });
  const before = await withSystem(core.store, read);
  const during = await withSystem(core.store, (tx) => {
    let answered: Promise<unknown> = Promise.resolve();
    const query = (...statement: Parameters<Tx['query']>) => {
      answered = answered.then(async () => {
        const answer = await tx.query(...statement);
        await settleShipments(core.ctx);
        return answer;
      });
      return answered;
    };
    return read(new Proxy(tx, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) }));
  });
  expect((await rowsOf(subject.shipmentId))?.settled).toBe(1);
  expect(during).toEqual(before);
  expect(await withSystem(core.store, read)).toEqual(before);
});

it('settles each shipment once when several workers settle at the same time', async () => {
  const subjects = [];
  for (let count = 0; count < 6; count++) subjects.push(await closedShipment());
  const measured = () => measureSettling({ store: core.store, settings: { settleAfterDays: 30 } });
  const before = await measured();
  let settled = 0;
  await Promise.all([1, 2, 3].map(() => settleShipments(core.ctx, { onSettled: () => settled++ })));
  await settleShipments(core.ctx, { onSettled: () => settled++ });
  expect(settled).toBe(subjects.length);
  const after = await measured();
  expect(after.due).toBe(0);
  expect(after.settled - before.settled).toBe(subjects.length);
  expect(after.bytes).toBeGreaterThan(0);
});

it('keeps the rows of a shipment that cannot be packed, and settles the others', async () => {
  const broken = await closedShipment();
  const sound = await closedShipment();
  const owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
  try {
    await owner.query(
      `alter table landfall.settled_shipments add constraint refused check (shipment_id <> '${broken.shipmentId}')`,
    );
    await settleShipments(core.ctx);
    await owner.query('alter table landfall.settled_shipments drop constraint refused');
  } finally {
    await owner.end();
  }
  expect(await rowsOf(broken.shipmentId)).toMatchObject({ events: voyage.length, settled: 0 });
  expect((await rowsOf(sound.shipmentId))?.settled).toBe(1);
});

it('keeps a settled shipment packed when a push about it is ignored', async () => {
  const subject = await closedShipment();
  await settleShipments(core.ctx);
  const push = { ...subject.caller, shipmentId: subject.shipmentId, connector: 'maersk', raws: [{}] };
  const reader = { source: 'dcsa:maersk', readBody: () => null, readEvents: () => [] };
  expect(await recordPush(core.ctx, push, reader, null)).toBe('ignored');
  expect((await rowsOf(subject.shipmentId))?.settled).toBe(1);
});

it('settles nothing with SETTLE_AFTER_DAYS=never', async () => {
  const subject = await closedShipment();
  const never = { ...core.ctx, settings: { ...core.ctx.settings, settleAfterDays: null } };
  expect(await settleShipments(never)).toBe(0);
  expect((await rowsOf(subject.shipmentId))?.settled).toBe(0);
});

it('composes the record of a settled shipment again without unpacking it', async () => {
  const subject = await closedShipment();
  await settleShipments(core.ctx);
  const { journey } = await getShipment(core.ctx, subject.caller, subject.shipmentId);
  await system(
    `update landfall.shipments set recompose = true, record = record || '{"eventsCount": 0}' where id = $1`,
    [subject.shipmentId],
  );
  while ((await recomposeJourneys(core.ctx)) > 0);
  expect((await rowsOf(subject.shipmentId))?.settled).toBe(1);
  expect((await getShipment(core.ctx, subject.caller, subject.shipmentId)).journey).toEqual(journey);
});

it('stores a packed history without letting PostgreSQL compress it again', async () => {
  const subject = await closedShipment();
  await settleShipments(core.ctx);
  const [row] = await system<{ packed: Buffer; stored: number; storage: string }>(
    `select s.packed, pg_column_size(s.packed) as stored, a.attstorage as storage
     from landfall.settled_shipments as s
     join pg_attribute as a on a.attrelid = 'landfall.settled_shipments'::regclass and a.attname = 'packed'
     where s.shipment_id = $1`,
    [subject.shipmentId],
  );
  expect(row?.storage).toBe('e');
  expect(unpackHistory(row?.packed ?? Buffer.alloc(0)).events).toHaveLength(voyage.length);
});
