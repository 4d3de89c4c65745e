import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#infra/migrate.ts';
import { toJourneyText, toWireSummary } from '#shared/contract/shipments/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { openCore } from '#shared/core/open-core.ts';
import { recomposeJourneys } from '#shared/core/tracking/recompose-journeys.ts';
import { openStore, type Store } from '#shared/store/open-store.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { emptyDatabase, type TestDatabase } from '#test/support/stores/postgres.ts';
import { hourMs, place, startMs, trackingEvent } from '../../domain/tracking/journey-events.ts';

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

/** The record as the first release stored it: the first estimate was the baseline, so there was no delay. */
const record = {
  status: 'in_transit',
  statusEvidence: null,
  latestEvent: null,
  origin: null,
  destination: null,
  currentLocation: null,
  departure: { planned: null, estimated: null, actual: null },
  arrival: {
    planned: plan?.time,
    estimated: estimate?.time,
    actual: null,
    originalEstimated: estimate?.time,
    delayHours: 0,
    etaSource: 'carrier',
  },
  delivery: { estimated: null, actual: null },
  etaHistory: [{ eta: estimate?.time, seenAt: estimate?.receivedAt, source: 'carrier' }],
  legs: [],
  containers: [],
  containerStatusCounts: {},
  exceptions: [],
  hasException: false,
  eventsCount: 2,
  events: [],
  nextEligibleAt: null,
};

beforeAll(async () => {
  database = await emptyDatabase();
  // The first release's schema.
  await migrate(database.databaseUrl, { count: 1 });
  client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  await client.query(`insert into landfall.accounts (id, name) values ($1, 'first')`, [accountId]);
  await client.query(
    `insert into landfall.shipments (
      account_id, id, test, transport_mode, carrier, carrier_name, connector, identifiers, status, eta, delay_hours, record, tags, metadata
    ) values ($1, $2, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{"mbl": "1"}', 'in_transit', $3, 0, $4, '{acme}', '{"buyer": "acme"}')`,
    [accountId, shipmentId, estimate?.time.at, JSON.stringify(record)],
  );
  await client.query(
    `insert into landfall.polling (account_id, shipment_id, connector, state) values ($1, $2, 'm', 'active')`,
    [accountId, shipmentId],
  );
  for (const event of [plan, estimate, departure]) {
    if (event === undefined) throw new Error('no event');
    const { id, dedupeKey, receivedAt, supersededBy: _by, voidedAt: _at, ...body } = event;
    await client.query(
      `insert into landfall.events (
        account_id, id, shipment_id, dedupe_text, dedupe_hash, code, classifier, source, event_at, event, received_at
      ) values ($1, $2, $3, $4::text, sha256(convert_to($4::text, 'UTF8')), $5, $6, 'carrier', $7, $8, $9)`,
      [
        accountId,
        id,
        shipmentId,
        dedupeKey,
        event.code,
        event.classifier,
        event.time.at,
        JSON.stringify(body),
        receivedAt,
      ],
    );
  }
  await migrate(database.databaseUrl);
  store = await openStore({
    databaseUrl: database.serviceUrl,
    apiPoolSize: 2,
    systemPoolSize: 2,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
});

afterAll(async () => {
  await store.close();
  await client.end();
  await database.drop();
});

it('reads and lists a record of the first release, and composes it again without calling the carrier', async () => {
  const read = () =>
    withAccount(store, accountId, (tx) => readShipment(tx, accountId, { id: shipmentId, test: false }));
  const before = await read();
  if (before === null) throw new Error('the shipment is gone');
  // Long past and never confirmed: the migration has filled in what the clock needs.
  expect(before).toMatchObject({ late: true, version: 1 });
  expect(toWireSummary(before)).toMatchObject({
    eta: { kind: 'arrival', time: { at: estimate?.time.at } },
    delay_hours: 0,
    delay_basis: 'first_estimated',
    late: true,
  });
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
  await client.query(
    `insert into landfall.shipments (
      account_id, id, test, transport_mode, carrier, carrier_name, connector, identifiers, status, record
    ) values ($1, $2, false, 'ocean', 'MAEU', 'Maersk', 'maersk', '{"mbl": "2"}', 'in_transit', $3)`,
    [accountId, brokenId, JSON.stringify(record)],
  );
  await client.query(
    `insert into landfall.polling (account_id, shipment_id, connector, state) values ($1, $2, 'm', 'active')`,
    [accountId, brokenId],
  );
  await client.query(
    `insert into landfall.former_events (
      account_id, id, shipment_id, dedupe_text, dedupe_hash, code, classifier, source, event_at, event, received_at
    ) values ($1, gen_random_uuid(), $2, 'x', sha256('x'), 'arrived', 'actual', 'carrier', now(), '{}', now())`,
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
