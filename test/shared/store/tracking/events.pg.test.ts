import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { dedupeText } from '#shared/domain/events/dedupe.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { compareText } from '#shared/domain/events/event-order.ts';
import { sortJson } from '#shared/store/packing/sort-json.ts';
import { storableJson } from '#shared/store/packing/storable-json.ts';
import {
  insertEvents,
  insertEventsOf,
  type NewEvent,
  readEvents,
  supersedeEvents,
} from '#shared/store/tracking/events.ts';
import { rawEventCap, readLiveRaws, readRawEvents } from '#shared/store/tracking/raw-events.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { trackingEvent } from '#test/support/arbitraries/tracking-event.ts';
import { carrierEvent } from '#test/support/carriers/carrier-refreshes.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { fileText } from '#test/support/repository.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

let core: TestCore;
let owner: pg.Client;

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  owner = new pg.Client({ connectionString: core.databaseUrl });
  await owner.connect();
});

afterAll(async () => {
  await owner?.end();
  await core?.close();
});

type Subject = { accountId: string; shipmentId: string };

async function shipment(): Promise<Subject> {
  const caller = await core.newCaller();
  return { accountId: caller.accountId, shipmentId: await registered(caller) };
}

async function registered(caller: Awaited<ReturnType<TestCore['newCaller']>>): Promise<string> {
  return (await registerShipment(core.ctx, caller, oceanRegistration())).shipment.id;
}

const insert = ({ accountId, shipmentId }: Subject, events: NewEvent[]) =>
  withAccount(core.store, accountId, (tx) => insertEvents(tx, accountId, shipmentId, events));
const read = ({ accountId, shipmentId }: Subject) =>
  withAccount(core.store, accountId, (tx) => readEvents(tx, accountId, shipmentId));
const raws = ({ accountId, shipmentId }: Subject, ids: string[]) =>
  withAccount(core.store, accountId, (tx) => readRawEvents(tx, accountId, { shipmentId, ids }));

/** A new event; `minute` makes it another one. */
function newEvent(minute: number, changes: Partial<TrackingEvent> = {}, raw: unknown = { minute }): NewEvent {
  const local = `2026-10-02T08:${String(minute).padStart(2, '0')}`;
  const { raw: _raw, ...said } = carrierEvent('loaded', local);
  const body = { ...said, ...changes };
  const event = {
    id: globalThis.crypto.randomUUID(),
    dedupeKey: dedupeText(body, 'dcsa:maersk'),
    receivedAt: '2026-10-03T00:00:00.000Z',
    supersededBy: null,
    voidedAt: null,
    ...body,
  };
  return { event, raw };
}

/** Returns an event as PostgreSQL stores its texts. */
const stored = (event: TrackingEvent): TrackingEvent => JSON.parse(storableJson(event));
const byId = (events: readonly TrackingEvent[]) => events.toSorted((left, right) => compareText(left.id, right.id));

const manyEvents = fc.uniqueArray(trackingEvent, {
  minLength: 1,
  maxLength: 40,
  selector: (event) => JSON.parse(storableJson(event.dedupeKey)),
});

