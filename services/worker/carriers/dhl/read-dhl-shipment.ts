import { type CarrierTime, maxStatedPieces, type ReadEvent, type Reading } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import type { ParcelSummary } from '../reading/fold-summary.ts';
import {
  dayOrTime,
  expectedDelivery,
  type ParcelScan,
  parcelReading,
  scanTime,
  withDetails,
} from '../reading/parcel-reading.ts';
import { readWindow } from '../reading/read-window.ts';
import { wordedDetail } from '../reading/worded-detail.ts';
import { codeOfDhl } from './dhl-codes.ts';
import { endOf, locationOf } from './dhl-place.ts';
import { pieceIdsOf, readDhlFacts } from './read-dhl-facts.ts';

/**
 * Parses one shipment of a response, for which this number was asked. The shipment's status is read as its summary, and
 * is its only event if it has no list.
 */
export function readDhlShipment(
  shipment: LenientObject,
  { number, source }: { number: string; source: string },
): Reading {
  const { items, unreadable } = listedItems(shipment, 'events');
  const status = shipment.get('status');
  const isOnlyOne = items.length === 0 && text(readObject(status), 'timestamp') !== null;
  const reads = (isOnlyOne ? [status] : items).map((raw) => readEvent(raw, shipment));
  const scans = withReturn(
    reads.map(({ scan }) => scan),
    shipment,
  );
  const { facts, unreadable: measures } = readDhlFacts(shipment, { number, events: scans.filter(isEvent) });
  const route = { origin: endOf(shipment, 'origin'), destination: endOf(shipment, 'destination') };
  const { expected, unreadable: windows } = expectedOf(shipment);
  const outlook = {
    expected,
    route,
    facts,
    unreadable: [...measures, ...windows],
    summary: isOnlyOne ? null : summaryOf(status, shipment),
    conflicts: reads.filter(({ isConflict }) => isConflict).length,
    isCodedEnd: ({ carrierCode }: ReadEvent) => carrierCode?.toLowerCase() === 'delivered',
  };
  return parcelReading([...unreadable, ...byPiece(scans, shipment)], outlook, source);
}

function summaryOf(status: unknown, shipment: LenientObject): ParcelSummary | null {
  if (readObject(status) === null) return null;
  const [scan] = withReturn([readEvent(status, shipment).scan], shipment);
  return scan === undefined || 'reason' in scan ? null : scan;
}

function isEvent(scan: ParcelScan): scan is ReadEvent {
  return !('reason' in scan);
}

type ReadScan = { scan: ParcelScan; isConflict: boolean };

function readEvent(raw: unknown, shipment: LenientObject): ReadScan {
  const event = readObject(raw);
  if (event === null) return unreadableScan(raw, 'the event is not an object');
  const written = text(event, 'timestamp');
  if (written === null) return unreadableScan(raw, 'timestamp is missing');
  const location = locationOf(event);
  const time = scanTime(written, location);
  if (time === null) return unreadableScan(raw, 'timestamp is not a time');
  const statusCode = text(event, 'statusCode');
  const status = text(event, 'status');
  const description = plainWords(text(event, 'description'));
  const remark = plainWords(text(event, 'remark'));
  const words = [status, text(event, 'statusDetailed'), description, remark].filter((part) => part !== null);
  const paketCode = text(shipment, 'service') === 'parcel-de' ? status : null;
  const { code, isConflict } = codeOfDhl(statusCode, { status, description }, paketCode);
  const read = bareEvent({
    code,
    classifier: 'actual',
    time,
    location,
    mode: 'parcel',
    carrierCode: statusCode,
    carrierDescription:
      [...new Set([description ?? status, remark])].filter((part) => part !== null).join(': ') || null,
    raw,
  });
  return { scan: withDetails(read, { statusDetail: wordedDetail(code, words.join('. ')) }), isConflict };
}

