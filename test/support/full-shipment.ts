import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import type { CarrierTime, Place } from '#shared/domain/events/event.ts';
import type { PieceState, RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';

const idOf = (n: number) => `01890a5d-ac96-774b-bcce-b3020990${String(1000 + n)}`;

/** A time in Rotterdam in summer: `2026-06-15T14:00`. */
const timeAt = (local: string): CarrierTime => ({
  at: new Date(`${local}:00+02:00`).toISOString(),
  local,
  timezone: 'Europe/Amsterdam',
  zoneSource: 'location',
  precision: 'minute',
});

const placeAt = (name: string, unlocode: string): Place => ({
  name,
  unlocode,
  iata: null,
  country: unlocode.slice(0, 2),
  lat: null,
  lng: null,
  timezone: 'Europe/Amsterdam',
  facility: null,
});
const rotterdam = placeAt('Rotterdam', 'NLRTM');
const venlo = placeAt('Venlo', 'NLVEN');

function event(n: number, changes: Pick<RecordEvent, 'code' | 'time'> & Partial<RecordEvent>): RecordEvent {
  const { raw: _raw, ...bare } = bareEvent({
    classifier: 'actual',
    legRole: 'destination',
    location: rotterdam,
    mode: 'parcel',
    raw: null,
    ...changes,
  });
  return {
    ...bare,
    id: idOf(n),
    dedupeKey: `k${n}`,
    receivedAt: '2026-06-15T13:00:00.000Z',
    supersededBy: null,
    voidedAt: null,
    leg: null,
    flags: [],
    fulfilledBy: null,
    ...changes,
  };
}

/** Three pieces: one in a locker, one refused, one at a neighbour's. */
export const pieceNumbers = ['1Z12345E0205271688', '1Z12345E0305271640', '1Z12345E1505270452'] as const;
const [inLocker, refused, atNeighbour] = pieceNumbers;

const locker = event(1, {
  code: 'available_for_pickup',
  time: timeAt('2026-06-15T12:10'),
  details: { piece: inLocker, statusDetail: 'awaiting_collection_at_locker' },
});
const refusal = event(2, {
  code: 'delivery_attempted',
  time: timeAt('2026-06-15T11:40'),
  details: { piece: refused, statusDetail: 'refused' },
});
const handover = event(3, {
  code: 'delivered',
  time: timeAt('2026-06-15T11:20'),
  details: { piece: atNeighbour, statusDetail: 'delivered_to_neighbour' },
});
const part = event(4, {
  code: 'departed_facility',
  time: timeAt('2026-06-14T22:00'),
  location: venlo,
  details: {
    piecesCount: 2,
    weightKg: 8.25,
    uld: 'AKE12345LH',
    holds: [{ type: 'customs', status: 'active', detail: 'X-ray exam' }],
    fees: [{ type: 'exam', amount: 350, currency: 'USD' }],
    freeDays: [{ by: 'terminal', kind: 'demurrage', day: '2026-06-20' }],
    available: false,
  },
});
const expected = event(5, {
  code: 'delivered',
  classifier: 'estimated',
  time: timeAt('2026-06-16T18:00'),
  details: { window: { from: timeAt('2026-06-16T14:00'), to: timeAt('2026-06-16T18:00') } },
});

const promise = event(6, { code: 'delivered', classifier: 'planned', time: timeAt('2026-06-14T18:00') });

const piece = (trackingNumber: string, changes: Partial<PieceState>): PieceState => ({
  trackingNumber,
  status: 'in_transit',
  statusDetail: null,
  weightKg: 4.2,
  dimensionsCm: { length: 40, width: 30, height: 20.5 },
  decidingEventId: null,
  ...changes,
});

const nothingPromised = {
  planned: null,
  estimated: null,
  actual: null,
  originalEstimated: null,
  promised: null,
  delayBasis: null,
  delayHours: null,
  source: null,
};

/** A parcel with every field about delivery, pieces, pickup and return. A real one never has all of them at once. */
export const fullShipment: Shipment = {
  id: idOf(0),
  accountId: idOf(0),
  test: false,
  transportMode: 'parcel',
  serviceType: null,
  carrier: 'ups',
  carrierName: 'UPS',
  identifiers: { tracking_number: inLocker },
  reference: 'PO-7741',
  references: ['PO-7741'],
  tags: [],
  metadata: {},
  destinationPostalCode: '3011 AA',
  statusChangedAt: locker.time.at,
  overdueHours: null,
  late: true,
  journey: {
    status: 'available_for_pickup',
    statusDetail: 'awaiting_collection_at_locker',
    statusEvidence: { eventId: locker.id, code: locker.code, source: 'carrier' },
    latestEvent: locker,
    origin: venlo,
    destination: rotterdam,
    currentLocation: rotterdam,
    departure: { planned: null, estimated: null, actual: part.time },
    arrival: nothingPromised,
    delivery: {
      planned: timeAt('2026-06-14T18:00'),
      estimated: timeAt('2026-06-16T18:00'),
      actual: null,
      originalEstimated: timeAt('2026-06-15T18:00'),
      promised: timeAt('2026-06-14T18:00'),
      delayBasis: 'planned',
      delayHours: 48,
      source: 'carrier',
      window: { from: timeAt('2026-06-16T14:00'), to: timeAt('2026-06-16T18:00') },
      onTime: 'late',
      attempts: 2,
      lastAttemptAt: timeAt('2026-06-15T11:40'),
      receivedBy: 'VAN DIJK',
      leftAt: 'Front desk',
      proof: [
        { id: 'signature', kind: 'signature', piece: atNeighbour, available: true },
        { id: 'photo', kind: 'photo', piece: null, available: true },
      ],
    },
    service: { code: '11', name: 'UPS Standard' },
    weightKg: 12.6,
    piecesCount: 3,
    pieces: [
      piece(inLocker, { status: 'available_for_pickup', statusDetail: 'awaiting_collection_at_locker' }),
      piece(refused, { status: 'out_for_delivery', statusDetail: 'refused', weightKg: 4.3 }),
      piece(atNeighbour, { status: 'delivered', statusDetail: 'delivered_to_neighbour', weightKg: 4.1 }),
    ],
    pickupPoint: {
      kind: 'locker',
      id: '4711',
      name: 'Locker Coolsingel',
      address: 'Coolsingel 40',
      place: rotterdam,
      hours: 'Mon-Sun 0:00-24:00',
      keptUntil: timeAt('2026-06-22T20:00'),
    },
    returned: {
      reason: 'Refused by receiver',
      trackingNumber: '1Z12345E0390105056',
      to: venlo,
      startedAt: timeAt('2026-06-15T12:30'),
      completedAt: timeAt('2026-06-17T09:00'),
    },
    eta: { time: timeAt('2026-06-16T18:00'), kind: 'delivery', source: 'carrier' },
    delayHours: 48,
    delayBasis: 'planned',
    etaHistory: [
      { eta: timeAt('2026-06-15T18:00'), kind: 'delivery', seenAt: '2026-06-12T08:00:00.000Z', source: 'carrier' },
      { eta: timeAt('2026-06-16T18:00'), kind: 'delivery', seenAt: '2026-06-15T10:00:00.000Z', source: 'carrier' },
    ],
    legs: [],
    containers: [],
    containerStatusCounts: {},
    freeTime: null,
    exceptions: [
      {
        code: 'delivery_attempt_failed',
        severity: 'warning',
        message: 'Refused by receiver',
        openedAt: refusal.time.at,
        resolvedAt: null,
        eventId: refusal.id,
        container: null,
        piece: refused,
      },
    ],
    hasException: true,
    eventsCount: 6,
    events: [locker, refusal, handover, part, expected, promise],
    nextEligibleAt: null,
  },
  tracking: {
    mode: 'polled',
    staleAfterHours: null,
    state: 'active',
    reason: null,
    freshness: 'fresh',
    source: 'ups',
    lastRefreshedAt: '2026-06-15T13:00:00.000Z',
    lastSucceededAt: '2026-06-15T13:00:00.000Z',
    lastChangedAt: '2026-06-15T13:00:00.000Z',
    nextRefreshAt: '2026-06-15T14:00:00.000Z',
    consecutiveFailures: 0,
    traceId: null,
    traceKept: false,
  },
  warnings: [],
  createdAt: '2026-06-12T08:00:00.000Z',
  updatedAt: '2026-06-15T13:00:00.000Z',
  needsAttention: true,
  archivedAt: null,
  currentPosition: null,
  version: 9,
};
