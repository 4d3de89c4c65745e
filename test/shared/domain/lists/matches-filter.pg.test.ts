import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followAnalytics } from '#shared/core/analytics/follow-feed.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { selectChanges } from '#shared/core/webhooks/select-changes.ts';
import { freeTimeOutcomes } from '#shared/domain/analytics/free-time-outcome.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { CarrierTime, Place } from '#shared/domain/events/event.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { type Change, shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { ShipmentFilter } from '#shared/domain/lists/filter.ts';
import { positionOf } from '#shared/domain/lists/map-position.ts';
import { matchesFilter } from '#shared/domain/lists/matches-filter.ts';
import { findEta } from '#shared/domain/record/find-eta.ts';
import { clockStates } from '#shared/domain/record/free-time.ts';
import { allReferences } from '#shared/domain/record/references.ts';
import {
  exceptionCodes,
  freshnesses,
  type Identifiers,
  type Journey,
  punctualities,
  type Shipment,
  type Status,
  statuses,
  trackingReasons,
  trackingStates,
} from '#shared/domain/record/shipment.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import { resolveFilter } from '#shared/places/read-place.ts';
import { filterCondition } from '#shared/store/lists/shipment-filter.ts';
import { insertIdentifiers } from '#shared/store/registration/identifiers.ts';
import { shipmentTables } from '#shared/store/shipments/shipment-row.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import { updateJourneys } from '#shared/store/tracking/journeys.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore, uniqueNumber } from '#test/support/core-context.ts';
import { fullShipment } from '#test/support/full-shipment.ts';
import { runs } from '#test/support/run-scale.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const shipmentCount = 120;
const seed = Number(process.env.FILTER_SEED ?? Date.now() % 2 ** 31);

let core: TestCore;
let caller: Caller;
let shipments: Shipment[];

beforeAll(async () => {
  core = await openTestCore({}, ownDatabase);
  caller = await core.newCaller();
  await core.store.system.query(
    `insert into landfall.account_members (account_id, user_id, name) select $1, unnest($2::uuid[]), 'Somebody'`,
    [caller.accountId, assignees],
  );
  shipments = [];
  for (const made of fc.sample(shipmentArbitrary, { numRuns: shipmentCount, seed })) shipments.push(await store(made));
  await sequenceChanges(core.ctx);
  while (await followAnalytics(core.ctx, { countAfterMs: 0 }));
});

afterAll(() => core.close());

// Few values, so that filters match shipments. Some of them Postgres and JavaScript might compare differently.
const days = ['2026-05-01', '2026-05-02', '2026-05-03'];
const instants = days.flatMap((day) => [`${day}T00:00:00.000Z`, `${day}T12:00:00.000Z`, `${day}T23:59:59.999Z`]);
const assignees = ['01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7e', '01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7f'];
const tags = ['acme', 'Acme', 'x y', '50%', 'Ünï'];
const references = ['PO-1', 'po-1', 'PO_1', 'ref %', "o'neil", 'back\\slash'];
const numbers = ['MAEU700000001', '700000001', 'maeu 7000-00001', 'HLCU700000001', 'House 77', 'MSKU1234565', '1z 77'];
const words = [
  ...numbers,
  ...references,
  ...tags,
  'Shanghai',
  'shang',
  'HAI',
  'Zürich',
  'ZÜR',
  'ever given',
  'given ever',
  'Gothenburg',
  'Göteborg maersk',
  'zuerich',
  'Maersk',
  '---',
  'a_c',
];
const places: Place[] = [
  place({ name: 'Shanghai', unlocode: 'CNSHA', country: 'CN' }),
  place({ name: 'Zürich', unlocode: 'CHZRH', iata: 'ZRH' }),
  place({ name: 'Finland Terminal', country: 'FI' }),
  place({ name: '上海' }),
  place({ name: 'GÖTEBORG' }),
  place({ name: 'Gothenburg', unlocode: 'SEGOT', country: 'SE' }),
  place({ name: 'Portland, OR', country: 'US' }),
  place({ unlocode: 'NLRTM' }),
  place({}),
];
const placeTexts = [
  'CNSHA',
  'cnsha',
  'cn',
  'CH',
  'ch',
  'zrh',
  'Goteborg',
  'Gothenburg, SE',
  'Port of Shanghai',
  'Portland, OR',
  'Suomi',
  '--',
  'ZÜRICH',
  'ürich',
  'NL',
  'nlrtm',
  'land',
  'shanghai',
  '上海',
  'a_g',
  '%',
  'FI ',
];

