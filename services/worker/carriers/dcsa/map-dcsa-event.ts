import { cutText } from '#shared/domain/cut-text.ts';
import type { CarrierTime, Classifier, LegRole, Place, ReadEvent, Vehicle } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { child, children, type LenientObject, plainText, readObject, text } from '../lenient-object.ts';
import { codeOfEquipment, codeOfShipment, codeOfTransport, isEquipmentCode, lineHoldOf } from './dcsa-codes.ts';
import { dcsaPlace, facilityTypeOf } from './dcsa-place.ts';
import type { DcsaDialect } from './dialect.ts';
import type { MappedEvent } from './settle-moves.ts';
import { toStandardEvent } from './standard-event.ts';

const classifiers: Readonly<Record<string, Classifier>> = {
  PLN: 'planned',
  EST: 'estimated',
  ACT: 'actual',
  PLANNED: 'planned',
  ESTIMATED: 'estimated',
  ACTUAL: 'actual',
};

const modes: Readonly<Record<string, TransportMode>> = { VESSEL: 'ocean', BARGE: 'ocean', RAIL: 'rail', TRUCK: 'road' };

/**
 * Maps one event of a DCSA response, of any version of the standard. An event that can't be mapped is rejected
 * individually, with the reason. One of an unknown type is kept as `other`.
 */
export function mapDcsaEvent(raw: unknown, dialect: DcsaDialect): MappedEvent | UnreadableEvent {
  const fields = readObject(toStandardEvent(raw), dialect.keyAliases);
  if (!fields) return { raw, reason: 'the event is not an object' };
  // A Track & Trace 3.0 field.
  if (fields.get('isretracted') === true) return { raw, reason: 'the carrier retracted this event', retracted: true };
  const type = codeIn(dialect, text(fields, 'eventType'));
  if (type === 'TRANSPORT') return mapTransport(raw, fields, dialect);
  if (type === 'EQUIPMENT') return mapEquipment(raw, fields, dialect);
  if (type === 'SHIPMENT') return mapShipment(raw, fields, dialect);
  // MSC has sent the code as the type.
  if (type !== null && isEquipmentCode(type)) return mapEquipment(raw, fields, dialect, type);
  if (fields.has('equipmenteventtypecode')) return mapEquipment(raw, fields, dialect);
  if (fields.has('transporteventtypecode')) return mapTransport(raw, fields, dialect);
  if (fields.has('shipmenteventtypecode')) return mapShipment(raw, fields, dialect);
  return type === null ? { raw, reason: 'eventType is missing' } : mapUnknown(raw, fields, { dialect, type });
}

function mapUnknown(
  raw: unknown,
  fields: LenientObject,
  { dialect, type }: { dialect: DcsaDialect; type: string },
): MappedEvent | UnreadableEvent {
  const base = readCommon(raw, fields, { dialect, call: callOf(fields, dialect) });
  if ('reason' in base) return base;
  const subtype = text(fields, 'otherEventTypeCode');
  const carrierCode = cutText(subtype === null ? type : `${type}/${subtype}`, 80);
  return { event: { ...base, carrierCode }, move: null };
}

const callFields = [
  'vessel',
  'vesselname',
  'vesselimonumber',
  'modeoftransport',
  'exportvoyagenumber',
  'importvoyagenumber',
  'carriervoyagenumber',
  'unlocationcode',
  'facilitycode',
];

/** Some servers put the fields of the transport call beside the event's own. */
function callOf(fields: LenientObject, dialect: DcsaDialect): LenientObject | null {
  const call = child(fields, 'transportCall', dialect.keyAliases);
  return call ?? (callFields.some((name) => fields.has(name)) ? fields : null);
}

function mapTransport(raw: unknown, fields: LenientObject, dialect: DcsaDialect): MappedEvent | UnreadableEvent {
  const carrierCode = codeIn(dialect, text(fields, 'transportEventTypeCode'));
  if (carrierCode === null) return { raw, reason: 'transportEventTypeCode is missing' };
  const call = callOf(fields, dialect);
  const mode = modeOf(call, dialect) ?? 'ocean';
  const base = readCommon(raw, fields, { dialect, call });
  if ('reason' in base) return base;
  const vehicle = vehicleOf(call, carrierCode === 'DEPA' || carrierCode === 'DEPARTED' ? 'export' : 'import');
  // Some lines omit the transport call. A vessel arrival without a place must not count as arrival at the destination.
  const code = base.location === null ? 'other' : codeOfTransport(carrierCode, mode);
  return { event: { ...base, code, carrierCode, mode, vehicle }, move: null };
}

