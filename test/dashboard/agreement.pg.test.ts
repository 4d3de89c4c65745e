import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toRow } from '#services/api/mcp/results/list-rows.ts';
import { describeShipment } from '#services/api/mcp/results/shipment-details.ts';
import { delayWords } from '#services/dashboard/parts/time-words.ts';
import { arrivalOf } from '#services/dashboard/screens/shipment/facts/eta-fact.tsx';
import { etaSteps } from '#services/dashboard/screens/shipment/words/eta-steps.ts';
import { rowOf } from '#services/dashboard/screens/shipments/shipment-row.ts';
import { toWireChange } from '#shared/contract/feed/change-wire.ts';
import { csvColumnNames } from '#shared/contract/lists/export-fields.ts';
import { csvRow } from '#shared/contract/lists/export-rows.ts';
import { toWireShipment, toWireSummary } from '#shared/contract/record/shipment-wire.ts';
import { listShipments } from '#shared/core/lists/list-shipments.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { localDay } from '#shared/domain/events/local-day.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import { composeFrom } from '#shared/domain/journey/journey.ts';
import type { ShipmentFilter, ShipmentSort } from '#shared/domain/lists/filter.ts';
import { positionOf } from '#shared/domain/lists/map-position.ts';
import { isLate, overdueHoursAt } from '#shared/domain/record/lateness.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { updateJourneys } from '#shared/store/tracking/journeys.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { simulatedFleet } from '#test/support/carriers/simulated-fleet.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { scaled } from '#test/support/run-scale.ts';

/** Facts of a shipment that every view must show alike. */
type Said = {
  status: string;
  /** The local day of the ETA. */
  etaDay: string | null;
  delayHours: number | null;
  overdueHours: number | null;
};

/** Readers of the facts, one per view; a new view or column is a row here. Absent: the view does not show the fact. */
const views: Record<string, (shipment: Shipment) => Partial<Said>> = {
  'list row': (shipment) => ofWire(toWireSummary(shipment)),
  record: (shipment) => ofWire(toWireShipment(shipment)),
  'change in the feed': (shipment) => {
    const data = JSON.parse(JSON.stringify({ shipment: shipmentSnapshot(shipment), changes: {} }));
    const change = { id: shipment.id, sequence: 1, createdAt: shipment.createdAt, traceparent: null };
    return ofWire(toWireChange({ ...change, type: 'shipment.updated', data }).data.shipment);
  },
  'line of an export': (shipment) => {
    const cell = cellsOf(shipment);
    return {
      status: cell('status') ?? '',
      etaDay: cell('eta.time.local')?.slice(0, 10) ?? null,
      delayHours: numberOf(cell('delay_hours')),
      overdueHours: numberOf(cell('overdue_hours')),
    };
  },
  'MCP row': (shipment) => ofTool(toRow(shipment)),
  'MCP details': (shipment) => {
    const { eta: _eta, etaDay: _day, ...said } = { eta: null, ...ofTool(describeShipment(shipment, 'detailed')) };
    return said;
  },
  'last leg': ({ journey }) => {
    const last = journey.legs.findLast(({ to }) => to !== null && placeKey(to) === placeKey(journey.destination));
    const isArrival = journey.eta?.kind === 'arrival';
    return last === undefined || !isArrival ? {} : { delayHours: last.delayHours };
  },
  'dashboard list': (shipment) => {
    const row = rowOf(toWireSummary(shipment));
    const { status, etaDay, delayHours, overdueHours } = row;
    return { status, etaDay, delayHours, overdueHours };
  },
  'ETA chart': (shipment) => {
    const { eta, eta_history: all, ...record } = toWireShipment(shipment);
    const { promised, estimated, actual } = eta?.kind === 'delivery' ? record.delivery : record.arrival;
    const history = all.filter(({ kind }) => kind === eta?.kind);
    if (estimated === null || history.length === 0) return {};
    const revisions = actual === null ? history : [...history, { eta: actual, seen_at: '2100-01-01T00:00:00.000Z' }];
    const size = { width: 368, height: 130, margin: { left: 44, right: 56, top: 18, bottom: 20 } };
    const chart = etaSteps(revisions, { ...size, untilMs: Date.parse('2100-01-02T00:00:00Z'), promised });
    return { delayHours: chart?.end.hours ?? null };
  },
};

