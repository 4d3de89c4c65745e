import { entryOf } from '#shared/domain/entry-of.ts';
import type { EventTarget } from '#shared/domain/events-in/event-row.ts';
import { detailsOf, type StatusMeaning } from '../codes/status-table.ts';
import type { EdiMessage } from '../edi-reading.ts';
import { draftMessage, type MessageDraft, type MessageSource } from '../message-draft.ts';
import { part, type Segment } from '../segment.ts';
import { type Reference, targetsOf, type Unit, unitOfNumber } from '../x12/x12-references.ts';
import { numbersOfRff, ownNumbersOf, refusedFunctions } from './edifact-header.ts';
import { readDtm } from './edifact-time.ts';
import {
  type Consignment,
  groupIftsta,
  modeOfTdt,
  placeOfLoc,
  type StatusGroup,
  vehicleOfTdt,
} from './iftsta-groups.ts';
import { meaningOfStatus } from './iftsta-status.ts';

/** In LOC 3227 from D.96A on. It says where a means of transport was built. */
const constructionCountry = '165';

/** Times of the status itself (element 2005): the most exact first. */
const statusTimes = ['334', '78', '7', '178', '186', '9', '137'];

/** The place of the status (element 3227): the most exact first. */
const statusPlaces = ['175', '14', '18', '88', '13'];

/**
 * Reads an IFTSTA (International multimodal status report, D.95B and later). Each status (STS) is one of its own: one
 * that cannot be read is left out.
 */
export function readIftsta(segments: readonly Segment[], source: MessageSource): Omit<EdiMessage, 'group' | 'control'> {
  const draft = draftMessage('IFTSTA', segments, source);
  const beginning = segments.find(({ tag }) => tag === 'BGM');
  if (beginning === undefined) {
    draft.fault(segments[0] as Segment, 'The message has no BGM segment.', 'message_refused');
    return draft.end();
  }
  const refusal = entryOf(refusedFunctions, part(beginning, 3));
  if (refusal !== undefined) {
    draft.fault(beginning, refusal, 'message_refused');
    return draft.end();
  }
  const groups = groupIftsta(segments);
  for (const consignment of groups.consignments)
    for (const group of consignment.statuses) readStatus(draft, group, { consignment, header: groups.references });
  return draft.end();
}

type Within = { consignment: Consignment; header: readonly Segment[] };

/** Returns whether the status was taken. */
function readStatus(draft: MessageDraft, group: StatusGroup, within: Within): boolean {
  const { status } = group;
  const refuse = (reason: string, at = status) => draft.fault(at, reason, 'segment_left_out');
  // The first stretch is the one that the status is about, unless another is the main carriage.
  const stretch = group.stretches.find(({ transport }) => part(transport, 1) === '20') ?? group.stretches[0] ?? null;
  const mode = stretch === null ? null : modeOfTdt(stretch);
  const stated = meaningOfStatus(status, mode);
  if ('reason' in stated) return refuse(stated.reason);
  const { code, meaning, unlisted } = stated;
  const dtm = statusTimes.flatMap((code) => group.dates.filter((each) => part(each, 1, 1) === code))[0];
  if (dtm === undefined) return refuse('The status has no date (DTM).');
  const time = readDtm(dtm);
  if ('reason' in time) return refuse(time.reason, dtm);
  const unit = unitOfGroup(group);
  const targets = targetsOfGroup(group, unit, within);
  if (targets.length === 0) return refuse('The status names no number of a shipment (RFF, CNI or EQD).');
  const location = locationOf(group, within.consignment);
  const container = unit?.kind === 'container' ? unit.number : null;
  const isEmpty = group.units.some((each) => part(each, 6) === '4');
  const onVehicle = ['loaded', 'departed', 'arrived', 'discharged', 'rail_departed', 'rail_arrived'].includes(
    meaning.code,
  );
  const isTaken = draft.add({
    code: isEmpty ? (meaning.empty ?? meaning.code) : meaning.code,
    classifier: meaning.classifier ?? 'actual',
    ...time,
    place: location === null ? null : placeOfLoc(location),
    targets,
    container,
    mode: onVehicle ? mode : null,
    vehicle: onVehicle && stretch !== null ? vehicleOfTdt(stretch) : null,
    ...(meaning.holds === undefined ? {} : { holds: meaning.holds }),
    ...detailsOf(meaning),
    statusCode: code,
    unlisted,
    words: wordsOf(group, meaning),
    from: status,
    to: group.last,
  });
  if (!isTaken) return false;
  for (const each of group.stretches)
    for (const { location, dates } of each.places)
      for (const date of dates) readExpected(draft, { location, date, container, targets, stretch: each });
  return true;
}

