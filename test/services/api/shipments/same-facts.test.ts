import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { toRow } from '#services/api/mcp/results/list-rows.ts';
import { describeShipment } from '#services/api/mcp/results/shipment-details.ts';
import { toolSuccess } from '#services/api/mcp/results/tool-result.ts';
import { toWireChange } from '#shared/contract/feed/change-wire.ts';
import { streamFrames } from '#shared/contract/feed/stream-wire.ts';
import { csvColumnNames } from '#shared/contract/lists/export-fields.ts';
import { csvHeader, csvRow, ndjsonRow } from '#shared/contract/lists/export-rows.ts';
import { parseListShipmentsQuery } from '#shared/contract/lists/list-shipments-query.ts';
import { toWireListRow, wireListRow } from '#shared/contract/lists/list-wire.ts';
import { cargoFields, wireDelivery } from '#shared/contract/record/delivery-parts.ts';
import { wireShipment, wireSummary } from '#shared/contract/record/shipment-schemas.ts';
import { toJourneyText, toWireShipment, toWireShipmentText } from '#shared/contract/record/shipment-wire.ts';
import { bundleLine } from '#shared/contract/shipments/bundle-wire.ts';
import { toWireEventList, wireEventList } from '#shared/contract/shipments/record-wire.ts';
import { fullBody, summaryBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import { type ShipmentChange, shipmentSnapshot, shownEvent } from '#shared/domain/feed/change.ts';
import type { RecordEvent } from '#shared/domain/record/shipment.ts';
import { listsOfText } from '#shared/store/packing/lists-of-text.ts';
import { fullShipment, pieceNumbers } from '#test/support/full-shipment.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads arbitrary parts of every surface
type Json = any;

const { journey } = fullShipment;
const [inLocker, refused, atNeighbour] = pieceNumbers;

const change: ShipmentChange = {
  id: fullShipment.id,
  sequence: 1,
  createdAt: fullShipment.updatedAt,
  traceparent: null,
  type: 'shipment.event_added',
  data: {
    shipment: shipmentSnapshot(fullShipment),
    changes: {},
    added: { events: journey.events.map(shownEvent), more: 0 },
  },
};
const record = toWireShipment(fullShipment);
const summaryFrame = new TextDecoder().decode(streamFrames.change(change));
const toolJson = (answer: Record<string, unknown>) => JSON.parse(toolSuccess(answer).content[0]?.text ?? '') as Json;

/** Each surface that shows a whole record. */
const records: Record<string, Json> = {
  record,
  'record as text': JSON.parse(toWireShipmentText({ ...fullShipment, status: journey.status })),
  'record as of a moment': toWireShipment(fullShipment, fullShipment.updatedAt),
  bundle: JSON.parse(bundleLine({ part: 'record', data: fullShipment })).data,
  'webhook with the full payload': JSON.parse(toWebhookBody(change, 'full', fullShipment)).data.data.shipment,
};
/** Each surface that shows a summary. */
const summaries: Record<string, Json> = {
  'list row': toWireListRow(fullShipment, { fields: null, include: [] }),
  ndjson: JSON.parse(ndjsonRow(fullShipment, null)),
  feed: toWireChange(change).data.shipment,
  stream: JSON.parse(summaryFrame.slice(summaryFrame.indexOf('data: ') + 6)).data.shipment,
  webhook: JSON.parse(toWebhookBody(change, 'summary', null)).data.data.shipment,
};
const [csv] = parse(`${csvHeader(csvColumnNames)}${csvRow(fullShipment, csvColumnNames)}`, { columns: true }) as Json[];
/** A shipment that is not also returned. */
const concise = toolJson(
  describeShipment({ ...fullShipment, journey: { ...journey, returned: null, exceptions: [] } }, 'concise'),
);
const detailed = toolJson(describeShipment(fullShipment, 'detailed'));

/** A time as the record, the csv and the tools show it. */
const time = (local: string, at: string) => ({
  record: { at: `${at}:00.000Z`, local, timezone: 'Europe/Amsterdam', zone_source: 'location', precision: 'minute' },
  csv: [`${at}:00.000Z`, local, 'Europe/Amsterdam'],
  tool: `${local}+02:00`,
});
const planned = time('2026-06-14T18:00', '2026-06-14T16:00');
const estimated = time('2026-06-16T18:00', '2026-06-16T16:00');
const first = time('2026-06-15T18:00', '2026-06-15T16:00');
const opens = time('2026-06-16T14:00', '2026-06-16T12:00');
const attempt = time('2026-06-15T11:40', '2026-06-15T09:40');
const kept = time('2026-06-22T20:00', '2026-06-22T18:00');
const started = time('2026-06-15T12:30', '2026-06-15T10:30');
const completed = time('2026-06-17T09:00', '2026-06-17T07:00');
const rotterdam = { name: 'Rotterdam', unlocode: 'NLRTM', country: 'NL', timezone: 'Europe/Amsterdam' };
const venlo = { ...rotterdam, name: 'Venlo', unlocode: 'NLVEN' };
const nowhere = { iata: null, lat: null, lng: null, facility: null };
const nothingStated = {
  piece: null,
  status_detail: null,
  window: null,
  pieces_count: null,
  weight_kg: null,
  uld: null,
  source_name: null,
  holds: null,
  fees: null,
  last_free_days: null,
  available: null,
};
const sizes = { length: 40, width: 30, height: 20.5 };

type Shown = {
  fact: string;
  /** Its value in the record. */
  value: unknown;
  /** True when the summary has the field, too. */
  inSummary?: boolean;
  csv?: Record<string, unknown>;
  /** Values in the answers of the tool. */
  concise?: Record<string, unknown>;
  detailed?: Record<string, unknown>;
};
const columnsOf = (name: string, [at, local, timezone]: string[]) => ({
  [`${name}.at`]: at,
  [`${name}.local`]: local,
  [`${name}.timezone`]: timezone,
});
const inAll = (name: string, value: unknown) => ({ concise: { [name]: value }, detailed: { [name]: value } });

const shown: Shown[] = [
  {
    fact: 'status_detail',
    value: 'awaiting_collection_at_locker',
    inSummary: true,
    csv: { status_detail: 'awaiting_collection_at_locker' },
    ...inAll('status_detail', 'awaiting_collection_at_locker'),
  },
  {
    fact: 'delivery.planned',
    value: planned.record,
    inSummary: true,
    csv: columnsOf('delivery.planned', planned.csv),
    detailed: { 'delivery.planned': planned.tool },
  },
  {
    fact: 'delivery.estimated',
    value: estimated.record,
    inSummary: true,
    csv: columnsOf('delivery.estimated', estimated.csv),
    detailed: { 'delivery.estimated': estimated.tool },
  },
  { fact: 'delivery.actual', value: null, inSummary: true, csv: columnsOf('delivery.actual', ['', '', '']) },
  { fact: 'delivery.original_estimated', value: first.record, inSummary: true },
  {
    fact: 'delivery.promised',
    value: planned.record,
    inSummary: true,
    ...inAll('delivery.promised', planned.tool),
  },
  { fact: 'delivery.delay_hours', value: 48, inSummary: true, csv: { delay_hours: '48' }, ...inAll('delay_hours', 48) },
  {
    fact: 'delivery.delay_basis',
    value: 'planned',
    inSummary: true,
    csv: { delay_basis: 'planned' },
    ...inAll('delay_basis', 'planned'),
  },
  {
    fact: 'delivery.window',
    value: { from: opens.record, to: estimated.record },
    inSummary: true,
    csv: { ...columnsOf('delivery.window.from', opens.csv), ...columnsOf('delivery.window.to', estimated.csv) },
    ...inAll('delivery.window', '2026-06-16T14:00/18:00+02:00'),
  },
  {
    fact: 'delivery.on_time',
    value: 'late',
    inSummary: true,
    csv: { 'delivery.on_time': 'late' },
    ...inAll('delivery.on_time', 'late'),
  },
  {
    fact: 'delivery.attempts',
    value: 2,
    inSummary: true,
    csv: { 'delivery.attempts': '2' },
    ...inAll('delivery.attempts', 2),
  },
  {
    fact: 'delivery.last_attempt_at',
    value: attempt.record,
    inSummary: true,
    ...inAll('delivery.last_attempt_at', attempt.tool),
  },
  {
    fact: 'delivery.received_by',
    value: 'VAN DIJK',
    inSummary: true,
    csv: { 'delivery.received_by': 'VAN DIJK' },
    ...inAll('delivery.received_by', 'VAN DIJK'),
  },
  { fact: 'delivery.left_at', value: 'Front desk', inSummary: true, ...inAll('delivery.left_at', 'Front desk') },
  {
    fact: 'delivery.proof',
    value: [
      { id: 'signature', kind: 'signature', piece: atNeighbour, available: true },
      { id: 'photo', kind: 'photo', piece: null, available: true },
    ],
    inSummary: true,
    concise: { 'delivery.proof': ['signature', 'photo'] },
    detailed: {
      'delivery.proof': [
        { id: 'signature', kind: 'signature', piece: atNeighbour, available: true },
        { id: 'photo', kind: 'photo', available: true },
      ],
    },
  },
  {
    fact: 'service',
    value: { code: '11', name: 'UPS Standard' },
    inSummary: true,
    csv: { 'service.name': 'UPS Standard' },
    ...inAll('service', 'UPS Standard'),
  },
  { fact: 'weight_kg', value: 12.6, inSummary: true, csv: { weight_kg: '12.6' }, ...inAll('weight_kg', 12.6) },
  { fact: 'pieces_count', value: 3, inSummary: true, csv: { pieces_count: '3' }, ...inAll('pieces_count', 3) },
  {
    fact: 'pieces',
    value: [
      {
        tracking_number: inLocker,
        status: 'available_for_pickup',
        status_detail: 'awaiting_collection_at_locker',
        weight_kg: 4.2,
        dimensions_cm: sizes,
      },
      {
        tracking_number: refused,
        status: 'out_for_delivery',
        status_detail: 'refused',
        weight_kg: 4.3,
        dimensions_cm: sizes,
      },
      {
        tracking_number: atNeighbour,
        status: 'delivered',
        status_detail: 'delivered_to_neighbour',
        weight_kg: 4.1,
        dimensions_cm: sizes,
      },
    ],
    concise: {
      'pieces.0.tracking_number': inLocker,
      'pieces.0.status_detail': 'awaiting_collection_at_locker',
      'pieces.1.status_detail': 'refused',
      'pieces.2': {
        tracking_number: atNeighbour,
        status: 'delivered',
        status_detail: 'delivered_to_neighbour',
        place: 'NLRTM',
      },
    },
    detailed: {
      'pieces.2': {
        tracking_number: atNeighbour,
        status: 'delivered',
        status_detail: 'delivered_to_neighbour',
        at: '2026-06-15T11:20+02:00',
        place: 'Rotterdam (NLRTM)',
        weight_kg: 4.1,
        dimensions_cm: '40 x 30 x 20.5',
      },
    },
  },
  {
    fact: 'piece_status_counts',
    value: { available_for_pickup: 1, out_for_delivery: 1, delivered: 1 },
    detailed: { piece_status_counts: { available_for_pickup: 1, out_for_delivery: 1, delivered: 1 } },
  },
  {
    fact: 'pickup_point',
    value: {
      kind: 'locker',
      id: '4711',
      name: 'Locker Coolsingel',
      address: 'Coolsingel 40',
      place: { ...nowhere, ...rotterdam },
      hours: 'Mon-Sun 0:00-24:00',
      kept_until: kept.record,
    },
    concise: {
      pickup_point: {
        kind: 'locker',
        id: '4711',
        name: 'Locker Coolsingel',
        address: 'Coolsingel 40',
        place: 'NLRTM',
        kept_until: kept.tool,
      },
    },
    detailed: { 'pickup_point.hours': 'Mon-Sun 0:00-24:00', 'pickup_point.place': 'Rotterdam (NLRTM)' },
  },
  {
    fact: 'return',
    value: {
      reason: 'Refused by receiver',
      tracking_number: '1Z12345E0390105056',
      to: { ...nowhere, ...venlo },
      started_at: started.record,
      completed_at: completed.record,
    },
    detailed: {
      return: {
        reason: 'Refused by receiver',
        tracking_number: '1Z12345E0390105056',
        to: 'Venlo (NLVEN)',
        started_at: started.tool,
        completed_at: completed.tool,
      },
    },
  },
  {
    fact: 'exceptions.0.piece',
    value: refused,
    detailed: { 'exceptions.0.piece': refused },
  },
  { fact: 'exceptions.0.container', value: null },
];

it.each(shown)('shows $fact the same on every surface', ({ fact, value, inSummary, csv: cells, ...tools }) => {
  const expected = inSummary === true ? value : undefined;
  expect(each(records, (record) => valueAt(record, fact))).toEqual(each(records, () => value));
  expect(each(summaries, (summary) => valueAt(summary, fact))).toEqual(each(summaries, () => expected));
  expect(each(cells ?? {}, (_, column) => csv[column])).toEqual(cells ?? {});
  expect(each(tools.concise ?? {}, (_, path) => valueAt(concise, path))).toEqual(tools.concise ?? {});
  expect(each(tools.detailed ?? {}, (_, path) => valueAt(detailed, path))).toEqual(tools.detailed ?? {});
});

it('covers every field of a delivery and of the cargo, and every csv column of them', () => {
  const facts = shown.map(({ fact }) => fact);
  for (const name of Object.keys(wireDelivery.shape)) expect(facts).toContain(`delivery.${name}`);
  for (const name of Object.keys(cargoFields)) expect(facts).toContain(name);
  const columns = shown.flatMap(({ csv: cells }) => Object.keys(cells ?? {}));
  const ofCargo = /^(?:delivery|service|status_detail|pieces_count|weight_kg)(?:\.|$)/;
  for (const column of csvColumnNames) if (ofCargo.test(column)) expect(columns).toContain(column);
});

it('adds pieces to a row of the list on request', () => {
  const { shape } = parseListShipmentsQuery({ fields: 'status_detail', include: 'pieces' });
  const row = toWireListRow(fullShipment, shape);
  expect(wireListRow.parse(row)).toEqual({
    shipment_id: record.shipment_id,
    status_detail: 'awaiting_collection_at_locker',
    pieces: record.pieces,
  });
});

it('matches the published schemas', () => {
  expect(wireShipment.parse(record)).toEqual(record);
  expect(wireSummary.parse(summaries.feed)).toEqual(summaries.feed);
  expect(() => summaryBody.parse(JSON.parse(toWebhookBody(change, 'summary', null)))).not.toThrow();
  expect(() => fullBody.parse(JSON.parse(toWebhookBody(change, 'full', fullShipment)))).not.toThrow();
});

it('names in the row of the list tool why the cargo is where it is', () => {
  expect(toRow(fullShipment)).toMatchObject({ status_detail: 'awaiting_collection_at_locker' });
  const plain = { ...fullShipment, journey: { ...journey, statusDetail: null } };
  expect(toRow(plain)).not.toHaveProperty('status_detail');
});

describe('an event', () => {
  const details = [
    { piece: inLocker, status_detail: 'awaiting_collection_at_locker' },
    { piece: refused, status_detail: 'refused' },
    { piece: atNeighbour, status_detail: 'delivered_to_neighbour' },
    {
      pieces_count: 2,
      weight_kg: 8.25,
      uld: 'AKE12345LH',
      holds: [{ type: 'customs', status: 'active', detail: 'X-ray exam' }],
      fees: [{ type: 'exam', amount: 350, currency: 'USD' }],
      last_free_days: [{ by: 'terminal', kind: 'demurrage', day: '2026-06-20' }],
      available: false,
    },
    { window: { from: opens.record, to: estimated.record } },
    null,
  ].map((stated) => stated && { ...nothingStated, ...stated });
  const page = toWireEventList({ events: journey.events, limit: 50, hasMore: false, nextCursor: null });
  const surfaces: Record<string, Json[]> = {
    record: record.events,
    'list row': toWireListRow(fullShipment, { fields: null, include: ['events'] }).events ?? [],
    history: page.data,
    bundle: journey.events.map((data) => JSON.parse(bundleLine({ part: 'event', data, raw: null })).data),
    feed: toWireChange(change).data.events ?? [],
    webhook: JSON.parse(toWebhookBody(change, 'summary', null)).data.data.events,
  };

  it('has the same details on every surface', () => {
    expect(each(surfaces, (events) => events.map((event) => event.details))).toEqual(each(surfaces, () => details));
    expect(wireEventList.parse(page)).toEqual(page);
  });

  it('has the same details after it was stored as text', () => {
    const [first, ...others] = journey.events;
    const pushed = {
      ...first,
      source: 'client',
      details: { sourceName: 'acme', holds: [{ type: 'exam', status: 'released' }] },
    };
    const { text } = toJourneyText({ ...journey, events: [pushed as RecordEvent, ...others] });
    expect(text).toContain('"source":"client:acme"');
    expect(listsOfText(text).events).toEqual([shownEvent(pushed as RecordEvent), ...others.map(shownEvent)]);
  });

  it('shows in the tool its piece, its reason, its window and its subject', () => {
    expect(detailed.events).toMatchObject([
      { code: 'available_for_pickup', piece: inLocker, status_detail: 'awaiting_collection_at_locker' },
      { code: 'delivery_attempted', piece: refused, status_detail: 'refused' },
      { code: 'delivered', piece: atNeighbour, status_detail: 'delivered_to_neighbour' },
      { code: 'departed_facility', pieces: 2, weight_kg: 8.25, uld: 'AKE12345LH' },
      { code: 'delivered', classifier: 'estimated', window: '2026-06-16T14:00/18:00+02:00' },
      { code: 'delivered', classifier: 'planned' },
    ]);
    expect(concise.events[0]).toMatchObject({ piece: inLocker, status_detail: 'awaiting_collection_at_locker' });
  });
});

function each<Part>(parts: Record<string, Part>, shownBy: (part: Part, name: string) => unknown) {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, shownBy(part, name)]));
}

function valueAt(value: Json, path: string): unknown {
  return path.split('.').reduce((part, step) => part?.[step], value);
}