/** Longer than a term of the index, and of characters beyond the basic plane. */
const longValue = '🚢'.repeat(250);
const some = <Value>(values: readonly Value[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });

type Made = {
  reference: string | null;
  others: string[];
  carrier: string;
  tags: string[];
  metadata: Record<string, string>;
  identifiers: Identifiers;
  assignee: string | null;
  archived: boolean;
  createdAt: string;
  updatedAt: string;
  polling: { state: string; reason: string | null; succeeded: boolean; staleInS: number | null };
  journey: Partial<Journey> & {
    containerNumbers: string[];
    pieceNumbers: string[];
    containerStatus: Status;
    vessel: string | null;
  };
};

/** From the westernmost time zone to the easternmost: an instant is on up to three calendar days. */
const offsetHours = [-12, -8, 0, 5.5, 14];
const time = fc.tuple(fc.constantFrom(...instants), fc.constantFrom(...offsetHours)).map(
  ([at, offset]): CarrierTime => ({
    at,
    local: new Date(Date.parse(at) + offset * 3_600_000).toISOString().slice(0, 16),
    timezone: null,
    zoneSource: 'carrier',
    precision: 'minute',
  }),
);
const nothingPromised = {
  originalEstimated: null,
  promised: null,
  delayBasis: null,
  delayHours: null,
  source: null,
};
const bounds = [...instants, '2026-04-30', ...days, '2026-05-04'];
const triple = fc.record({ planned: maybe(time), estimated: maybe(time), actual: maybe(time) });

const shipmentArbitrary: fc.Arbitrary<Made> = fc.record({
  reference: maybe(fc.constantFrom(...references)),
  others: fc.uniqueArray(fc.constantFrom(...references), { maxLength: 2 }),
  carrier: fc.constantFrom('MAEU', 'HLCU'),
  tags: fc.uniqueArray(fc.constantFrom(...tags), { maxLength: 3 }),
  metadata: fc.record(
    { buyer: fc.constantFrom('acme', 'Acme, Ltd', longValue), 'a=b': fc.constant('c') },
    { requiredKeys: [], noNullPrototype: true },
  ),
  identifiers: fc.record(
    { hbl: fc.constantFrom(...numbers), container: fc.constantFrom('MSKU1234565', 'CSQU3054383') },
    { requiredKeys: [] },
  ),
  assignee: maybe(fc.constantFrom(...assignees)),
  archived: fc.boolean(),
  createdAt: fc.constantFrom(...instants),
  updatedAt: fc.constantFrom(...instants),
  polling: fc.record({
    state: fc.constantFrom(...trackingStates),
    reason: maybe(fc.constantFrom(...trackingReasons)),
    succeeded: fc.boolean(),
    staleInS: maybe(fc.constantFrom(-3600, 3600)),
  }),
  journey: fc.record({
    status: fc.constantFrom(...statuses),
    origin: maybe(fc.constantFrom(...places)),
    destination: maybe(fc.constantFrom(...places)),
    departure: triple,
    delivery: triple.map((times) => ({
      ...nothingPromised,
      ...times,
      ...{
        window: null,
        onTime: 'unknown' as const,
        attempts: 0,
        lastAttemptAt: null,
        receivedBy: null,
        leftAt: null,
        proof: [],
      },
    })),
    arrival: fc.tuple(triple, maybe(fc.integer({ min: -3, max: 50 }))).map(([times, delayHours]) => ({
      ...nothingPromised,
      ...times,
      promised: times.planned,
      delayHours: times.planned && delayHours,
    })),
    exceptions: fc.uniqueArray(
      fc.record({
        code: fc.constantFrom(...exceptionCodes),
        severity: fc.constant('warning' as const),
        message: fc.constant(''),
        openedAt: fc.constant(days[0] ?? ''),
        resolvedAt: maybe(fc.constant(days[1] ?? '')),
        eventId: fc.constant('01890000-0000-7000-8000-000000000000'),
        container: fc.constant(null),
        piece: fc.constant(null),
        cause: fc.constantFrom('WEA', 'other'),
      }),
      { maxLength: 2, selector: ({ code }) => code },
    ),
    latestEvent: maybe(time).map((at) => at && anyEventAt(at)),
    containerNumbers: fc.uniqueArray(fc.constantFrom('MSKU1234565', 'TCLU7654321'), { maxLength: 2 }),
    pieceNumbers: fc.uniqueArray(fc.constantFrom('1Z77', '700000001'), { maxLength: 2 }),
    containerStatus: fc.constantFrom(...statuses),
    vessel: maybe(fc.constantFrom('EVER GIVEN', 'Maersk A_C', 'ZAŻÓŁĆ', '上海')),
    freeTime: maybe(
      fc.record({ states: some(clockStates), lastFreeDay: maybe(fc.constantFrom(...days)) }).map((made) => ({
        ...made,
        state: made.states[0] ?? 'running',
        daysLeft: null,
        costs: [],
        unknownTerms: 0,
        containers: [],
        more: 0,
        nextAssessmentAt: null,
      })),
    ),
  }),
});