describe('a stored event', () => {
  it('reads as it was stored, with any content', async () => {
    await fc.assert(
      fc.asyncProperty(manyEvents, async (events) => {
        const subject = await shipment();
        const dated = events.map((event) => ({ ...event, time: { ...event.time } }));
        expect(
          await insert(
            subject,
            dated.map((event) => ({ event, raw: null })),
          ),
        ).toBe(dated.length);
        expect(byId(await read(subject))).toEqual(byId(dated.map(stored)));
      }),
      { numRuns: 12 },
    );
  });

  it('keeps its key, its occurrence, and a key that does not follow from the event', async () => {
    const subject = await shipment();
    const [first, again, older] = [newEvent(1), newEvent(1), newEvent(2)];
    again.event.dedupeKey = dedupeText(again.event, 'dcsa:maersk', 3);
    older.event.dedupeKey = 'dcsa:maersk|loaded|2026-10-02T08:02';
    await insert(subject, [first, again, older]);
    const keys = (await read(subject)).map(({ dedupeKey }) => dedupeKey);
    expect(keys.toSorted(compareText)).toEqual(
      [first, again, older].map(({ event }) => event.dedupeKey).toSorted(compareText),
    );
    const { rows } = await owner.query(
      'select family, occurrence, rest is null as derived from landfall.events where shipment_id = $1 order by dedupe_key',
      [subject.shipmentId],
    );
    expect(rows).toEqual(
      expect.arrayContaining([
        { family: 'dcsa:maersk', occurrence: null, derived: true },
        { family: 'dcsa:maersk', occurrence: 3, derived: true },
        { family: null, occurrence: null, derived: false },
      ]),
    );
  });

  it('is stored once, also when the same is inserted again under another id', async () => {
    const subject = await shipment();
    expect(await insert(subject, [newEvent(1), newEvent(2)])).toBe(2);
    expect(await insert(subject, [newEvent(2), newEvent(3)])).toBe(1);
    expect(await insert(subject, [newEvent(3), newEvent(4)])).toBe(1);
    expect((await read(subject)).map(({ time }) => time.local.slice(-2))).toEqual(['01', '02', '03', '04']);
  });

  it('is superseded by a newer one, and only current events of the carrier have live raw values', async () => {
    const subject = await shipment();
    const [old, now] = [newEvent(1), newEvent(2)];
    const client = newEvent(3, { source: 'client', code: 'cancelled', voidedAt: '2026-10-04T00:00:00.000Z' }, null);
    await insert(subject, [old, now, client]);
    const live = () =>
      withAccount(core.store, subject.accountId, (tx) => readLiveRaws(tx, subject.accountId, subject.shipmentId));
    const supersede = (supersededBy: string | null) =>
      withAccount(core.store, subject.accountId, (tx) =>
        supersedeEvents(tx, subject.accountId, [{ shipmentId: subject.shipmentId, id: old.event.id, supersededBy }]),
      );
    expect([...(await live()).values()]).toEqual([{ minute: 1 }, { minute: 2 }]);
    await supersede(now.event.id);
    expect([...(await live()).values()]).toEqual([{ minute: 2 }]);
    expect((await read(subject)).map(({ supersededBy }) => supersededBy)).toEqual([now.event.id, null, null]);
    await supersede(null);
    expect((await live()).size).toBe(2);
  });

  it('repeats no place, and shares it with the other shipments of its account', async () => {
    const caller = await core.newCaller();
    const { accountId } = caller;
    const subjects = [await registered(caller), await registered(caller)];
    for (const shipmentId of subjects) await insert({ accountId, shipmentId }, [newEvent(1), newEvent(2)]);
    const { rows } = await owner.query('select count(*)::int as places from landfall.places where account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ places: 1 }]);
  });

  it('can be written while others write the same new places in another order', async () => {
    const caller = await core.newCaller();
    const { accountId } = caller;
    const place = (name: string) => ({
      ...{ name, unlocode: null, iata: null, country: null, lat: null, lng: null, timezone: null, facility: null },
    });
    const subjects = await Promise.all(Array.from({ length: 8 }, () => registered(caller)));
    const names = Array.from({ length: 30 }, (_, n) => `place ${n}`);
    await Promise.all(
      subjects.map((shipmentId, turn) => {
        const order = turn % 2 === 0 ? names : names.toReversed();
        return insert(
          { accountId, shipmentId },
          order.map((name, minute) => newEvent(minute, { location: place(name) })),
        );
      }),
    );
    // Two writers that wait for each other's places would deadlock in any other order.
    const { rows } = await owner.query('select id from landfall.places where account_id = $1 order by ctid', [
      accountId,
    ]);
    expect(rows.map(({ id }) => BigInt(id))).toEqual(
      rows.map(({ id }) => BigInt(id)).toSorted((l, r) => (l < r ? -1 : 1)),
    );
    for (const shipmentId of subjects) {
      const found = (await read({ accountId, shipmentId })).map(({ location }) => location?.name);
      expect(found.toSorted()).toEqual(names.toSorted());
    }
  });
});

const jsonValue = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })),
);

