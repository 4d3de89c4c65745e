import { entryOf } from '#shared/domain/entry-of.ts';
import { appointmentCodes, carrierStatusCodes, reasonDetail, reasonWords } from '../codes/carrier-status-codes.ts';
import { meaningOrOther } from '../codes/status-table.ts';
import type { EdiMessage } from '../edi-reading.ts';
import type { EdiDigits } from '../edi-time.ts';
import { draftMessage, type MessageSource } from '../message-draft.ts';
import { part, type Segment } from '../segment.ts';
import { type Reference, targetsOf, type Unit, unitOf } from './x12-references.ts';
import { x12Zone } from './x12-zone.ts';

/** The numbers that L11 has by its qualifier (element 128). */
const qualifiers: Readonly<Record<string, Reference['key']>> = {
  BM: 'bol',
  CN: 'pro',
  MB: 'mbl',
  PO: 'po',
  PU: 'pickup_number',
  P8: 'pickup_number',
  OC: 'container',
  BN: 'booking',
  WY: 'waybill',
  '2I': 'tracking_number',
};

/**
 * Reads a 214 (Transportation Carrier Shipment Status). Each AT7 is a status of its own with its place (MS1) and its
 * equipment (MS2): one that cannot be read is left out.
 */
export function readCarrierStatus(
  segments: readonly Segment[],
  source: MessageSource,
): Omit<EdiMessage, 'group' | 'control'> {
  const draft = draftMessage('214', segments, source);
  const header = segments.find(({ tag }) => tag === 'B10');
  if (header === undefined) {
    draft.fault(segments[0] as Segment, 'The message has no B10 segment.', 'message_refused');
    return draft.end();
  }
  const targets = targetsOfMessage(segments, header);
  for (const [place, segment] of segments.entries()) {
    if (segment.tag !== 'AT7') continue;
    const own = ownSegments(segments, place);
    const [status, appointment] = [part(segment, 1), part(segment, 3)];
    const code = status ?? appointment;
    const refuse = (reason: string) => draft.fault(segment, reason, 'segment_left_out');
    if (code === null) {
      refuse('AT7 has no status code.');
      continue;
    }
    const { meaning, unlisted } =
      status === null
        ? meaningOrOther(appointmentCodes, code, 'appointment code')
        : meaningOrOther(carrierStatusCodes, code, 'shipment status code');
    const zone = x12Zone(part(segment, 7));
    const date = part(segment, 5);
    if (date === null || zone === null) {
      refuse(date === null ? 'AT7 has no date.' : `${part(segment, 7)} is not a time code.`);
      continue;
    }
    const reasonCode = part(segment, status === null ? 4 : 2);
    const reason = reasonWords(reasonCode);
    const detail = reasonDetail(reasonCode) ?? meaning.detail;
    const unit = own.unit;
    const day = meaning.isFreeDay === true ? dayOf(date) : null;
    const stopNumber = stopNumberOf(segments, place);
    const details = {
      ...(detail === undefined ? {} : { statusDetail: detail }),
      ...(stopNumber === null ? {} : { stopNumber }),
    };
    const words = reason === null ? meaning.words : `${meaning.words}: ${reason}`;
    draft.add({
      code: meaning.isFreeDay === true ? null : meaning.code,
      classifier: status === null ? (meaning.classifier ?? 'planned') : (meaning.classifier ?? 'actual'),
      digits: { date, time: part(segment, 6) },
      zone,
      place: own.place === null ? null : { ...own.place },
      targets,
      container: unit?.kind === 'container' ? unit.number : null,
      mode: modeOf(meaning.code),
      ...(meaning.holds === undefined ? {} : { holds: meaning.holds }),
      ...(day === null ? {} : { freeDays: [{ by: 'line', kind: 'demurrage', day }] }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
      windowFrom: code === 'LD' && status === null ? earliestDelivery(segments, place) : null,
      statusCode: code,
      unlisted,
      words: stopNumber === null ? words : `${words} (stop ${stopNumber})`,
      from: segment,
      to: own.last,
    });
  }
  return draft.end();
}

/** The time before which a delivery must not happen (ED), of the same assigned number (LX) as this status. */
function earliestDelivery(segments: readonly Segment[], place: number): EdiDigits | null {
  const own = loopOf(segments, place);
  const earliest = own.find((each) => each.tag === 'AT7' && part(each, 1) === null && part(each, 3) === 'ED');
  const date = earliest === undefined ? null : part(earliest, 5);
  return earliest === undefined || date === null ? null : { date, time: part(earliest, 6) };
}

/** The stop sequence number (L11, qualifier QN) of the status, otherwise that of the message. */
function stopNumberOf(segments: readonly Segment[], place: number): number | null {
  const isStop = (each: Segment) => each.tag === 'L11' && part(each, 2) === 'QN';
  const start = segments.findIndex(({ tag }) => tag === 'LX' || tag === 'AT7');
  const stop = loopOf(segments, place).find(isStop) ?? segments.slice(0, start).find(isStop);
  const number = stop === undefined ? null : part(stop, 1);
  return number !== null && /^\d{1,3}$/.test(number) && Number(number) > 0 ? Number(number) : null;
}

/** The segments of the assigned number (LX) that this status belongs to. */
function loopOf(segments: readonly Segment[], place: number): readonly Segment[] {
  const start = segments.findLastIndex(({ tag }, index) => tag === 'LX' && index < place);
  const next = segments.findIndex(({ tag }, index) => tag === 'LX' && index > place);
  return start < 0 && next < 0 ? segments : segments.slice(Math.max(0, start), next < 0 ? segments.length : next);
}

function targetsOfMessage(segments: readonly Segment[], header: Segment) {
  const scac = part(header, 3);
  const [carriersOwn, shippers] = [part(header, 1), part(header, 2)];
  const firstStatus = segments.findIndex(({ tag }) => tag === 'LX' || tag === 'AT7');
  const references: Reference[] = [];
  if (carriersOwn !== null)
    references.push(
      { key: 'pro', value: carriersOwn, scac },
      { key: 'tracking_number', value: carriersOwn, scac },
      { key: 'waybill', value: carriersOwn, scac },
    );
  for (const segment of segments.slice(0, firstStatus < 0 ? segments.length : firstStatus)) {
    const [value, qualifier] = [part(segment, 1), part(segment, 2)];
    const key = segment.tag === 'L11' ? entryOf(qualifiers, qualifier) : undefined;
    if (key !== undefined && value !== null) references.push({ key, value, ...(key === 'pro' ? { scac } : {}) });
  }
  if (shippers !== null) references.push({ key: 'bol', value: shippers }, { key: 'po', value: shippers });
  return targetsOf(references, [shippers]);
}

type Own = {
  place: {
    name: string | null;
    state: string | null;
    country: string | null;
    lat: number | null;
    lng: number | null;
  } | null;
  unit: Unit | null;
  last: Segment;
};

/** Returns the segments of a status up to the next one: MS1, then MS2. */
function ownSegments(segments: readonly Segment[], place: number): Own {
  const own: Own = { place: null, unit: null, last: segments[place] as Segment };
  for (const segment of segments.slice(place + 1, place + 4)) {
    if (segment.tag === 'MS1' && own.place === null)
      own.place = {
        name: part(segment, 1),
        state: part(segment, 2),
        country: part(segment, 3),
        ...pointOf(segment),
      };
    else if (segment.tag === 'MS2' && own.unit === null)
      own.unit = unitOf(part(segment, 1), part(segment, 2), part(segment, 4));
    else break;
    own.last = segment;
  }
  return own;
}

/** Longitude and latitude as DDDMMSS, with the directions W and N unless MS1 states others. */
function pointOf(segment: Segment): { lat: number | null; lng: number | null } {
  const lng = degrees(part(segment, 4), part(segment, 6) ?? 'W');
  const lat = degrees(part(segment, 5), part(segment, 7) ?? 'N');
  return lng === null || lat === null ? { lat: null, lng: null } : { lat, lng };
}

function degrees(written: string | null, direction: string): number | null {
  const match = /^(\d{2,3})([0-5]\d)([0-5]\d)$/.exec(written ?? '');
  if (match === null) return null;
  const value = Number(match[1]) + Number(match[2]) / 60 + Number(match[3]) / 3600;
  const signed = direction === 'W' || direction === 'S' ? -value : value;
  return Math.abs(signed) > 180 ? null : Number(signed.toFixed(5));
}

/** The calendar day of a date of eight or six digits. What is none is refused with its event. */
export function dayOf(date: string): string | null {
  const match = /^(\d{2})?(\d{2})(\d{2})(\d{2})$/.exec(date);
  return match === null ? null : `${match[1] ?? '20'}${match[2]}-${match[3]}-${match[4]}`;
}

function modeOf(code: string): 'rail' | null {
  return code.startsWith('rail_') ? 'rail' : null;
}