let core: TestCore;
let caller: Caller;
let shipments: Shipment[];

beforeAll(async () => {
  core = await openTestCore();
  caller = await core.newCaller();
  await storeFleet();
  shipments = await listAll({}, '-created_at');
}, 3_600_000);
afterAll(() => core?.close());

describe('simulated shipments of all modes', () => {
  it('are many, cover every mode and stage, and include delayed, overdue and on-time ones', () => {
    const modes = Map.groupBy(shipments, ({ transportMode }) => transportMode);
    expect([...modes.keys()].toSorted()).toEqual(['air', 'ocean', 'parcel', 'road']);
    for (const own of modes.values()) {
      expect(own.filter(({ journey }) => journey.eta !== null).length).toBeGreaterThan(own.length / 2);
      expect(own.filter(({ journey }) => journey.delayHours !== null).length).toBeGreaterThan(own.length / 2);
    }
    expect(shipments.some(({ journey }) => (journey.delayHours ?? 0) >= 24)).toBe(true);
    expect(shipments.some(({ overdueHours }) => overdueHours !== null)).toBe(true);
  });

  it.each(Object.entries(views))('have one ETA, delay and status in every view: %s', (_name, view) => {
    const faults = shipments.flatMap((shipment) => {
      const [said, wanted] = [view(shipment), ofWire(toWireShipment(shipment))];
      const differs = (Object.keys(said) as (keyof Said)[]).filter((field) => said[field] !== wanted[field]);
      return differs.map((field) => `${shipment.carrier}: ${field} is ${said[field]}, not ${wanted[field]}`);
    });
    expect(faults.slice(0, 20)).toEqual([]);
  });

  it('are described by the dashboard in the same words in list, map and record', () => {
    const now = Date.now();
    for (const shipment of shipments) {
      const record = toWireShipment(shipment);
      const row = rowOf(toWireSummary(shipment));
      const headline = arrivalOf(record, now);
      expect(delayWords(row.delayHours, row.overdueHours)).toBe(delayWords(record.delay_hours, record.overdue_hours));
      expect(row.isLate).toBe(record.late);
      if (headline.kind !== 'actual') expect(headline.time?.at ?? null).toBe(record.eta?.time.at ?? null);
      if (record.overdue_hours !== null) expect(headline.kind).not.toBe('actual');
    }
  });

  it('are overdue and late by the clock under the rules of the domain', () => {
    const nowMs = Date.now();
    for (const { journey, transportMode, overdueHours, late } of shipments) {
      const expected = overdueHoursAt(journey, nowMs);
      // The clock went on between the list and this line.
      if (expected === null || overdueHours === null) expect(overdueHours).toBe(expected);
      else expect(Math.abs(expected - overdueHours)).toBeLessThanOrEqual(1);
      expect(late).toBe(isLate(journey, transportMode, overdueHours));
    }
  });

  it('are found and sorted by the numbers that they show', async () => {
    const late = await listAll({ late: true }, '-created_at');
    expect(late.map(({ id }) => id)).toEqual(shipments.filter((one) => one.late).map(({ id }) => id));
    const delayed = await listAll({ delayedMinHours: 24 }, '-created_at');
    const isDelayed = ({ journey }: Shipment) => (journey.delayHours ?? 0) >= 24;
    expect(delayed.map(({ id }) => id)).toEqual(shipments.filter(isDelayed).map(({ id }) => id));
    const byDelay = (await listAll({}, '-delay_hours')).map(({ journey }) => journey.delayHours);
    expect(byDelay).toEqual(byDelay.toSorted((left, right) => (right ?? -1e9) - (left ?? -1e9)));
    const byEta = (await listAll({}, 'eta')).map(({ journey }) => journey.eta?.time.at ?? '9999');
    expect(byEta).toEqual(byEta.toSorted());
  });

  it('are listed on each day of a month that they show as ETA or departure, in every mode, and on no other', async () => {
    const dayOfEta = ({ journey }: Shipment) => journey.eta && localDay(journey.eta.time);
    const dayOfDeparture = ({ journey }: Shipment) => journey.departure.actual && localDay(journey.departure.actual);
    for (const [mode, own] of Map.groupBy(shipments, ({ transportMode }) => transportMode)) {
      for (const day of monthAround(own.map(dayOfEta))) {
        const listed = await listAll({ transportMode: [mode], etaFrom: day, etaTo: day }, 'eta');
        expect(idsOf(listed), `${mode} ${day}`).toEqual(idsOf(own.filter((one) => dayOfEta(one) === day)));
      }
      for (const day of monthAround(own.map(dayOfDeparture))) {
        const listed = await listAll({ transportMode: [mode], departedFrom: day, departedTo: day }, '-created_at');
        expect(idsOf(listed), `${mode} ${day}`).toEqual(idsOf(own.filter((one) => dayOfDeparture(one) === day)));
      }
    }
  });

  it('have no open plan once the voyage is over, and their events in the order of what happened', () => {
    for (const { journey } of shipments) {
      const live = journey.events.filter(({ flags }) => flags.length === 0);
      const actual = live.filter(({ classifier }) => classifier === 'actual');
      expect(actual.map(({ time }) => time.at)).toEqual(
        actual
          .map(({ time }) => time.at)
          .toSorted()
          .toReversed(),
      );
      if (journey.status === 'delivered')
        expect(live.filter(({ classifier, fulfilledBy }) => classifier !== 'actual' && fulfilledBy === null)).toEqual(
          [],
        );
    }
  });
});

