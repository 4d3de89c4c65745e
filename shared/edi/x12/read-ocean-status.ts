import { entryOf } from '#shared/domain/entry-of.ts';
import type { Classifier } from '#shared/domain/events/event.ts';
import { oceanStatusCodes } from '../codes/ocean-status-codes.ts';
import { detailsOf, meaningOrOther } from '../codes/status-table.ts';
import type { WrittenPlace } from '../edi-place.ts';
import type { EdiMessage } from '../edi-reading.ts';
import { type DraftEvent, draftMessage, type MessageSource } from '../message-draft.ts';
import { part, type Segment } from '../segment.ts';
import { unlocodeOfCensus } from './census-ports.ts';
import { dayOf } from './read-carrier-status.ts';
import { type Reference, targetsOf, unitOf, unitOfNumber } from './x12-references.ts';
import { x12Zone } from './x12-zone.ts';

/** The numbers that N9 has by its qualifier (element 128). */
const qualifiers: Readonly<Record<string, Reference['key']>> = {
  BM: 'mbl',
  MB: 'mbl',
  OB: 'mbl',
  BN: 'booking',
  HB: 'hbl',
  WY: 'waybill',
  PO: 'po',
};

/** A port or ramp of the message (R4) with the dates that follow it. `first` and `last`: its segments. */
export type PortLoop = { function: string; place: WrittenPlace; dates: Segment[]; first: Segment; last: Segment };

/**
 * Reads a 315 (Status Details, Ocean): one status (B4) of one container, and when its vessel is expected (R4, DTM). A
 * mistake in the status refuses the message; an expected time that cannot be read is left out.
 */
export function readOceanStatus(
  segments: readonly Segment[],
  source: MessageSource,
): Omit<EdiMessage, 'group' | 'control'> {
  const draft = draftMessage('315', segments, source);
  const status = segments.find(({ tag }) => tag === 'B4');
  if (status === undefined) {
    draft.fault(segments[0] as Segment, 'The message has no B4 segment.', 'message_refused');
    return draft.end();
  }
  const refuse = (reason: string) => draft.fault(status, reason, 'message_refused');
  const numbers = referencesOf(segments, qualifiers);
  const unit = unitOf(part(status, 7), part(status, 8), part(status, 13)) ?? unitOfNumber(numberOf(segments, 'EQ'));
  const container = unit?.kind === 'container' ? unit.number : null;
  const targets = targetsOf([
    ...numbers,
    ...(container === null ? [] : [{ key: 'container' as const, value: container }]),
  ]);
  const vessel = segments.find(({ tag }) => tag === 'Q2') ?? null;
  const ports = portsOf(segments);
  const [code, date] = [part(status, 3), part(status, 4)];
  if (targets.length === 0) refuse('The message names no bill of lading, booking or container.');
  else if (code === null) refuse('B4 has no status code.');
  else if (date === null) refuse('B4 has no date.');
  else {
    const { meaning, unlisted } = meaningOrOther(oceanStatusCodes, code, 'shipment status code');
    const here = ports.find((port) => port.function === '5');
    const onVessel = ['loaded', 'departed', 'arrived', 'discharged'].includes(meaning.code);
    const day = meaning.isFreeDay === true ? dayOf(date) : null;
    const statusZone = here?.dates.find((each) => part(each, 2) === date && part(each, 3) === part(status, 5));
    draft.add({
      code:
        meaning.isFreeDay === true ? null : part(status, 9) === 'E' ? (meaning.empty ?? meaning.code) : meaning.code,
      classifier: meaning.classifier ?? 'actual',
      digits: { date, time: part(status, 5) },
      zone: x12Zone(statusZone === undefined ? null : part(statusZone, 4)) ?? localZone,
      place: placeOfStatus(status, here),
      targets,
      container,
      mode: onVessel ? 'ocean' : meaning.code.startsWith('rail_') ? 'rail' : null,
      vehicle: onVessel ? vehicleOf(vessel) : null,
      ...(meaning.holds === undefined ? {} : { holds: meaning.holds }),
      ...(day === null ? {} : { freeDays: [{ by: 'line', kind: 'demurrage', day }] }),
      ...detailsOf(meaning),
      statusCode: code,
      unlisted,
      words: meaning.words,
      from: status,
      to: status,
      isMain: true,
    });
  }
  const common = { targets, container, mode: 'ocean' as const, vehicle: vehicleOf(vessel) };
  const isDeparture = { L: ['departed', ['139', '369', '017']], D: ['arrived', ['139', '371', '017']] } as const;
  for (const port of ports) {
    const expected = port.function === 'L' || port.function === 'D' ? isDeparture[port.function] : null;
    if (expected === null) continue;
    const [expectedCode, dateCodes] = expected;
    for (const dtm of port.dates)
      if ((dateCodes as readonly string[]).includes(part(dtm, 1) ?? ''))
        addDate(draft.add, draft.fault, dtm, {
          ...common,
          code: expectedCode,
          classifier: 'estimated',
          place: port.place,
          statusCode: `${port.function}/${part(dtm, 1)}`,
          words: expectedCode === 'arrived' ? 'Estimated arrival of the vessel' : 'Estimated departure of the vessel',
          from: dtm,
          to: dtm,
        });
  }
  return draft.end();
}