function mapEquipment(
  raw: unknown,
  fields: LenientObject,
  dialect: DcsaDialect,
  code = codeIn(dialect, text(fields, 'equipmentEventTypeCode')),
): MappedEvent | UnreadableEvent {
  const carrierCode = code;
  if (carrierCode === null) return { raw, reason: 'equipmentEventTypeCode is missing' };
  const call = callOf(fields, dialect);
  const mode = modeOf(call, dialect);
  const base = readCommon(raw, fields, { dialect, call });
  if ('reason' in base) return base;
  const indicator = codeIn(dialect, text(fields, 'emptyIndicatorCode', 'emptyIndicator'));
  const empty = indicator === 'EMPTY' ? true : indicator === 'LADEN' ? false : null;
  const { code: meaning, move } = codeOfEquipment(carrierCode, {
    empty,
    mode,
    facilityType: facilityTypeOf(fields, call),
  });
  const isInbound = move === 'discharge' || meaning === 'rail_unloaded' || meaning === 'gate_out_full';
  const vehicle = vehicleOf(call, isInbound ? 'import' : 'export');
  return {
    event: { ...base, code: meaning, carrierCode, mode, vehicle, empty },
    move: move === null ? null : { kind: move, facilityType: facilityTypeOf(fields, call) },
  };
}

function mapShipment(raw: unknown, fields: LenientObject, dialect: DcsaDialect): MappedEvent | UnreadableEvent {
  const type = codeIn(dialect, text(fields, 'shipmentEventTypeCode'));
  if (type === null) return { raw, reason: 'shipmentEventTypeCode is missing' };
  const documentType = codeIn(dialect, text(fields, 'documentTypeCode'));
  const base = readCommon(raw, fields, { dialect, call: null });
  if ('reason' in base) return base;
  const carrierCode = documentType === null ? type : `${type}/${documentType}`;
  const hold = lineHoldOf(type, documentType);
  return {
    event: {
      ...base,
      code: codeOfShipment(type, documentType),
      carrierCode,
      document: text(fields, 'documentID'),
      ...(hold === null ? {} : { details: { holds: [hold] } }),
    },
    move: null,
  };
}

/** The fields that the three event types share. The caller sets the code. */
function readCommon(
  raw: unknown,
  fields: LenientObject,
  context: { dialect: DcsaDialect; call: LenientObject | null },
): ReadEvent | UnreadableEvent {
  const { dialect, call } = context;
  const isShipment = codeIn(dialect, text(fields, 'eventType')) === 'SHIPMENT';
  const classifierCode = codeIn(dialect, text(fields, 'eventClassifierCode', 'eventClassifier'));
  const isPast = isShipment || isReportedAsDone(fields);
  const classifier = classifierCode === null && isPast ? 'actual' : classifiers[classifierCode ?? ''];
  // The classifier is never guessed: a planned event mistaken for an actual one would advance the status.
  if (!classifier)
    return {
      raw,
      reason:
        classifierCode === null
          ? 'eventClassifierCode is missing'
          : `eventClassifierCode ${cutText(classifierCode, 40)} is unknown`,
    };
  const location = dcsaPlace(fields, call, dialect);
  const time = timeOf(fields, isShipment ? ['eventDateTime', 'eventCreatedDateTime'] : ['eventDateTime'], {
    dialect,
    place: location,
  });
  const created = timeOf(fields, ['eventCreatedDateTime', 'eventUpdatedDateTime'], { dialect, place: null });
  if (!time)
    return { raw, reason: fields.has('eventdatetime') ? 'eventDateTime is not a time' : 'eventDateTime is missing' };
  return {
    code: 'other',
    classifier,
    legRole: statedLegRole(fields),
    time,
    location,
    container:
      text(fields, 'equipmentReference')
        ?.replace(/[\s-]+/g, '')
        .toUpperCase() ?? null,
    isoType: text(fields, 'ISOEquipmentCode')?.replace(/\s+/g, '').toUpperCase() ?? null,
    mode: null,
    vehicle: null,
    empty: null,
    seals: sealsOf(fields),
    delayReason: text(fields, 'delayReasonCode'),
    document: null,
    description: text(fields, 'description'),
    carrierCode: null,
    carrierDescription: text(fields, 'changeRemark', 'reason', 'description'),
    sourceEventId: text(fields, 'eventID'),
    sourceCreatedAt: created?.at ?? null,
    source: 'carrier',
    raw,
  };
}