function unreadableScan(raw: unknown, reason: string): ReadScan {
  return { scan: { raw, reason }, isConflict: false };
}

function plainWords(written: string | null): string | null {
  return written?.replace(/<[^<>]*>/g, '').trim() || null;
}

/** `returnFlag`: what DHL delivers goes back to the sender. */
function withReturn(scans: ParcelScan[], shipment: LenientObject): ParcelScan[] {
  if (shipment.get('returnflag') !== true) return scans;
  return scans.map((scan) => (isEvent(scan) && scan.code === 'delivered' ? { ...scan, code: 'returned' } : scan));
}

/** Events of single pieces that are read of a response. DHL's longest published example has eleven pieces. */
const maxPieceEvents = 2000;

/** An event that names some of the pieces is about each of them; one that names all or none is about the shipment. */
function byPiece(scans: readonly ParcelScan[], shipment: LenientObject): ParcelScan[] {
  const named = scans.map((scan) => (isEvent(scan) ? pieceIdsOf(readObject(scan.raw)) : []));
  const all = new Set([...pieceIdsOf(child(shipment, 'details')), ...named.flat()]);
  const kept = new Set([...all].slice(0, maxStatedPieces));
  let count = 0;
  return scans.flatMap((scan, index): ParcelScan[] => {
    const ids = named[index] ?? [];
    if (!isEvent(scan) || ids.length === 0 || ids.length >= all.size) return [scan];
    const own = ids.filter((id) => kept.has(id));
    count += own.length;
    if (own.length === 0) return [{ raw: scan.raw, reason: 'the event is about pieces beyond the first 200' }];
    if (count > maxPieceEvents) return [{ raw: scan.raw, reason: 'the events name too many pieces' }];
    return own.map((piece) => withDetails({ ...scan, raw: onlyPiece(scan.raw, piece) }, { piece }));
  });
}

function onlyPiece(raw: unknown, piece: string): unknown {
  return typeof raw === 'object' && raw !== null ? { ...raw, pieceIds: [piece] } : raw;
}

/** The estimate if it is a single time, or else the end of the window. */
function expectedOf(shipment: LenientObject): { expected: ReadEvent[]; unreadable: UnreadableEvent[] } {
  const frame = child(shipment, 'estimatedDeliveryTimeFrame');
  const raw = {
    estimatedTimeOfDelivery: text(shipment, 'estimatedTimeOfDelivery'),
    estimatedFrom: text(frame, 'estimatedFrom'),
    estimatedThrough: text(frame, 'estimatedThrough'),
  };
  const place = endOf(shipment, 'destination');
  const read = (written: string | null) => (written === null ? null : dayOrTime(written, place));
  const remark = text(shipment, 'estimatedTimeOfDeliveryRemark');
  const [from, to] = [read(raw.estimatedFrom), endOfDay(read(raw.estimatedThrough))];
  const { value: window, unreadable } = readWindow(from, to, raw);
  const stated = read(raw.estimatedTimeOfDelivery);
  const isByEndOfDay = /\bend of (the )?day\b/i.test(remark ?? '');
  const time = (isByEndOfDay ? endOfDay(stated) : stated) ?? to ?? from;
  const expected = {
    classifier: 'estimated',
    place,
    carrierCode: 'estimatedTimeOfDelivery',
    carrierDescription: remark,
    window,
    raw,
  } as const;
  return { expected: time === null ? [] : [expectedDelivery(time, expected)], unreadable };
}

/** A deadline at midnight is the end of the day before. */
function endOfDay(time: CarrierTime | null): CarrierTime | null {
  if (time === null || time.precision === 'date' || !/T00:00(:00)?$/.test(time.local)) return time;
  const eve = new Date(`${time.local.slice(0, 10)}T00:00:00Z`);
  eve.setUTCDate(eve.getUTCDate() - 1);
  return dayOrTime(`${eve.toISOString().slice(0, 10)}T00:00:00`, null);
}
