import type { CarrierTime, ReadEvent, Reading } from '#shared/domain/events/event.ts';
import { eventTimeMs } from '#shared/domain/events/event-order.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, children, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
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
import { isEnd, ofPresentUse } from '../reading/present-use.ts';
import { readWindow } from '../reading/read-window.ts';
import { readCount } from '../reading/stated-facts.ts';
import { wordedDetail } from '../reading/worded-detail.ts';
import { destinationOf, originOf, placeOf } from './fedex-address.ts';
import { codeOfFedex, settleFedex } from './fedex-codes.ts';
import { detailOfDelay, detailOfHandover, detailOfScan } from './fedex-status-detail.ts';
import { readFedexFacts } from './read-fedex-facts.ts';

/**
 * Parses one track result: its scans (or the pickup and delivery dates when there are none), the expected pickup and
 * delivery, and what FedEx states of the shipment.
 */
export function readFedexResult(result: LenientObject, source: string): Reading {
  const { items, unreadable } = listedItems(result, 'scanEvents');
  const uniqueId = uniqueIdOf(result);
  const reads = items.map((item) => readScan(item, result));
  const read = items.length > 0 ? reads.map(({ scan }) => scan) : datesAsScans(result, uniqueId);
  const scans = withLatestDetail(read, child(result, 'latestStatusDetail'));
  const events = ofPresentUse(scans.filter(isEvent), isCodedEnd);
  const { facts, unreadable: measures } = readFedexFacts(result, events);
  const deliveries = expectedOf(result);
  const expected = [...deliveries.expected, ...expectedPickup(result, events)];
  const route = { origin: originOf(result), destination: destinationOf(result) };
  const outlook = {
    expected,
    route,
    facts,
    unreadable: [...measures, ...deliveries.unreadable],
    summary: summaryOf(result),
    conflicts: reads.filter(({ isConflict }) => isConflict).length,
    isCodedEnd,
  };
  return parcelReading([...unreadable, ...scans, ...splitParts(result, uniqueId)], outlook, source);
}

function isCodedEnd({ carrierCode }: ReadEvent): boolean {
  return isEnd(codeOfFedex(carrierCode, { exceptionCode: null, words: '' }));
}

function isEvent(scan: ParcelScan): scan is ReadEvent {
  return !('reason' in scan);
}

/** FedEx reuses its numbers. This id distinguishes the parcels with one number. */
export function uniqueIdOf(result: LenientObject): string | null {
  return text(child(result, 'trackingNumberInfo'), 'trackingNumberUniqueId');
}

/** The first date of these types in `dateAndTimes`, as FedEx wrote it. */
export function dateOf(result: LenientObject, ...types: string[]): string | null {
  const dates = children(result, 'dateAndTimes');
  for (const type of types) {
    const written = text(dates.find((date) => text(date, 'type')?.toUpperCase() === type) ?? null, 'dateTime');
    if (written !== null) return written;
  }
  return null;
}

type ReadScan = { scan: ParcelScan; isConflict: boolean };

function unreadableScan(raw: unknown, reason: string): ReadScan {
  return { scan: { raw, reason }, isConflict: false };
}

