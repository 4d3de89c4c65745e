import type { PickupPoint, ReadEvent, Reading } from '#shared/domain/events/event.ts';
import { eventTimeMs } from '#shared/domain/events/event-order.ts';
import { type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { newestReading } from '../reading/choose-reading.ts';
import type { ParcelSummary } from '../reading/fold-summary.ts';
import {
  joinPieces,
  type ParcelScan,
  parcelPlace,
  parcelReading,
  scanTime,
  withDetails,
} from '../reading/parcel-reading.ts';
import { isEnd } from '../reading/present-use.ts';
import { pieceNumber, statedFacts, statedPiece } from '../reading/stated-facts.ts';
import { codeOfGlsEvent, codeOfGlsStatus, detailOfGls } from './gls-codes.ts';

/**
 * Parses what Track And Trace returns for one number. A reference can stand for several parcels, which are then the
 * shipment's pieces. One without a number of its own can't be distinguished from the others and is left out.
 */
export function readGlsParcels(parcels: readonly LenientObject[], source: string): Reading {
  const all = parcels.map((parcel) => ({
    number: pieceNumber(text(parcel, 'unitno')),
    reading: readParcel(parcel, source),
    statedAt: text(parcel, 'statusDateTime'),
  }));
  const read = all.filter((each) => each.number === null || each === presentOf(all, each.number));
  const pieces = read.flatMap(({ number, reading }) => (number === null ? [] : [{ number, reading }]));
  const isSplit = pieces.length > 1;
  const [only] = pieces.length > 0 ? pieces : read;
  const reading = isSplit || only === undefined ? joinPieces(pieces, undefined, source) : only.reading;
  const facts = statedFacts({
    pieces: isSplit ? pieces.map(({ number }) => statedPiece(number)) : [],
    piecesCount: isSplit ? read.length : null,
    pickupPoint: pickupPointOf(reading.events),
  });
  return facts === undefined ? reading : { ...reading, facts };
}

type Read = { number: string | null; reading: Reading; statedAt: string | null };

/** The newest parcel with this number: GLS gives its numbers out again. */
function presentOf(all: readonly Read[], number: string): Read | undefined {
  return newestReading(all.filter((each) => each.number === number));
}

function readParcel(parcel: LenientObject, source: string): Reading {
  const { items, unreadable } = listedItems(parcel, 'events');
  const reads = items.map(readScan);
  const outlook = {
    expected: [],
    route: { origin: null, destination: null },
    summary: summaryOf(parcel),
    conflicts: reads.filter(({ isConflict }) => isConflict).length,
    isCodedEnd: ({ carrierCode }: ReadEvent) => isEnd(codeOfGlsEvent(carrierCode, null).code),
  };
  return parcelReading([...unreadable, ...reads.map(({ scan }) => scan)], outlook, source);
}

/** The parcel's status, which GLS dates. */
function summaryOf(parcel: LenientObject): ParcelSummary | null {
  const status = text(parcel, 'status');
  const code = codeOfGlsStatus(status);
  if (code === null) return null;
  const at = text(parcel, 'statusDateTime');
  const time = at === null ? null : scanTime(at, null);
  return { code, time, carrierCode: status, raw: { status, statusDateTime: at } };
}

type ReadScan = { scan: ParcelScan; isConflict: boolean };

function unreadableScan(raw: unknown, reason: string): ReadScan {
  return { scan: { raw, reason }, isConflict: false };
}

function readScan(raw: unknown): ReadScan {
  const event = readObject(raw);
  if (event === null) return unreadableScan(raw, 'the event is not an object');
  const written = text(event, 'eventDateTime');
  if (written === null) return unreadableScan(raw, 'eventDateTime is missing');
  const location = parcelPlace({ city: text(event, 'city'), state: null, country: text(event, 'country') });
  const time = scanTime(written, location);
  if (time === null) return unreadableScan(raw, 'eventDateTime is not a time');
  const carrierCode = text(event, 'code');
  const carrierDescription = text(event, 'description');
  const { code, isConflict } = codeOfGlsEvent(carrierCode, carrierDescription);
  const read = bareEvent({
    code,
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode,
    carrierDescription,
    raw,
  });
  const statusDetail = detailOfGls(carrierCode, carrierDescription) ?? undefined;
  return { scan: withDetails(read, { statusDetail }), isConflict };
}

/** GLS names the shop only to those who know the addressee's postal code. */
function pickupPointOf(events: readonly ReadEvent[]): PickupPoint | null {
  const last = events.toSorted((left, right) => eventTimeMs(left) - eventTimeMs(right)).at(-1);
  if (last?.code !== 'available_for_pickup') return null;
  return { kind: 'shop', id: null, name: null, address: null, place: last.location, hours: null, keptUntil: null };
}