describe('the carrier’s own data', () => {
  it('has the text that PostgreSQL gives it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(jsonValue, { minLength: 20, maxLength: 60 }), async (values) => {
        const texts = values.map(storableJson);
        const { rows } = await owner.query(
          'select t::jsonb::text as text from unnest($1::text[]) with ordinality as u (t, n) order by n',
          [texts],
        );
        expect(values.map(sortJson)).toEqual(rows.map(({ text }) => text));
      }),
      { numRuns: 10 },
    );
  });

  it('is returned as it was, each value stored once a reading, and beyond the cap its start', async () => {
    const subject = await shipment();
    const long = { z: '😀'.repeat(rawEventCap), a: [1e21, 1e-7, -0, 1.5e300] };
    const fitting = { text: '😀'.repeat(rawEventCap - 12) };
    const events = [
      newEvent(1, {}, { b: 1, aa: 2, gone: undefined }),
      newEvent(2, {}, { aa: 2, b: 1 }),
      newEvent(3, {}, null),
    ];
    const others = [newEvent(4, {}, long), newEvent(5, {}, fitting)];
    await insert(subject, events);
    await insert(subject, others);
    const ids = [...events, ...others].map(({ event }) => event.id);
    const expected = await owner.query(
      `select left(t::jsonb::text, ${rawEventCap}) as start, length(t::jsonb::text) as length from unnest($1::text[]) as u (t)`,
      [[long, fitting].map((raw) => JSON.stringify(raw))],
    );
    expect(expected.rows[1].length).toBe(rawEventCap);
    const found = await raws(subject, ids);
    expect(ids.map((id) => found.get(id))).toEqual([
      { value: { b: 1, aa: 2 }, truncated: false },
      { value: { b: 1, aa: 2 }, truncated: false },
      { value: null, truncated: false },
      { value: expected.rows[0].start, truncated: true },
      { value: fitting, truncated: false },
    ]);
    const { rows } = await owner.query(
      'select reading, raw_index from landfall.events where shipment_id = $1 order by event_at',
      [subject.shipmentId],
    );
    expect(rows.map(({ reading, raw_index: index }) => [reading, index])).toEqual([
      [1, 0],
      [1, 0],
      [null, null],
      [2, 0],
      [2, 1],
    ]);
  });
});

describe('the queries over events in docs/reference/data-model.md', () => {
  const queries = [...fileText('docs/reference/data-model.md').matchAll(/^```sql\n(.*?)^```$/gms)].map(
    ([, sql = '']) => sql,
  );
  const documented = '018f0000-0000-7000-8000-000000000001';

  /** As `landfall_system`, and with the tables of a test too small for an index to pay. */
  async function asSystem<Row>(text: string): Promise<Row[]> {
    await owner.query('begin; set local role landfall_system; set local enable_seqscan = off');
    const { rows } = await owner.query(text).finally(() => owner.query('rollback'));
    return rows;
  }

  it('use an index as they are written', async () => {
    const indexes = ['events_by_code', 'events_by_code', 'events_by_time'];
    expect(queries).toHaveLength(indexes.length);
    for (const [at, sql] of queries.entries()) {
      const plan = await asSystem<{ 'QUERY PLAN': string }>(`explain ${sql}`);
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(indexes[at]);
    }
  });

  it('find current events alone', async () => {
    const subject = await shipment();
    const { accountId, shipmentId } = subject;
    const at = (minute: number) => new Date(`2026-10-02T08:0${minute}:00Z`);
    const events = [
      newEvent(1, { code: 'customs_hold' }),
      newEvent(2, { code: 'customs_hold', voidedAt: '2026-10-04T00:00:00.000Z' }),
      newEvent(3, { code: 'departed' }),
      newEvent(4, { code: 'departed', classifier: 'planned' }),
      newEvent(5, { code: 'departed', location: null }),
    ];
    await insert(subject, events);
    const [byCode = '', byPlace = '', byTime = ''] = queries.map((sql) => sql.replaceAll(documented, accountId));
    expect(await asSystem(byCode)).toEqual([{ shipment_id: shipmentId, event_at: at(1), container: 'CSQU3054383' }]);
    expect(await asSystem(byPlace)).toEqual([
      { shipment_id: shipmentId, event_at: at(3), vehicle_name: 'Landfall Star', voyage: '101W' },
    ]);
    expect(await asSystem(byTime)).toContainEqual({
      day: new Date('2026-10-02T00:00:00Z'),
      code: 'customs_hold',
      count: '1',
    });
  });
});

describe('events of several shipments', () => {
  it('are inserted together', async () => {
    const caller = await core.newCaller();
    const { accountId } = caller;
    const ids = [await registered(caller), await registered(caller)];
    const events = ids.flatMap((shipmentId) => [1, 2].map((minute) => ({ ...newEvent(minute), shipmentId })));
    expect(await withAccount(core.store, accountId, (tx) => insertEventsOf(tx, accountId, events))).toBe(4);
    for (const shipmentId of ids) expect(await read({ accountId, shipmentId })).toHaveLength(2);
  });

  it('are stored once each when one call brings an event twice', async () => {
    const caller = await core.newCaller();
    const { accountId } = caller;
    const subject = { accountId, shipmentId: await registered(caller) };
    const first = newEvent(1);
    expect(await insert(subject, [first, newEvent(1), newEvent(2)])).toBe(2);
    expect((await read(subject)).map(({ id }) => id)).toContain(first.event.id);
  });
});
