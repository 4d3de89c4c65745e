import { rampStatusCodes } from '../codes/ocean-status-codes.ts';
import { detailsOf, meaningOrOther } from '../codes/status-table.ts';
import type { WrittenPlace } from '../edi-place.ts';
import { type EdiMessage, maxEventsOfMessage } from '../edi-reading.ts';
import { draftMessage, type MessageSource } from '../message-draft.ts';
import { part, type Segment } from '../segment.ts';
import { dayOf } from './read-carrier-status.ts';
import { addDate, portsOf, referencesOf } from './read-ocean-status.ts';
import { type Reference, targetsOf, type Unit, unitOf } from './x12-references.ts';
import { x12Zone } from './x12-zone.ts';

/** The numbers that N9 has by its qualifier (element 128). */
const qualifiers: Readonly<Record<string, Reference['key']>> = {
  WY: 'waybill',
  BM: 'mbl',
  MB: 'mbl',
  OB: 'mbl',
  BN: 'booking',
  BL: 'bol',
};

/**
 * Reads a 322 (Terminal Operations and Intermodal Ramp Activity): one status (Q5) of each unit (N7), and when it is
 * expected at the end of its way (DTM). A mistake in the status refuses the message.
 */
export function readRampActivity(
  segments: readonly Segment[],
  source: MessageSource,
): Omit<EdiMessage, 'group' | 'control'> {
  const draft = draftMessage('322', segments, source);
  const status = segments.find(({ tag }) => tag === 'Q5');
  if (status === undefined) {
    draft.fault(segments[0] as Segment, 'The message has no Q5 segment.', 'message_refused');
    return draft.end();
  }
  const refuse = (reason: string) => draft.fault(status, reason, 'message_refused');
  const ports = portsOf(segments);
  const here = ports.find((port) => port.function === '5');
  const [code, date] = [part(status, 1), part(status, 2)];
  const units = unitsOf(segments);
  const zone = x12Zone(part(status, 4));
  if (units.length > maxEventsOfMessage) refuse('The message names more than 1,000 units.');
  else if (units.length === 0) refuse('The message names no unit (N7).');
  else if (code === null) refuse('Q5 has no status code.');
  else if (date === null) refuse('Q5 has no date.');
  else if (zone === null) refuse(`${part(status, 4)} is not a time code.`);
  else {
    const { meaning, unlisted } = meaningOrOther(rampStatusCodes, code, 'shipment status code');
    const city: WrittenPlace = { name: part(status, 6), state: part(status, 7), country: part(status, 8) };
    const isCity = city.name !== null && (here === undefined || here.place.name === null);
    const place =
      here === undefined ? (isCity ? city : null) : { ...here.place, ...(isCity ? { name: city.name } : {}) };
    const destination = ports.find((port) => ['7', 'E', 'D'].includes(port.function));
    const day = meaning.isFreeDay === true ? dayOf(date) : null;
    const numbers = referencesOf(segments, qualifiers);
    for (const { unit, isEmpty, own, dates } of units) {
      const references = units.length === 1 ? numbers : referencesOf(own, qualifiers);
      const targets = targetsOf([...references, { key: unit.kind, value: unit.number }]);
      const common = { targets, container: unit.kind === 'container' ? unit.number : null };
      const isTaken = draft.add({
        ...common,
        code: meaning.isFreeDay === true ? null : isEmpty ? (meaning.empty ?? meaning.code) : meaning.code,
        classifier: meaning.classifier ?? 'actual',
        digits: { date, time: part(status, 3) },
        zone,
        place,
        mode: 'rail',
        ...(meaning.holds === undefined ? {} : { holds: meaning.holds }),
        ...(day === null ? {} : { freeDays: [{ by: 'terminal', kind: 'demurrage', day }] }),
        ...detailsOf(meaning),
        statusCode: code,
        unlisted,
        words: meaning.words,
        from: status,
        to: status,
        isMain: true,
      });
      if (!isTaken) break;
      for (const dtm of dates) {
        const expected = part(dtm, 1) === '371' ? 'rail_arrived' : part(dtm, 1) === '017' ? 'delivered' : null;
        if (expected === null) continue;
        addDate(draft.add, draft.fault, dtm, {
          ...common,
          code: expected,
          classifier: 'estimated',
          place: destination?.place ?? null,
          mode: expected === 'delivered' ? null : 'rail',
          statusCode: `DTM/${part(dtm, 1)}`,
          words: expected === 'delivered' ? 'Estimated delivery' : 'Estimated arrival of the train',
          from: dtm,
          to: dtm,
        });
      }
    }
  }
  return draft.end();
}

type UnitLoop = { unit: Unit; isEmpty: boolean; own: Segment[]; dates: Segment[] };

/** The units with what follows each of them. Empty where W2 says so. */
function unitsOf(segments: readonly Segment[]): UnitLoop[] {
  const loops: UnitLoop[] = [];
  let open: UnitLoop | null = null;
  let isOfPort = false;
  for (const segment of segments) {
    if (segment.tag === 'N7') {
      const unit = unitOf(part(segment, 1), part(segment, 2), part(segment, 18));
      open = unit === null ? null : { unit, isEmpty: false, own: [], dates: [] };
      if (open !== null) loops.push(open);
      isOfPort = false;
    } else if (open !== null) {
      open.own.push(segment);
      if (segment.tag === 'W2') open.isEmpty = part(segment, 5) === 'E';
      if (segment.tag === 'R4') isOfPort = true;
      // The dates of a port follow its R4.
      if (segment.tag === 'DTM' && !isOfPort) open.dates.push(segment);
    }
  }
  return loops;
}
