import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toJourneyText } from '#shared/contract/record/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { openCore } from '#shared/core/open-core.ts';
import { recomposeJourneys } from '#shared/core/tracking/recompose-journeys.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { openStore, type Store } from '#shared/store/open-store.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { insertEventsOf } from '#shared/store/tracking/events.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { ownDatabase, type TestDatabase } from '#test/support/stores/postgres.ts';
import { hourMs, place, startMs, trackingEvent } from '../../domain/journey/journey-events.ts';

const accountId = '01890000-0000-7000-8000-00000000aaaa';
const shipmentId = '01890000-0000-7000-8000-00000000bbbb';
const ids = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'] as const;

let database: TestDatabase;
let client: pg.Client;
let store: Store;

const departure = trackingEvent({
  id: '01890000-0000-7000-8000-000000000003',
  code: 'departed',
  hour: 1,
  legRole: 'pol',
  mode: 'ocean',
  vehicle: { name: 'Ever Given', imo: '9811000', voyage: '1W', flight: null },
});
departure.location = { ...place('CNSHA'), lat: 31.2, lng: 121.5 };

const [plan, estimate] = [490, 519].map((hour, index) =>
  trackingEvent({
    id: ids[index] ?? '',
    code: 'arrived',
    hour,
    port: 'NLRTM',
    classifier: index === 0 ? 'planned' : 'estimated',
    receivedAt: new Date(startMs + index * hourMs).toISOString(),
  }),
);

const events = [plan, estimate, departure].filter((event) => event !== undefined);
/** The record as another rule would compose it: the first estimate was the baseline, so there was no delay. */
const record = { ...composeJourney({ events, transportMode: 'ocean' }, startMs), delayHours: 0, legs: [] };

beforeAll(async () => {
  database = await ownDatabase();
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  store = await openStore({
    databaseUrl: database.serviceUrl,
    apiPoolSize: 2,
    systemPoolSize: 2,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  await client.query(`insert into landfall.accounts (id, name) values ($1, 'first')`, [accountId]);
  await insertShipment(shipmentId, 1);
  await withAccount(store, accountId, (tx) =>
    insertEventsOf(
      tx,
      accountId,
      events.map((event) => ({ shipmentId, event, raw: null })),
    ),
  );
});

/** A shipment that a migration has marked. */
async function insertShipment(id: string, mbl: number): Promise<void> {
  await client.query(
    `insert into landfall.shipments (
      account_id, id, test, transport_mode, carrier, carrier_name, connector, identifiers, status, eta, delay_hours, record, tags,
      metadata, recompose
    ) values ($1, $2, false, 'ocean', 'MAEU', 'Maersk', 'maersk', $3, 'in_transit', $4, 0, $5, '{acme}', '{"buyer": "acme"}', true)`,
    [accountId, id, JSON.stringify({ mbl: String(mbl) }), estimate?.time.at, JSON.stringify(record)],
  );
  await client.query(
    `insert into landfall.polling (account_id, shipment_id, connector, state) values ($1, $2, 'm', 'active')`,
    [accountId, id],
  );
}

afterAll(async () => {
  await store.close();
  await client.end();
  await database.drop();
});

it('composes a marked record again from its events, without calling the carrier', async () => {
  const read = () =>
    withAccount(store, accountId, (tx) => readShipment(tx, accountId, { id: shipmentId, test: false }));
  expect(await read()).toMatchObject({ version: 1, journey: { delayHours: 0 } });
  const ctx = openContext();
  expect(await recomposeJourneys(ctx)).toBe(1);
  expect(await recomposeJourneys(ctx)).toBe(0);
  expect(await read()).toMatchObject({
    version: 2,
    late: true,
    journey: { delayHours: 29, delayBasis: 'planned', eta: { kind: 'arrival' } },
  });
  const { rows } = await client.query(
    `select delay_hours, late_from::text, packed_journey is not null as text, overdue_from = eta as overdue from landfall.shipments`,
  );
  expect(rows).toEqual([{ delay_hours: 29, late_from: '-infinity', text: true, overdue: true }]);
  const changes = await client.query(`select type from landfall.changes`);
  expect(changes.rows).not.toEqual([]);
});

it('places the shipment on the map and indexes its vessel, metadata and tags', async () => {
  const { rows } = await client.query(
    `select s.map_key, s.map_destination, s.position -> 'from' ->> 'name' as left, w.terms = s.search_terms as indexed, w.terms
    from landfall.shipments as s join landfall.shipment_search as w on w.shipment_id = s.id`,
  );
  expect(rows).toEqual([
    {
      map_key: 'CNSHA~~ocean',
      map_destination: null,
      left: 'CNSHA',
      indexed: true,
      terms: expect.arrayContaining([
        'vessel ever given',
        'vessel 9811000',
        'meta buyer=acme',
        'tag acme',
        'origin CN',
      ]),
    },
  ]);
});

it('composes the others when a record cannot be composed, and gives that one up', async () => {
  const brokenId = '01890000-0000-7000-8000-00000000bbba';
  await insertShipment(brokenId, 2);
  await client.query(
    `insert into landfall.events (account_id, shipment_id, id, dedupe_key, code, event_at, classifier, rest)
    values ($1, $2, gen_random_uuid(), substring(sha256('x') for 16), 'arrived', now(), 'actual', '{"time": null}')`,
    [accountId, brokenId],
  );
  await client.query(`update landfall.shipments set recompose = true, delay_hours = null`);
  const failed: unknown[] = [];
  const ctx = openContext(failed);
  expect(await recomposeJourneys(ctx)).toBe(2);
  expect(await recomposeJourneys(ctx)).toBe(0);
  expect(failed).toEqual([expect.objectContaining({ shipmentId: brokenId })]);
  const { rows } = await client.query(`select id, delay_hours, version::int from landfall.shipments order by id`);
  expect(rows).toEqual([
    { id: brokenId, delay_hours: null, version: 1 },
    { id: shipmentId, delay_hours: 29, version: expect.any(Number) },
  ]);
});

it('reports nothing to do while every record is locked elsewhere', async () => {
  await client.query('update landfall.shipments set recompose = true where id = $1', [shipmentId]);
  await client.query('begin');
  await client.query('select from landfall.shipments for no key update');
  expect(await recomposeJourneys(openContext())).toBe(0);
  await client.query('rollback');
  expect(await recomposeJourneys(openContext())).toBe(1);
});

function openContext(failed: unknown[] = []): CoreContext {
  return openCore({
    store,
    secretKeys: null,
    producer: null,
    settings: { publicBaseUrl: 'http://127.0.0.1:8080' },
    journeyText: toJourneyText,
    traceparent: () => null,
    log: { info: () => {}, warn: () => {}, error: (fields) => failed.push(fields) },
  });
}