const filterArbitrary: fc.Arbitrary<ShipmentFilter> = fc
  .record(
    {
      status: some(statuses),
      transportMode: some(transportModes),
      carrier: some(['MAEU', 'HLCU', 'CMDU']),
      trackingState: some(trackingStates),
      trackingReason: some(trackingReasons),
      freshness: some(freshnesses),
      stale: fc.boolean(),
      identifier: some(numbers),
      identifiers: fc.record(
        { mbl: some(numbers), hbl: some(numbers), container: some(numbers), tracking_number: some(numbers) },
        { requiredKeys: [] },
      ),
      reference: some(references),
      tag: some(tags),
      metadata: fc.record(
        { buyer: some(['acme', 'Acme, Ltd', longValue, `${longValue}!`]), 'a=b': some(['c']), a: some(['b=c']) },
        { requiredKeys: [], noNullPrototype: true },
      ),
      vessel: some(['ever given', ' EVER GIVEN', '9811000', 'IMO 9811000', 'Maersk', 'ZAŻÓŁĆ', '上海']),
      containerStatus: some(statuses),
      q: fc.constantFrom(...words),
      origin: some(placeTexts),
      destination: some(placeTexts),
      etaFrom: fc.constantFrom(...bounds),
      etaTo: fc.constantFrom(...bounds),
      departedFrom: fc.constantFrom(...bounds),
      departedTo: fc.constantFrom(...bounds),
      deliveredFrom: fc.constantFrom(...bounds),
      deliveredTo: fc.constantFrom(...bounds),
      createdFrom: fc.constantFrom(...instants),
      createdTo: fc.constantFrom(...instants),
      updatedSince: fc.constantFrom(...instants),
      hasException: fc.boolean(),
      needsAttention: fc.boolean(),
      exception: some(exceptionCodes),
      delayedMinHours: fc.constantFrom(0, 0.5, 24, 49),
      overdueMinHours: fc.constantFrom(0, 0.5, 24, 10_000),
      late: fc.boolean(),
      lastFreeDayFrom: fc.constantFrom(...days),
      lastFreeDayTo: fc.constantFrom(...days),
      freeTime: some(clockStates),
      assignee: some([...assignees, 'none']),
      arrivedFrom: fc.constantFrom(...bounds),
      arrivedTo: fc.constantFrom(...bounds),
      onTime: some(punctualities),
      transitKnown: fc.boolean(),
      transitMinHours: fc.constantFrom(0, 11.5, 24, 10_000),
      delayCause: some(['WEA', 'customs_hold', 'other', 'unknown']),
      freeTimeOutcome: some(freeTimeOutcomes),
      lane: some(['CNSHA-CHZRH', 'unknown-NLRTM', 'unknown-unknown', 'SEGOT-CNSHA']),
      countryLane: some(['CN-CH', 'FI-CN', 'unknown-NL', 'US-US']),
      hasEvents: fc.boolean(),
      archived: fc.constantFrom(true, false, 'any' as const),
    },
    { noNullPrototype: true, requiredKeys: [] },
  )
  // All parts at once match nothing, so up to three of them, and sometimes a fourth.
  .chain((filter) =>
    fc
      .subarray(Object.keys(filter) as (keyof ShipmentFilter)[], { maxLength: 3 })
      .map(
        (kept): ShipmentFilter =>
          Object.fromEntries(Object.entries(filter).filter(([name]) => kept.includes(name as keyof ShipmentFilter))),
      ),
  );