const localZone = (timezone: string | null) => ({ kind: 'local' as const, timezone });

/** Adds an event at the date of a DTM. */
export function addDate(
  add: (event: DraftEvent) => boolean,
  fault: (segment: Segment, reason: string, effect: 'segment_left_out') => false,
  dtm: Segment,
  event: Omit<DraftEvent, 'digits' | 'zone'> & { classifier: Classifier },
): void {
  const date = part(dtm, 2);
  const zone = x12Zone(part(dtm, 4));
  if (date === null) fault(dtm, 'DTM has no date.', 'segment_left_out');
  else if (zone === null) fault(dtm, `${part(dtm, 4)} is not a time code.`, 'segment_left_out');
  else add({ ...event, digits: { date, time: part(dtm, 3) }, zone });
}

/** The numbers of the message in the order of the qualifiers: the strongest first. */
export function referencesOf(
  segments: readonly Segment[],
  keys: Readonly<Record<string, Reference['key']>>,
): Reference[] {
  const order = Object.keys(keys);
  return segments
    .flatMap((segment) => {
      const [qualifier, value] = [part(segment, 1), part(segment, 2)];
      const key = segment.tag === 'N9' ? entryOf(keys, qualifier) : undefined;
      return key === undefined || value === null ? [] : [{ key, value, rank: order.indexOf(qualifier ?? '') }];
    })
    .sort((left, right) => left.rank - right.rank)
    .map(({ key, value }) => ({ key, value }));
}

function numberOf(segments: readonly Segment[], qualifier: string): string | null {
  const segment = segments.find((each) => each.tag === 'N9' && part(each, 1) === qualifier);
  return segment === undefined ? null : part(segment, 2);
}

/** The ports and ramps of the message, each with its dates (DTM). */
export function portsOf(segments: readonly Segment[]): PortLoop[] {
  const loops: PortLoop[] = [];
  let open: PortLoop | null = null;
  for (const segment of segments) {
    if (segment.tag === 'R4') {
      const isUnlocode = part(segment, 2) === 'UN';
      const place: WrittenPlace = {
        unlocode: isUnlocode
          ? part(segment, 3)
          : unlocodeOfCensus(part(segment, 2), part(segment, 3), { name: part(segment, 4), country: part(segment, 5) }),
        name: part(segment, 4),
        country: part(segment, 5),
        state: part(segment, 8),
        facility: part(segment, 6),
      };
      open = { function: part(segment, 1) ?? '', place, dates: [], first: segment, last: segment };
      loops.push(open);
    } else if (open !== null && segment.tag === 'DTM') {
      open.dates.push(segment);
      open.last = segment;
    } else if (segment.tag !== 'V9') open = null;
  }
  return loops;
}

/** Reads the place of a status: by code, otherwise from the activity's own R4, otherwise in words. */
function placeOfStatus(status: Segment, here: PortLoop | undefined): WrittenPlace | null {
  const [words, code] = [part(status, 6), part(status, 11)];
  const isUnlocode = part(status, 12) === 'UN';
  if (isUnlocode && code !== null && (here === undefined || here.place.unlocode === code))
    return { ...here?.place, unlocode: code, name: here?.place.name ?? (words === code ? null : words) };
  if (here !== undefined) return here.place;
  if (words === null && !isUnlocode) return null;
  const unlocode = isUnlocode ? code : /^[A-Z]{2}[A-Z2-9]{3}$/.test(words ?? '') ? words : null;
  return { unlocode, name: unlocode === words ? null : words };
}

/** The vessel (Q2). Its code is an IMO number where it is a Lloyd's number (`L`). */
function vehicleOf(vessel: Segment | null): NonNullable<DraftEvent['vehicle']> | null {
  if (vessel === null) return null;
  const imo = part(vessel, 12) === 'L' && /^\d{7}$/.test(part(vessel, 1) ?? '') ? part(vessel, 1) : null;
  const [name, voyage] = [part(vessel, 13), part(vessel, 9)];
  return name === null && imo === null && voyage === null ? null : { name, imo, voyage, flight: null };
}
