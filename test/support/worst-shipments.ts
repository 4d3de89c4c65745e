import { carriers } from '#shared/domain/carriers/carrier-catalogue.ts';
import { eventCodes, type Place, pickupPointKinds, proofKinds } from '#shared/domain/events/event.ts';
import { type ClockKind, holdTypes } from '#shared/domain/events/stated-free-time.ts';
import { statusDetails } from '#shared/domain/events/status-details.ts';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import type { StoredClock, StoredFreeTime } from '#shared/domain/record/free-time.ts';
import {
  exceptionCodes,
  punctualities,
  type Shipment,
  statuses,
  trackingStates,
} from '#shared/domain/record/shipment.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';

/** A place with a long facility. */
export const place = (name: string, unlocode: string | null, timezone = 'Asia/Shanghai'): Place => ({
  name,
  unlocode,
  iata: null,
  country: unlocode?.slice(0, 2) ?? null,
  lat: 1,
  lng: 1,
  timezone,
  facility: 'Terminal Internacional de Contenedores del Puerto Número Cuatro',
});

/** Names as carriers write them. */
export const ports = [
  place('Shanghai', 'CNSHA'),
  place('Mumbai - Jawaharlal Nehru Port (Nhava Sheva International Container Terminal)', 'INNSA'),
  place('Ho Chi Minh City, Thành phố Hồ Chí Minh', 'VNSGN'),
  place('Saint-Pierre-et-Miquelon, Collectivité territoriale', null),
  place('上海国际航运中心洋山深水港区四期自动化码头', null),
  place('Rotterdam Maasvlakte APM Terminals II', 'NLRTM'),
];

const random = seededRandom(7);
/** A random element; the same in every run. */
export const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const letters = (count: number, alphabet: string) => {
  const characters = [...alphabet];
  return Array.from({ length: count }, () => pick(characters)).join('');
};
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const alien = '船積港到着予定ŻÓŁĆ🚢مرحبا';
const word = () =>
  pick([
    () => letters(4, upper) + letters(9, digits),
    () => letters(35, upper + digits),
    () => letters(100, upper + digits + upper.toLowerCase()),
    () => letters(60, alien),
    () => `PO-${letters(5, digits)}`,
  ])();
const anyPlace = () =>
  pick([
    ...ports,
    place(letters(50, upper.toLowerCase()), null),
    place(letters(200, alien), `${letters(2, upper)}${letters(3, upper + digits)}`),
    null,
  ]);
const time = () => {
  const hour = `2026-1${pick([0, 1, 2])}-1${pick([...digits])}T`;
  const zone = { timezone: 'Asia/Kolkata', zoneSource: 'location' as const, precision: 'minute' as const };
  return { at: `${hour}12:30:00.000Z`, local: `${hour}18:00`, ...zone };
};
const window = () => ({ from: pick([time(), null]), to: pick([time(), null]) });
const details = () => ({
  piece: word(),
  statusDetail: pick(statusDetails),
  window: window(),
  piecesCount: Math.floor(random() * 9999),
  weightKg: Math.round(random() * 1e9) / 1000,
  uld: word(),
});
const piece = () => ({
  trackingNumber: pick([`1Z${letters(16, upper + digits)}`, letters(100, upper + digits)]),
  status: pick(statuses),
  statusDetail: pick(statusDetails),
  weightKg: Math.round(random() * 1e9) / 1000,
  dimensionsCm: { length: 1234.567, width: 1234.567, height: 1234.567 },
  decidingEventId: null,
});
const proof = () => ({
  id: `signature_${Math.floor(random() * 200)}`,
  kind: pick(proofKinds),
  piece: word(),
  available: true,
});
/** Beside the times, all that can be stated of a parcel. */
const handover = () => ({
  window: window(),
  onTime: pick(punctualities),
  attempts: Math.floor(random() * 99),
  lastAttemptAt: time(),
  receivedBy: word(),
  leftAt: word(),
  proof: many(200, proof),
});
const parcel = () => ({
  statusDetail: pick(statusDetails),
  service: { code: word(), name: word() },
  weightKg: Math.round(random() * 1e9) / 1000,
  piecesCount: 9999,
  pieces: many(200, piece),
  pickupPoint: {
    kind: pick(pickupPointKinds),
    id: word(),
    name: word(),
    address: word(),
    place: anyPlace(),
    hours: word().repeat(5),
    keptUntil: time(),
  },
  returned: {
    reason: word().repeat(5),
    trackingNumber: word(),
    to: anyPlace(),
    startedAt: time(),
    completedAt: time(),
  },
});
const event = () => ({
  id: crypto.randomUUID(),
  code: pick(eventCodes),
  classifier: 'actual' as const,
  legRole: 'unknown' as const,
  time: time(),
  location: anyPlace(),
  container: letters(4, upper) + letters(7, digits),
  isoType: '45G1',
  mode: 'ocean' as const,
  vehicle: { name: word(), imo: null, voyage: word(), flight: null },
  empty: false,
  seals: [],
  delayReason: null,
  document: null,
  description: word().repeat(5),
  details: details(),
  carrierCode: null,
  carrierDescription: word(),
  sourceEventId: null,
  sourceCreatedAt: null,
  source: 'carrier' as const,
  dedupeKey: 'x',
  receivedAt: '2026-01-01T00:00:00.000Z',
  supersededBy: null,
  voidedAt: null,
  leg: 1,
  flags: [],
  fulfilledBy: null,
});
const many = <T>(most: number, make: () => T): T[] => Array.from({ length: Math.floor(random() * (most + 1)) }, make);
const triple = () => ({ planned: time(), estimated: time(), actual: pick([time(), null]) });

