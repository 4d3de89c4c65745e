import type { PickupPoint, ReadEvent, Reading } from '#shared/domain/events/event.ts';
import { eventTimeMs } from '#shared/domain/events/event-order.ts';
import { type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import {
  joinPieces,
  type ParcelScan,
  parcelPlace,
  parcelReading,
  scanTime,
  withDetails,
} from '../reading/parcel-reading.ts';
import { pieceNumber, statedFacts, statedPiece } from '../reading/stated-facts.ts';
import { codeOfGlsEvent, codeOfGlsStatus, detailOfGls } from './gls-codes.ts';

/**
 * Parses what Track And Trace returns for one number. A reference can stand for several parcels, which are then the
 * shipment's pieces. One without a number of its own can't be distinguished from the others and is left out.
 */
export function readGlsParcels(parcels: readonly LenientObject[], source: string): Reading {
  const read = parcels.map((parcel) => ({
    number: pieceNumber(text(parcel, 'unitno')),
    reading: parcelReading(scansOf(parcel), { expected: [], route: { origin: null, destination: null } }, source),
  }));
  const pieces = read.flatMap(({ number, reading }) => (number === null ? [] : [{ number, reading }]));
  const isSplit = pieces.length > 1;
  const [only] = pieces.length > 0 ? pieces : read;
  const reading = isSplit || only === undefined ? joinPieces(pieces, undefined, source) : only.reading;
  const facts = statedFacts({
    pieces: isSplit ? pieces.map(({ number }) => statedPiece(number)) : [],
    piecesCount: isSplit ? parcels.length : null,
    pickupPoint: pickupPointOf(reading.events),
  });
  return facts === undefined ? reading : { ...reading, facts };
}

function scansOf(parcel: LenientObject): ParcelScan[] {
  const { items, unreadable } = listedItems(parcel, 'events');
  const scans = items.map(readScan);
  const status = text(parcel, 'status');
  const code = codeOfGlsStatus(status);
  const read = scans.filter((scan): scan is ReadEvent => !('reason' in scan));
  const newest = read.toSorted((left, right) => eventTimeMs(left) - eventTimeMs(right)).at(-1);
  const isStated = read.some((scan) => scan.code === code);
  if (code === null || isStated || (newest !== undefined && newest.code !== 'other')) return [...unreadable, ...scans];
  // The status gives the newest event its meaning if no event does. Without events, it is the only one.
  if (newest !== undefined)
    return [...unreadable, ...scans.map((scan) => (scan === newest ? { ...newest, code } : scan))];
  const at = text(parcel, 'statusDateTime');
  const time = at === null ? null : scanTime(at, null);
  if (time === null) return [...unreadable, ...scans];
  const raw = { status, statusDateTime: at };
  const only = bareEvent({
    code,
    classifier: 'actual',
    time,
    location: null,
    mode: 'parcel',
    carrierCode: status,
    raw,
  });
  return [...unreadable, ...scans, only];
}

function readScan(raw: unknown): ParcelScan {
  const event = readObject(raw);
  if (event === null) return { raw, reason: 'the event is not an object' };
  const written = text(event, 'eventDateTime');
  if (written === null) return { raw, reason: 'eventDateTime is missing' };
  const location = parcelPlace({ city: text(event, 'city'), state: null, country: text(event, 'country') });
  const time = scanTime(written, location);
  if (time === null) return { raw, reason: 'eventDateTime is not a time' };
  const carrierCode = text(event, 'code');
  const carrierDescription = text(event, 'description');
  const read = bareEvent({
    code: codeOfGlsEvent(carrierCode, carrierDescription),
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode,
    carrierDescription,
    raw,
  });
  return withDetails(read, { statusDetail: detailOfGls(carrierCode, carrierDescription) ?? undefined });
}

/** GLS names the shop only to those who know the addressee's postal code. */
function pickupPointOf(events: readonly ReadEvent[]): PickupPoint | null {
  const last = events.toSorted((left, right) => eventTimeMs(left) - eventTimeMs(right)).at(-1);
  if (last?.code !== 'available_for_pickup') return null;
  return { kind: 'shop', id: null, name: null, address: null, place: last.location, hours: null, keptUntil: null };
}