function readScan(raw: unknown, result: LenientObject): ReadScan {
  const scan = readObject(raw);
  if (scan === null) return unreadableScan(raw, 'the scan is not an object');
  const written = text(scan, 'date');
  if (written === null) return unreadableScan(raw, 'date is missing');
  const carrierCode = text(scan, 'eventType')?.toUpperCase() ?? null;
  const words = [text(scan, 'eventDescription'), text(scan, 'exceptionDescription')].filter((part) => part !== null);
  const { code, isConflict } = settleFedex(carrierCode ?? text(scan, 'derivedStatusCode'), {
    exceptionCode: text(scan, 'exceptionCode'),
    words: (words.length > 0 ? words : [text(scan, 'derivedStatus') ?? '']).join('. '),
  });
  const delivery = code === 'delivered' ? child(result, 'deliveryDetails') : null;
  const location = placeOf(child(scan, 'scanLocation')) ?? placeOf(child(delivery, 'actualDeliveryAddress'));
  const time = scanTime(written, location);
  if (time === null) return unreadableScan(raw, 'date is not a time');
  // The only place of a scan for which FedEx states the role in the journey.
  const isAtDestination =
    carrierCode === 'FD' || text(scan, 'locationType')?.toUpperCase() === 'DESTINATION_FEDEX_FACILITY';
  const event = bareEvent({
    code,
    classifier: 'actual',
    legRole: isAtDestination && location !== null ? 'destination' : 'unknown',
    time,
    location,
    mode: 'parcel',
    delayReason: text(scan, 'exceptionCode'),
    carrierCode,
    carrierDescription: [...new Set(words)].join(': ') || text(scan, 'derivedStatus'),
    sourceEventId: uniqueIdOf(result),
    raw,
  });
  const statusDetail = detailOfScan(code, scan, words) ?? detailOfHandover(delivery);
  return { scan: withDetails(event, { statusDetail }), isConflict };
}

/** Reads FedEx's latest status. A delivery and a pickup have their times in `dateAndTimes`. */
function summaryOf(result: LenientObject): ParcelSummary | null {
  const latest = child(result, 'latestStatusDetail');
  const carrierCode = text(latest, 'code', 'derivedCode')?.toUpperCase() ?? null;
  const carrierDescription = text(latest, 'description', 'statusByLocale');
  if (latest === null || (carrierCode === null && carrierDescription === null)) return null;
  const { code } = settleFedex(carrierCode, { exceptionCode: null, words: carrierDescription ?? '' });
  const location = placeOf(child(latest, 'scanLocation')) ?? (code === 'delivered' ? destinationOf(result) : null);
  const dated = { delivered: 'ACTUAL_DELIVERY', picked_up: 'ACTUAL_PICKUP' } as const;
  const type = code === 'delivered' || code === 'picked_up' ? dated[code] : null;
  const written = type === null ? null : dateOf(result, type);
  return {
    code,
    time: written === null ? null : dayOrTime(written, location),
    location,
    carrierCode,
    carrierDescription,
    raw: { latestStatusDetail: result.get('lateststatusdetail') },
  };
}

/** FedEx's examples have one. */
const maxReasons = 10;

/** The latest status repeats the newest scan, and may say more about its reason. */
function withLatestDetail(scans: readonly ParcelScan[], latest: LenientObject | null): ParcelScan[] {
  const events = scans.filter(isEvent);
  const newest = events.reduce<ReadEvent | null>(
    (best, each) => (best === null || eventTimeMs(each) > eventTimeMs(best) ? each : best),
    null,
  );
  const isSame = newest !== null && newest.carrierCode === text(latest, 'code')?.toUpperCase();
  const known = newest?.details?.statusDetail;
  if (!isSame || (known !== undefined && known !== 'carrier_delay')) return [...scans];
  const reasons = children(latest, 'ancillaryDetails')
    .slice(0, maxReasons)
    .map((each) => text(each, 'reasonDescription') ?? '');
  const worded = reasons.map((each) => wordedDetail(newest.code, each)).find((detail) => detail !== undefined);
  const statusDetail = worded ?? detailOfDelay(newest.code, child(latest, 'delayDetail')) ?? known;
  return scans.map((scan) => (scan === newest ? withDetails(newest, { statusDetail }) : scan));
}

/**
 * The parts of a shipment that travels apart. Which pieces are in a part is not said, so that its status is not that of
 * the shipment.
 */
function splitParts(result: LenientObject, uniqueId: string | null): ParcelScan[] {
  return children(child(result, 'shipmentDetails'), 'splitShipments').map((part): ParcelScan => {
    const raw = Object.fromEntries(part);
    const written = text(part, 'timestamp');
    const time = written === null ? null : scanTime(written, null);
    if (time === null) return { raw, reason: 'the time of a split shipment is not a time' };
    const event = bareEvent({
      code: 'other',
      classifier: 'actual',
      time,
      location: null,
      mode: 'parcel',
      carrierCode: text(part, 'statusCode'),
      carrierDescription: text(part, 'statusDescription'),
      sourceEventId: uniqueId,
      raw,
    });
    const count = readCount(part.get('piececount'), 'pieceCount').value;
    return withDetails(event, { piecesCount: count ?? undefined });
  });
}

