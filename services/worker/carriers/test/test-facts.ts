import { crc32 } from '#shared/domain/crc32.ts';
import type { EventDetails, PickupPoint, Reading, StatedFacts, StatedPiece } from '#shared/domain/events/event.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import type { FoundScene, TestEvent, TestStatement } from '#shared/domain/test-journeys/play-milestones.ts';
import { testPlaces } from './test-places.ts';
import { testStartMs, testTime } from './test-times.ts';

type Subject = Pick<RefreshSubject, 'shipmentId' | 'transportMode' | 'createdAt'>;

const hourMs = 3_600_000;
const keptHours = 96;
const weightKg = 2.4;

/** Returns the details of a test event beside its code, time and place. */
export function testDetails(event: TestEvent, subject: Subject): { details?: EventDetails } {
  const { piece, statusDetail, windowHours } = event;
  const details: EventDetails = {
    ...(piece === undefined ? {} : { piece: pieceNumber(subject, piece) }),
    ...(statusDetail === undefined ? {} : { statusDetail }),
    ...(windowHours === undefined ? {} : { window: windowOf(event, windowHours, subject) }),
  };
  return Object.keys(details).length === 0 ? {} : { details };
}

/** Returns the test carrier's facts on the whole shipment. */
export function testFacts(scene: FoundScene, subject: Subject): Pick<Reading, 'facts'> {
  if (scene.states.length === 0) return {};
  const facts = scene.states.map((statement) => factsOf(statement, scene, subject));
  return { facts: Object.assign({}, ...facts) };
}

function windowOf(event: TestEvent, windowHours: number, subject: Subject): NonNullable<EventDetails['window']> {
  const place = testPlaces[subject.transportMode][event.site];
  const toMs = testStartMs(subject) + event.atHours * hourMs;
  return { from: testTime(toMs - windowHours * hourMs, place), to: testTime(toMs, place) };
}

function factsOf(statement: TestStatement, { pieces }: FoundScene, subject: Subject): StatedFacts {
  switch (statement) {
    case 'product':
      return {
        service: { code: 'TEST', name: 'Test Standard' },
        piecesCount: pieces,
        weightKg: Number((weightKg * pieces).toFixed(3)),
        ...(pieces === 1 ? {} : { pieces: Array.from({ length: pieces }, (_, index) => pieceOf(subject, index)) }),
      };
    case 'recipient':
      return { receivedBy: 'J. Miller', leftAt: 'Reception' };
    case 'proof':
      return {
        proof: [
          { kind: 'signature', handle: null, piece: null },
          { kind: 'photo', handle: null, piece: null },
        ],
      };
    case 'locker_ahead':
      return { pickupPoint: lockerOf(subject) };
    case 'locker_reached': {
      const locker = lockerOf(subject);
      const keptUntil = testTime(testStartMs(subject) + keptHours * hourMs, testPlaces[subject.transportMode].end);
      return { pickupPoint: { ...locker, keptUntil } };
    }
    case 'return':
      return {
        returned: {
          reason: 'Refused by the recipient',
          trackingNumber: `TSTR${serialOf(subject)}`,
          to: testPlaces[subject.transportMode].start,
        },
      };
  }
}

function lockerOf(subject: Subject): PickupPoint {
  return {
    kind: 'locker',
    id: 'TL-117',
    name: 'Test Locker 117',
    address: '12 Station Square',
    place: testPlaces[subject.transportMode].end,
    hours: 'Open 24 hours',
    keptUntil: null,
  };
}

function pieceOf(subject: Subject, index: number): StatedPiece {
  return {
    trackingNumber: pieceNumber(subject, index),
    weightKg,
    dimensionsCm: { length: 40, width: 30, height: 20 + index },
  };
}

/** The pieces of a test shipment have numbers of their own, derived from the shipment's id. */
function pieceNumber(subject: Subject, index: number): string {
  return `TSTP${serialOf(subject)}${index + 1}`;
}

function serialOf({ shipmentId }: Subject): string {
  return String(crc32(shipmentId) % 999_000).padStart(6, '0');
}
