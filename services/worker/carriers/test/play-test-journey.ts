import { crc32 } from '#shared/domain/crc32.ts';
import type { ReadEvent, Vehicle } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { FetchResult, Identifiers } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { iso6346CheckDigit } from '#shared/domain/registration/check-digits.ts';
import { knownContainersOf } from '#shared/domain/registration/identifiers.ts';
import type { TestEvent } from '#shared/domain/test-journeys/play-milestones.ts';
import { testJourneyOf, testScene } from '#shared/domain/test-journeys/test-journeys.ts';
import { testDetails, testFacts } from './test-facts.ts';
import { testPlaces } from './test-places.ts';
import { testStartMs, testTime } from './test-times.ts';

const source = 'test';
const hourMs = 3_600_000;

/** The inputs of a test journey. Its result depends on nothing else. */
export type TestSubject = Pick<
  RefreshSubject,
  'shipmentId' | 'transportMode' | 'identifiers' | 'createdAt' | 'testSteps'
>;

/** Refreshes a shipment of a test key: returns the scripted reading for its number, without network or clock. */
export function playTestJourney(subject: TestSubject): FetchResult {
  const { number } = testJourneyOf(subject.identifiers);
  const scene = testScene(number, subject.transportMode, subject.testSteps);
  switch (scene.outcome) {
    case 'not_found':
      return { outcome: 'not_found', httpStatus: 404, durationMs: 0, reason: 'carrier_not_found_yet', source };
    case 'carrier_down':
      return {
        outcome: 'error',
        httpStatus: 503,
        durationMs: 0,
        reason: 'carrier_unreachable',
        permanent: false,
        retryAfterMs: null,
        detail: 'the carrier returned a server error (503), as this test number requests',
        source,
      };
    case 'found': {
      const containers = containersOf(subject, scene.containers);
      const events = scene.events.map((event) => toReadEvent(event, subject, containers));
      return {
        outcome: 'found',
        reading: { events, unreadable: [], source, ...testFacts(scene, subject) },
        httpStatus: 200,
        durationMs: 0,
        stale: scene.stale,
      };
    }
  }
}

function toReadEvent(event: TestEvent, subject: TestSubject, containers: readonly string[]): ReadEvent {
  const { transportMode, identifiers } = subject;
  const location = testPlaces[transportMode][event.site];
  const startMs = testStartMs(subject);
  const atMs = startMs + event.atHours * hourMs;
  const beganMs = startMs + (event.atHours - event.hours) * hourMs;
  const isPaper =
    event.code === 'booking_confirmed' || event.code === 'information_received' || event.code === 'cancelled';
  return {
    code: event.code,
    classifier: event.classifier,
    legRole: event.legRole,
    time: testTime(atMs, location),
    location,
    container: isPaper || event.classifier !== 'actual' ? null : (containers[event.container ?? 0] ?? null),
    isoType: null,
    mode: transportMode,
    vehicle: vehicleOf(transportMode, event),
    empty: event.empty,
    seals: [],
    delayReason: null,
    document: isPaper ? documentOf(identifiers) : null,
    description: null,
    carrierCode: event.code.toUpperCase(),
    carrierDescription: null,
    sourceEventId: null,
    // An estimate dates from the booking; its revision from just before the registration.
    sourceCreatedAt: new Date(
      event.classifier === 'actual'
        ? atMs
        : event.revisedHours === null
          ? beganMs
          : startMs + event.revisedHours * hourMs,
    ).toISOString(),
    source,
    ...testDetails(event, subject),
    raw: { test: true, code: event.code, classifier: event.classifier, at_hours: event.atHours },
  };
}

/** Journeys at sea and by rail name a container: the client's own, or else one derived from the shipment's id. */
function containersOf({ transportMode, shipmentId, identifiers }: TestSubject, count: number): string[] {
  const isBoxed = transportMode === 'ocean' || transportMode === 'rail';
  if (!isBoxed && count === 1) return [];
  const own = knownContainersOf(identifiers);
  const serial = crc32(shipmentId) % 999_000;
  const made = Array.from({ length: count }, (_, index) => containerNumber(serial + index));
  return [...own, ...made].slice(0, count);
}

function containerNumber(serial: number): string {
  const number = `TSTU${String(serial).padStart(6, '0')}`;
  return number + iso6346CheckDigit(number);
}

function vehicleOf(mode: TransportMode, { code, site }: TestEvent): Vehicle | null {
  const isMove = [
    'loaded',
    'departed',
    'arrived',
    'discharged',
    'rail_departed',
    'rail_arrived',
    'received_from_flight',
  ].includes(code);
  if (!isMove) return null;
  // The cargo is transshipped at the middle place: it arrives on the first vehicle and leaves on the second.
  const isFirst = site === 'start' || (site === 'middle' && !code.endsWith('departed') && code !== 'loaded');
  const number = isFirst ? '1' : '2';
  if (mode === 'ocean') return { name: `Test Vessel ${number}`, imo: null, voyage: `T0${number}W`, flight: null };
  if (mode === 'air') return { name: null, imo: null, voyage: null, flight: `TT10${number}` };
  return null;
}

function documentOf(identifiers: Identifiers): string | null {
  return identifiers.mbl ?? identifiers.booking ?? identifiers.awb ?? Object.values(identifiers)[0] ?? null;
}