const datedCodes = [
  ['ACTUAL_PICKUP', 'PU', 'origin'],
  ['ACTUAL_DELIVERY', 'DL', 'destination'],
] as const;

function datesAsScans(result: LenientObject, uniqueId: string | null): ParcelScan[] {
  return datedCodes.flatMap(([type, carrierCode, end]): ParcelScan[] => {
    const written = dateOf(result, type);
    if (written === null) return [];
    const raw = { type, dateTime: written };
    const location = end === 'origin' ? originOf(result) : destinationOf(result);
    const time = dayOrTime(written, location);
    if (time === null) return [{ raw, reason: `${type} is not a time` }];
    const code = codeOfFedex(carrierCode, { exceptionCode: null, words: '' });
    return [
      bareEvent({
        code,
        classifier: 'actual',
        time,
        location,
        mode: 'parcel',
        carrierCode: type,
        sourceEventId: uniqueId,
        raw,
      }),
    ];
  });
}

/** The end of the window, or else the estimated date, and the delivery date promised at pickup. */
function expectedOf(result: LenientObject): { expected: ReadEvent[]; unreadable: UnreadableEvent[] } {
  const place = destinationOf(result);
  const read = (written: string | null): CarrierTime | null => (written === null ? null : dayOrTime(written, place));
  const windowOf = (name: string) => {
    const range = child(child(result, name), 'window');
    const raw = { begins: text(range, 'begins'), ends: text(range, 'ends') };
    const ends = { from: read(raw.begins), to: read(raw.ends) };
    const window = readWindow(ends.from, ends.to, { [name]: raw });
    return { ...window, raw, end: window.unreadable.length > 0 ? null : (ends.to ?? ends.from) };
  };
  const committed = windowOf('standardTransitTimeWindow');
  const estimated = windowOf('estimatedDeliveryTimeWindow');
  const commitment = dateOf(result, 'COMMITMENT');
  const estimate = dateOf(result, 'ESTIMATED_DELIVERY', 'APPOINTMENT_DELIVERY', 'SCHEDULED_DELIVERY');
  const promises = [
    {
      classifier: 'planned',
      carrierCode: 'COMMITMENT',
      window: committed.value,
      time: read(commitment) ?? committed.end,
      raw: { type: 'COMMITMENT', dateTime: commitment, window: committed.raw },
    },
    {
      classifier: 'estimated',
      carrierCode: 'ESTIMATED_DELIVERY',
      window: estimated.value,
      time: estimated.end ?? read(estimate),
      raw: { type: 'ESTIMATED_DELIVERY', dateTime: estimate, window: estimated.raw },
    },
  ] as const;
  const expected = promises.flatMap(({ time, ...promise }) =>
    time === null ? [] : [expectedDelivery(time, { ...promise, place })],
  );
  return { expected, unreadable: [...committed.unreadable, ...estimated.unreadable] };
}

/** When FedEx expects the package to be handed over, while it was not. */
function expectedPickup(result: LenientObject, events: readonly ReadEvent[]): ReadEvent[] {
  const types = ['ESTIMATED_PICKUP', 'ANTICIPATED_TENDER'];
  const written = dateOf(result, ...types);
  const isAnnounced = events.every((event) => event.code === 'information_received');
  const location = originOf(result);
  const time = written === null || !isAnnounced ? null : dayOrTime(written, location);
  if (time === null) return [];
  const carrierCode = types.find((type) => dateOf(result, type) === written) ?? null;
  const raw = { type: carrierCode, dateTime: written };
  return [bareEvent({ code: 'picked_up', classifier: 'estimated', time, location, mode: 'parcel', carrierCode, raw })];
}
