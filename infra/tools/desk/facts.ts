import { expect } from 'vitest';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { dayAt, shownAt } from './portfolio/moments.ts';
import { type PlaceCode, shownPlace } from './portfolio/places.ts';
import type { Seeded } from './portfolio/seed.ts';
import type { Portfolio } from './portfolio.ts';
import { type Answer, type Content, type Row, rowsOf } from './question.ts';

/** Exactly these shipments were shown, each once, and the total matches. */
export function expectShipments(answers: Answer[], expected: readonly Seeded[]): void {
  const rows = rowsOf(answers);
  expect(rows.map((row) => row.shipment_id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  expect(answers[0]?.content.total).toBe(expected.length);
}

/** Expects the facts of each shipment that an answer shows to be true, whatever the question. */
export function expectTrueFacts(answers: Answer[], mine: Portfolio): void {
  for (const { content, args } of answers) {
    for (const row of [...(content?.shipments ?? []), ...(content?.matches ?? [])]) expectTrueRow(row, mine);
    if (content?.status_since !== undefined || content?.identifiers !== undefined) expectTrueRecord(content, mine);
    if (content?.shipments !== undefined && args.cursor === undefined)
      expect(sumOf(content.counts_by_status)).toBe(content.total);
  }
}

function expectTrueRow(row: Row, mine: Portfolio): void {
  const shipment = mine.byId(row.shipment_id);
  if (shipment === undefined) throw new Error(`${row.shipment_id} does not belong to this account`);
  const { truth, registration, name } = shipment;
  const facts = { name, ...row };
  expect(facts).toEqual({
    name,
    shipment_id: shipment.id,
    transport_mode: registration.transportMode,
    carrier: registration.carrier,
    identifier: Object.values(registration.identifiers)[0],
    reference: registration.reference,
    status: truth.status,
    ...(truth.origin === null ? {} : { origin: isPlace(truth.origin) }),
    ...(truth.destination === null ? {} : { destination: isPlace(truth.destination) }),
    ...(truth.shownEta === null ? {} : { eta: dayAt(truth.shownEta) }),
    ...(truth.shownEta !== null && isToTheDoor(registration.transportMode) ? { eta_kind: 'delivery' } : {}),
    ...(truth.delay === null ? {} : { delay_hours: truth.delay }),
    ...(truth.exceptions.length === 0 ? {} : { exception: expect.toSatisfy(isListOf(truth.exceptions)) }),
    ...lastEventOf(row, truth),
    ...(truth.delivered === null ? {} : { delivered_at: dayAt(truth.delivered) }),
    ...shownOrOmitted(row, {
      containers: truth.boxes.length === 0 ? null : expect.toSatisfy(isNaming(truth)),
      departed_at: truth.departed === null ? null : dayAt(truth.departed),
      terminal: truth.terminal,
    }),
    ...(row.matched === undefined ? {} : { matched: row.matched }),
    ...(row.created_at === undefined ? {} : { created_at: dayAt(shipment.registered) }),
    ...(row.omitted === undefined ? {} : { omitted: row.omitted }),
    ...(shipment.isArchived ? { archived: true } : {}),

    ...(['active', 'completed'].includes(shipment.trackingState) ? {} : { tracking: shipment.trackingState }),
    ...(shipment.staleFor === null ? {} : { stale: true }),
    // The account has no terms, so whatever waits ashore or is out with its consignee can't be assessed.
    ...(row.free_time !== undefined && isLanded(registration.transportMode, truth.status)
      ? { free_time: 'unknown_terms' }
      : {}),
    ...(truth.lastFreeDay === null ? {} : { free_time: row.free_time, last_free_day: truth.lastFreeDay }),
    // Beside an exception it would say nothing new.
    ...(shipment.trackingState === 'failed' && truth.exceptions.length === 0 ? { needs_attention: true } : {}),
  });
}

function expectTrueRecord(record: Content, mine: Portfolio): void {
  const shipment = mine.byId(record.shipment_id);
  if (shipment === undefined) throw new Error(`${record.shipment_id} does not belong to this account`);
  const { truth, registration } = shipment;
  const expected = isToTheDoor(registration.transportMode) ? 'delivery' : 'arrival';
  const open = (record.exceptions ?? []).filter((exception: Content) => exception.resolved_at === undefined);
  expect({
    status: record.status,
    carrier: record.carrier,
    identifiers: record.identifiers,
    reference: record.reference,
    delay: record.delay_hours ?? null,
    eta: truth.eta === null ? null : (record[expected]?.estimated ?? null),
    exceptions: open.map((exception: Content) => exception.code).toSorted(),
    delivered: record.delivery?.actual ?? null,
    state: record.tracking.state,
    stale: record.stale_because === undefined ? null : true,
    source: record.tracking.source ?? null,
  }).toEqual({
    status: truth.status,
    carrier: registration.carrier,
    identifiers: registration.identifiers,
    reference: registration.reference,
    delay: truth.delay,
    eta: truth.eta === null ? null : shownAt(truth.eta),
    exceptions: truth.exceptions.toSorted(),
    delivered: truth.delivered === null ? null : shownAt(truth.delivered),
    state: shipment.trackingState,
    stale: shipment.staleFor === null && truth.lastEvent !== null ? null : true,
    source: shipment.refreshes.length === 0 ? null : 'simulator:portfolio',
  });
}

function isToTheDoor(mode: TransportMode): boolean {
  return mode === 'road' || mode === 'parcel';
}

function isLanded(mode: TransportMode, status: string): boolean {
  return mode === 'ocean' && ['arrived', 'available_for_pickup', 'out_for_delivery', 'delivered'].includes(status);
}

/** With little space, only the code is shown. */
export function isPlace(code: PlaceCode): unknown {
  return expect.toBeOneOf([shownPlace(code), code]);
}

/** A row that would be too long shows only the day, or omits the time, or omits the value. */
function lastEventOf(row: Row, { lastEvent }: Seeded['truth']): Partial<Record<keyof Row, unknown>> {
  if (lastEvent === null) return {};
  return {
    ...(row.last_event === undefined ? {} : { last_event: lastEvent.code }),
    ...(row.last_event_at === undefined
      ? {}
      : { last_event_at: expect.toBeOneOf([shownAt(lastEvent.hour), dayAt(lastEvent.hour)]) }),
  };
}

/** A row shows what is known, or names what it leaves out. */
function shownOrOmitted(row: Row, known: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(known).filter(
    ([name, value]) => value !== null && !row.omitted?.split(', ').includes(name),
  );
  return Object.fromEntries(parts);
}

/** Containers with their own status, and how many more there are. */
function isNaming({ boxes, status }: Seeded['truth']): (list: unknown) => boolean {
  return (list) => {
    if (!Array.isArray(list)) return false;
    const more = Number(/^\+(\d+)$/.exec(list.at(-1))?.[1] ?? 0);
    const named: string[] = more > 0 ? list.slice(0, -1) : list;
    const expected = boxes.map((own) => (own.status === status ? own.number : `${own.number} ${own.status}`));
    return named.length + more === boxes.length && named.every((text) => expected.includes(text));
  };
}

/** The comma-separated codes, in any order. */
function isListOf(codes: readonly string[]): (text: unknown) => boolean {
  return (text) => typeof text === 'string' && text.split(', ').toSorted().join() === codes.toSorted().join();
}

export function sumOf(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The count of each value. */
export function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}