/** The n-th random shipment; the same in every run. */
export function worstShipment(n: number): Shipment {
  const events = many(100, event);
  const arrival = {
    ...triple(),
    actual: null,
    originalEstimated: time(),
    promised: time(),
    delayBasis: 'first_estimated' as const,
    delayHours: Math.floor(random() * 9999),
    source: 'carrier' as const,
  };
  const exceptions = many(13, () => ({
    code: pick(exceptionCodes),
    severity: 'warning' as const,
    message: word().repeat(4),
    openedAt: '2026-01-01T10:00:00.000Z',
    resolvedAt: pick(['2026-02-01T10:00:00.000Z', null]),
    eventId: uuidOf(1),
    container: letters(4, upper) + letters(7, digits),
    piece: word(),
  }));
  const containers = many(300, () => ({
    number: letters(4, upper) + letters(7, digits),
    isoType: '45G1',
    status: pick(statuses),
    seals: [word(), word()],
    freeTime: worstFreeTime(),
    decidingEventId: null,
  }));
  const references = many(3, word);
  return {
    id: uuidOf(n),
    accountId: uuidOf(n),
    test: false,
    transportMode: pick(transportModes),
    serviceType: null,
    carrier: pick(carriers).code,
    carrierName: pick(carriers).name,
    identifiers: pick([
      { mbl: word(), hbl: word(), booking: word() },
      { tracking_number: word() },
      { pro: word(), bol: word(), equipment: word(), pickup_number: word(), po: word() },
    ]),
    reference: references[0] ?? null,
    references,
    tags: many(20, word),
    metadata: {},
    destinationPostalCode: null,
    statusChangedAt: '2026-01-01T10:00:00.000Z',
    overdueHours: 9999,
    late: true,
    journey: {
      status: pick(statuses),
      statusEvidence: { eventId: events[0]?.id ?? uuidOf(1), code: pick(eventCodes), source: 'carrier' },
      latestEvent: event(),
      origin: anyPlace(),
      destination: anyPlace(),
      currentLocation: anyPlace(),
      departure: triple(),
      arrival,
      delivery: { ...arrival, estimated: time(), ...handover() },
      ...parcel(),
      eta: { time: arrival.estimated, kind: 'delivery', source: 'carrier' },
      delayHours: arrival.delayHours,
      delayBasis: arrival.delayBasis,
      etaHistory: [],
      legs: many(20, () => ({
        sequence: 1,
        mode: 'ocean' as const,
        from: anyPlace(),
        to: anyPlace(),
        vehicle: event().vehicle,
        departure: triple(),
        arrival: triple(),
        delayHours: arrival.delayHours,
        delayBasis: arrival.delayBasis,
      })),
      containers,
      containerStatusCounts: Object.fromEntries(statuses.map((status) => [status, 11])),
      freeTime: null,
      exceptions,
      hasException: true,
      eventsCount: events.length,
      events,
      nextEligibleAt: null,
    },
    tracking: {
      mode: 'polled',
      staleAfterHours: null,
      state: pick(trackingStates),
      reason: 'carrier_not_supported',
      freshness: 'stale',
      source: 'simulator:dcsa:hapag-lloyd',
      lastRefreshedAt: null,
      lastSucceededAt: '2026-01-01T10:00:00.000Z',
      lastChangedAt: null,
      nextRefreshAt: '2026-01-01T10:00:00.000Z',
      consecutiveFailures: 3,
      traceId: null,
      traceKept: false,
    },
    warnings: many(4, () => ({ code: 'check_digit_mismatch', field: 'x', detail: word(), expected: '3' })),
    createdAt: '2026-01-01T10:00:00.000Z',
    updatedAt: '2026-01-01T10:00:00.000Z',
    needsAttention: false,
    archivedAt: null,
    currentPosition: null,
    version: 1,
  };
}

/** Every hold, and two clocks that cost. */
function worstFreeTime(): StoredFreeTime {
  const clock = (kind: ClockKind): StoredClock => ({
    kind,
    state: 'over',
    freeDays: 14,
    counting: 'calendar',
    lastFreeDay: '2026-11-11',
    daysLeft: -120,
    cost: { amount: 123_456.78, currency: 'USD', isFloor: true },
    termsSource: 'account',
    calendar: 'provisional',
    start: 'discharged',
  });
  const since = '2026-01-01T10:00:00.000Z';
  return {
    facts: {
      milestones: { discharged: { time: time(), eventId: uuidOf(1) } },
      holds: holdTypes.map((type) => ({ type, status: 'active', detail: word(), source: 'carrier', since })),
      fees: [{ type: word(), amount: 350, currency: 'USD', source: 'carrier' }],
      availability: { available: false, since: time() },
    },
    clocks: [clock('demurrage'), clock('detention')],
    lastFreeDay: {
      effective: '2026-11-11',
      source: 'terminal',
      line: '2026-11-12',
      terminal: '2026-11-11',
      calculated: '2026-11-10',
    },
  };
}

function uuidOf(n: number): string {
  return uuidv7(
    1.76e12 + n * 7e6,
    Uint8Array.from({ length: 10 }, (_, index) => (n * 37 + index * 91) % 256),
  );
}

/** The same numbers in every run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