const doneWords = /\b(discharged|loaded|received|returned|stripped|stuffed|delivered|picked up|gated? (in|out))\b/i;
const expectedWords = /\b(estimated|planned|expected|scheduled|to be)\b/i;

/** True when an event without a classifier has happened: its carrier describes completed actions. */
function isReportedAsDone(fields: LenientObject): boolean {
  const words = text(fields, 'description') ?? '';
  return doneWords.test(words) && !expectedWords.test(words);
}

function timeOf(
  fields: LenientObject,
  names: string[],
  context: { dialect: DcsaDialect; place: Place | null },
): CarrierTime | null {
  const written = text(fields, ...names);
  return written === null ? null : carrierTime(written, { policy: context.dialect.timePolicy, place: context.place });
}

function sealsOf(fields: LenientObject): string[] {
  const written = fields.get('seals');
  const plain = Array.isArray(written) ? written.filter((seal) => typeof seal === 'string').map(plainText) : [];
  const numbers = children(fields, 'seals').map((seal) => text(seal, 'sealNumber'));
  return [...plain, ...numbers.filter((number) => number !== null)].filter((number) => number !== '');
}

function vehicleOf(call: LenientObject | null, direction: 'export' | 'import'): Vehicle | null {
  const vessel = child(call, 'vessel');
  const voyages = ['exportVoyageNumber', 'importVoyageNumber'];
  const voyage =
    text(call, ...(direction === 'export' ? voyages : voyages.toReversed()), 'carrierVoyageNumber')?.replace(
      /\s+/g,
      ' ',
    ) ?? null;
  const name = text(vessel, 'vesselName') ?? text(call, 'vesselName');
  const imo = (text(vessel, 'vesselIMONumber') ?? text(call, 'vesselIMONumber'))?.replace(/^IMO\s*/i, '') ?? null;
  if (voyage === null && name === null && imo === null) return null;
  return { name, imo: imo !== null && /^\d{7}$/.test(imo) ? imo : null, voyage, flight: null };
}

function modeOf(call: LenientObject | null, dialect: DcsaDialect): TransportMode | null {
  return modes[codeIn(dialect, text(call, 'modeOfTransport')) ?? ''] ?? null;
}

function codeIn(dialect: DcsaDialect, written: string | null): string | null {
  const code = written?.toUpperCase() ?? null;
  return code === null ? null : (dialect.codeAliases[code] ?? code);
}

/** DCSA shipment location types, and CMA CGM's `PTS`, a port of transshipment. */
const roles: Readonly<Record<string, LegRole>> = {
  PRE: 'origin',
  OIR: 'origin',
  ORI: 'origin',
  POL: 'pol',
  PTS: 'transshipment',
  POD: 'pod',
  PDE: 'destination',
  FCD: 'destination',
};

/**
 * The leg role that the line states: CMA CGM's `shipmentLocationType`, or else the transport phase of CMA CGM or Track
 * & Trace 3.0. Only the phase "transshipment" identifies a place; "export" and "import" cover every place before and
 * after the sea leg.
 */
function statedLegRole(fields: LenientObject): LegRole {
  const own = child(fields, 'carrierSpecificData');
  const location = (text(own, 'shipmentLocationType') ?? text(fields, 'shipmentLocationType'))?.toUpperCase() ?? '';
  const phase = (text(own, 'transportationPhase') ?? text(fields, 'transportPhase'))?.toUpperCase();
  return roles[location] ?? (phase === 'TRANSSHIPMENT' ? 'transshipment' : 'unknown');
}