/** 31 days from a fortnight before the median of the given days. */
function monthAround(days: readonly (string | null)[]): string[] {
  const known = days.filter((day) => day !== null).toSorted();
  const middleMs = Date.parse(known[Math.floor(known.length / 2)] ?? '');
  if (Number.isNaN(middleMs)) return [];
  return Array.from({ length: 31 }, (_, index) =>
    new Date(middleMs + (index - 14) * 86_400_000).toISOString().slice(0, 10),
  );
}

function idsOf(list: readonly Shipment[]): string[] {
  return list.map(({ id }) => id).toSorted();
}

async function storeFleet(): Promise<void> {
  const fleet = await simulatedFleet(scaled({ short: 250, full: 5000 }));
  for (const { mode, carrier, identifiers, events, nowMs } of fleet) {
    const registration = oceanRegistration({ transportMode: mode, carrier, identifiers });
    const { shipment } = await registerShipment(core.ctx, caller, registration);
    const { journey, statusChangedAt } = composeFrom(events, shipment, { nowMs });
    await withAccount(core.store, caller.accountId, (tx) =>
      updateJourneys(tx, caller.accountId, [
        { shipment, journey, statusChangedAt, closed: false, position: positionOf(journey) },
      ]),
    );
  }
}

async function listAll(filter: ShipmentFilter, sort: ShipmentSort): Promise<Shipment[]> {
  const found: Shipment[] = [];
  for (let cursor: string | null = null, more = true; more; ) {
    const input = { filter, sort, limit: 100, cursor, withCounts: false, withEvents: true };
    const page: Awaited<ReturnType<typeof listShipments>> = await listShipments(core.ctx, caller, input);
    found.push(...page.shipments);
    cursor = page.nextCursor;
    more = page.hasMore;
  }
  return found;
}

type Wire = Pick<ReturnType<typeof toWireSummary>, 'status' | 'eta' | 'delay_hours' | 'overdue_hours'>;

function ofWire({ status, eta, delay_hours, overdue_hours }: Wire): Said {
  return {
    status,
    etaDay: eta?.time.local.slice(0, 10) ?? null,
    delayHours: delay_hours,
    overdueHours: overdue_hours,
  };
}

/** Tools omit what is null. */
function ofTool(row: Record<string, unknown>): Said {
  return {
    status: String(row.status),
    etaDay: (row.eta as string | null | undefined) ?? null,
    delayHours: (row.delay_hours as number | null | undefined) ?? null,
    overdueHours: (row.overdue_hours as number | null | undefined) ?? null,
  };
}

function cellsOf(shipment: Shipment): (column: string) => string | null {
  const line = csvRow(shipment, csvColumnNames);
  const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(?:,|\r\n)/g)].map(([, cell = '']) => cell);
  return (column) => cells[csvColumnNames.indexOf(column)] || null;
}

function numberOf(cell: string | null): number | null {
  return cell === null ? null : Number(cell);
}