test('lists exactly the shipments that matchesFilter matches, with and without the word index', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(filterArbitrary, async (filter) => {
      const expected = shipments
        .filter((shipment) => matchesFilter(resolveFilter(filter), shipment))
        .map(({ id }) => id);
      found += expected.length;
      expect(await listed(filter)).toEqual(expected.toSorted());
      expect(await matchedWithoutIndex(filter)).toEqual(expected.toSorted());
    }),
    { numRuns: runs(400), seed },
  );
  // Filters that never match would prove nothing.
  expect(found).toBeGreaterThan(runs(400) * 2.5);
});

test('selects changes by their snapshot as by the record, or reports that only the record decides', () => {
  let bySnapshot = 0;
  fc.assert(
    fc.property(filterArbitrary, fc.constantFrom(...shipments), (filter, shipment) => {
      const { evaluate, evaluateRecord } = selectChanges(null, filter);
      const evaluated = evaluate(changeOf(shipment));
      expect(evaluateRecord(shipment)).toBe(matchesFilter(resolveFilter(filter), shipment));
      if (evaluated === 'record') return;
      bySnapshot += 1;
      expect(evaluated).toBe(evaluateRecord(shipment));
    }),
    { numRuns: runs(20_000), seed },
  );
  expect(bySnapshot).toBeGreaterThan(runs(20_000) / 10);
});

function changeOf(shipment: Shipment): Change {
  return {
    id: shipment.id,
    sequence: 1,
    type: 'shipment.updated',
    createdAt: shipment.updatedAt,
    data: { shipment: shipmentSnapshot(shipment), changes: {} },
    traceparent: null,
  };
}

test('finds a shipment by each of its properties', async () => {
  for (const shipment of shipments.slice(0, 40)) {
    const base: ShipmentFilter = shipment.archivedAt === null ? {} : { archived: true };
    const own: ShipmentFilter[] = [
      {
        status: [shipment.journey.status],
        freshness: [shipment.tracking.freshness],
        trackingState: [shipment.tracking.state],
      },
      { identifier: Object.values(shipment.identifiers).slice(0, 1) },
      // Separators where the client has none, and vice versa.
      ...Object.values(shipment.identifiers).map((value) => ({
        q: `${value.slice(0, 5)}-${value.slice(5).replace('-', '')}`,
      })),
      ...shipment.journey.containers.map(({ number }) => ({
        q: number.slice(2),
        identifiers: { container: [number] },
      })),
      ...shipment.journey.pieces.map(({ trackingNumber }) => ({ identifiers: { tracking_number: [trackingNumber] } })),
      ...shipment.journey.legs.flatMap(({ vehicle }) =>
        vehicle?.name ? [{ q: vehicle.name.split(' ').toReversed().join(' ') }] : [],
      ),
      ...shipment.journey.legs.flatMap(({ vehicle }) => (vehicle?.name ? [{ vessel: [vehicle.name] }] : [])),
      ...Object.entries(shipment.metadata).map(([key, value]) => ({ metadata: { [key]: [value] } })),
      ...shipment.journey.containers.map(({ status }) => ({ containerStatus: [status] })),
      ...(shipment.tags.length > 0 ? [{ tag: shipment.tags }] : []),
      ...shipment.references.map((one) => ({ reference: [one], q: one })),
      ...(shipment.journey.origin?.name
        ? [{ origin: [shipment.journey.origin.name], q: shipment.journey.origin.name.padEnd(3) }]
        : []),
    ];
    for (const filter of own) {
      expect(await listed({ ...base, ...filter }), JSON.stringify(filter)).toContain(shipment.id);
      const isFound = matchesFilter(resolveFilter({ ...base, ...filter }), shipment);
      expect(isFound, JSON.stringify(filter)).toBe(true);
    }
  }
});

async function listed(filter: ShipmentFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listShipments(core.ctx, caller, {
      filter,
      sort: '-created_at',
      limit: 100,
      cursor,
      withCounts: false,
    });
    ids.push(...page.shipments.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids.toSorted();
}

function matchedWithoutIndex(filter: ShipmentFilter): Promise<string[]> {
  const { text, values } = filterCondition({ accountId: caller.accountId, test: false, filter: resolveFilter(filter) });
  return withAccount(core.store, caller.accountId, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(`select s.id from ${shipmentTables} where ${text}`, values);
    return rows.map(({ id }) => id).toSorted();
  });
}