type Expected = {
  location: Segment;
  date: Segment;
  container: string | null;
  targets: readonly EventTarget[];
  stretch: StatusGroup['stretches'][number];
};

/** When the vessel is expected to leave its port of loading and to reach that of discharge. */
function readExpected(draft: MessageDraft, { location, date, container, targets, stretch }: Expected): boolean {
  const [where, when] = [part(location, 1), part(date, 1, 1)];
  const mode = modeOfTdt(stretch) ?? (part(stretch.transport, 1) === '20' ? 'ocean' : null);
  const code =
    mode !== 'ocean'
      ? null
      : where === '9' && when === '133'
        ? 'departed'
        : where === '11' && when === '132'
          ? 'arrived'
          : null;
  if (code === null) return false;
  const time = readDtm(date);
  if ('reason' in time) return draft.fault(date, time.reason, 'segment_left_out');
  return draft.add({
    code,
    classifier: 'estimated',
    ...time,
    place: placeOfLoc(location),
    targets,
    container,
    mode,
    vehicle: vehicleOfTdt(stretch),
    statusCode: `LOC+${where}/${when}`,
    words: code === 'arrived' ? 'Estimated arrival of the vessel' : 'Estimated departure of the vessel',
    from: date,
    to: date,
  });
}

function wordsOf(group: StatusGroup, meaning: StatusMeaning): string {
  const stated = part(group.status, 2, 4) ?? meaning.words;
  const reason = part(group.status, 3, 4);
  const texts = group.texts.map(textOf).filter((each) => each !== '');
  return [stated, ...(reason === null ? [] : [reason]), ...texts].join(': ');
}

/** The text of an FTX segment (C108): up to five components. */
export function textOf(segment: Segment): string {
  return (segment.elements[3] ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .join(' ');
}

function unitOfGroup({ units, references }: StatusGroup): Unit | null {
  const stated = units.find((each) => part(each, 1) === 'CN') ?? units[0];
  const number = stated === undefined ? null : part(stated, 2, 1);
  const referred = references.find((each) => part(each, 1, 1) === 'EQ');
  return unitOfNumber(number ?? (referred === undefined ? null : part(referred, 1, 2)));
}

/** The numbers of the status, then those of its consignment and of the message. */
function targetsOfGroup(group: StatusGroup, unit: Unit | null, { consignment, header }: Within): EventTarget[] {
  const own = numbersOfRff(group.references);
  const number = consignment.header === null ? null : part(consignment.header, 2, 1);
  const consigned: Reference[] =
    number === null
      ? []
      : (['mbl', 'tracking_number', 'waybill', 'pro'] as const).map((key) => ({ key, value: number }));
  const equipment: Reference[] = unit === null ? [] : [{ key: unit.kind, value: unit.number }];
  const given = ownNumbersOf([...group.references, ...header]);
  return targetsOf([...own, ...consigned, ...numbersOfRff(header), ...equipment], given);
}

/** The place of the status, otherwise that of its consignment. */
function locationOf(group: StatusGroup, { places }: Consignment): Segment | null {
  const all = [...group.places, ...places];
  return (
    statusPlaces.flatMap((code) => all.filter((each) => part(each, 1) === code))[0] ??
    group.places.find((each) => part(each, 1) !== constructionCountry) ??
    null
  );
}