async function store(made: Made): Promise<Shipment> {
  const { containerNumbers, pieceNumbers, containerStatus, vessel, ...journeyPart } = made.journey;
  // First references are unique: most shipments get one of their own, so that the listed ones stay rare.
  const free = made.reference !== null && !usedReferences.has(made.reference) ? made.reference : null;
  const reference = free ?? (made.others.length > 0 ? `OWN-${uniqueNumber()}` : null);
  const { shipment } = await registerShipment(
    core.ctx,
    caller,
    oceanRegistration({
      carrier: made.carrier,
      tags: made.tags,
      metadata: made.metadata,
      identifiers: { mbl: `${made.carrier}${uniqueNumber()}`, ...made.identifiers },
      reference,
      references: allReferences(reference, made.others),
    }),
  );
  if (shipment.reference !== null) usedReferences.add(shipment.reference);
  const journey: Journey = {
    ...shipment.journey,
    ...journeyPart,
    eta: findEta({ ...shipment.journey, ...journeyPart }),
    delayHours: journeyPart.arrival?.delayHours ?? null,
    hasException: journeyPart.exceptions?.some(({ resolvedAt }) => resolvedAt === null) ?? false,
    containers: containerNumbers.map((number) => ({
      ...{ number, isoType: null, status: containerStatus, seals: [], decidingEventId: null },
      freeTime: {
        clocks: (journeyPart.freeTime?.states ?? []).map((state) => ({ kind: 'demurrage' as const, state })),
      },
    })),
    pieces: pieceNumbers.map((trackingNumber) => ({
      ...{ trackingNumber, status: containerStatus, statusDetail: null, weightKg: null, dimensionsCm: null },
      decidingEventId: null,
    })),
    containerStatusCounts: containerNumbers.length === 0 ? {} : { [containerStatus]: containerNumbers.length },
    legs: [
      {
        sequence: 1,
        mode: 'ocean',
        from: journeyPart.origin ?? null,
        to: null,
        vehicle: { name: vessel, imo: vessel === 'EVER GIVEN' ? '9811000' : null, voyage: null, flight: null },
        departure: { planned: null, estimated: null, actual: null },
        arrival: { planned: null, estimated: null, actual: null },
        delayHours: null,
        delayBasis: null,
      },
    ],
  };
  const stored = await withAccount(core.store, caller.accountId, async (tx) => {
    await updateJourneys(tx, caller.accountId, [
      { shipment, journey, statusChangedAt: null, closed: false, position: positionOf(journey) },
    ]);
    await insertIdentifiers(tx, caller.accountId, {
      ...{ shipmentId: shipment.id, source: 'carrier', test: false, transportMode: 'ocean', carrier: made.carrier },
      entries: [
        ...containerNumbers.map((value) => ({ key: 'container' as const, value, matchValue: matchValue(value) })),
        ...pieceNumbers.map((value) => ({ key: 'tracking_number' as const, value, matchValue: matchValue(value) })),
      ],
    });
    await tx.query(
      `update landfall.shipments
      set created_at = $3, updated_at = $4, archived_at = case when $5 then now() end, assignee_id = $6
      where account_id = $1 and id = $2`,
      [caller.accountId, shipment.id, made.createdAt, made.updatedAt, made.archived, made.assignee],
    );
    await tx.query(
      `update landfall.polling
      set state = $3, reason = $6, last_succeeded_at = case when $4 then now() end, stale_at = now() + make_interval(secs => $5)
      where account_id = $1 and shipment_id = $2`,
      [
        caller.accountId,
        shipment.id,
        made.polling.state,
        made.polling.succeeded,
        made.polling.staleInS,
        made.polling.reason,
      ],
    );
    return readShipment(tx, caller.accountId, { id: shipment.id, test: false });
  });
  if (stored === null) throw new Error('the shipment is gone');
  return stored;
}

const usedReferences = new Set<string>();

function anyEventAt(time: CarrierTime): Journey['latestEvent'] {
  const { latestEvent } = fullShipment.journey;
  return latestEvent && { ...latestEvent, time };
}

function place(parts: Partial<Place>): Place {
  return {
    name: null,
    unlocode: null,
    iata: null,
    country: null,
    lat: null,
    lng: null,
    timezone: null,
    facility: null,
    ...parts,
  };
}
