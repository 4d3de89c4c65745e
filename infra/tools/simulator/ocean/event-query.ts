import type { DcsaEvent } from '../voyages/event.ts';
import { plainReference, splitBl } from '../voyages/identifiers.ts';
import type { RequestedNumber } from './known-voyages.ts';

/** Query parameters with one value each. */
export type QueryTexts = Record<string, string>;

/** A parsed query for events. */
export type EventQuery = {
  asked: RequestedNumber[];
  matches: (event: DcsaEvent) => boolean;
  compare: ((one: DcsaEvent, other: DcsaEvent) => number) | null;
  limit: number;
  offset: number;
  /** When the first page was created (epoch ms). Later pages use the same moment. */
  atMs: number | null;
  /** The parameters as given, without the cursor. */
  texts: QueryTexts;
};

/** Differences of a carrier's parameters from the standard's. */
export type QueryStyle = {
  operatorIn: 'name' | 'value' | 'nowhere';
  cursor: 'opaque' | 'page' | 'none';
  defaultLimit: number;
  sortFields: readonly string[];
  /** Converts the carrier's `sort` to the standard's spelling. */
  standardSort?: (sort: string) => string;
  /** The only supported parameters. Default: all. */
  accepted?: readonly string[];
  /** The value that stands for every container. */
  everyContainer?: string;
};

const listParameters: Record<string, readonly string[]> = {
  eventType: ['SHIPMENT', 'TRANSPORT', 'EQUIPMENT'],
  shipmentEventTypeCode: 'RECE DRFT PENA PENU REJE APPR ISSU SURR SUBM VOID CONF REQS CMPL HOLD RELS'.split(' '),
  documentTypeCode: 'CBR BKG SHI SRM TRD ARN VGM CAS CUS DGD OOG'.split(' '),
  transportEventTypeCode: ['ARRI', 'DEPA'],
  equipmentEventTypeCode: 'LOAD DISC GTIN GTOT STUF STRP PICK DROP INSP RSEA RMVD'.split(' '),
};

const textParameters: Record<string, number> = {
  carrierBookingReference: 35,
  transportDocumentReference: 20,
  equipmentReference: 15,
  transportCallID: 100,
  vesselIMONumber: 7,
  exportVoyageNumber: 50,
  carrierServiceCode: 5,
  UNLocationCode: 5,
};

const readers: Record<string, (event: DcsaEvent) => (string | undefined)[]> = {
  eventID: (event) => [event.eventID],
  eventType: (event) => [event.eventType],
  eventCreatedDateTime: (event) => [event.eventCreatedDateTime],
  eventClassifierCode: (event) => [event.eventClassifierCode],
  eventDateTime: (event) => [event.eventDateTime],
  shipmentEventTypeCode: (event) => [event.shipmentEventTypeCode],
  documentTypeCode: (event) => [event.documentTypeCode],
  transportEventTypeCode: (event) => [event.transportEventTypeCode],
  equipmentEventTypeCode: (event) => [event.equipmentEventTypeCode],
  carrierBookingReference: (event) => documents(event, 'BKG').map(plainReference),
  transportDocumentReference: (event) => documents(event, 'TRD').map((reference) => splitBl(reference).bare),
  equipmentReference: (event) => [
    event.equipmentReference,
    ...event.references.filter((one) => one.referenceType === 'EQ').map((one) => one.referenceValue),
  ],
  transportCallID: (event) => [event.transportCall?.transportCallID],
  vesselIMONumber: (event) => [event.transportCall?.vessel?.vesselIMONumber],
  exportVoyageNumber: (event) => [event.transportCall?.exportVoyageNumber],
  carrierServiceCode: (event) => [event.transportCall?.carrierServiceCode],
  UNLocationCode: (event) => [event.transportCall?.UNLocationCode],
};

const wanted: Record<string, (text: string) => string> = {
  carrierBookingReference: plainReference,
  transportDocumentReference: (text) => splitBl(text).bare,
  equipmentReference: plainReference,
};

/** Every field that a response can be sorted by. */
export const sortableFields: readonly string[] = Object.keys(readers);

const operators: Record<string, (created: number, limit: number) => boolean> = {
  gte: (created, limit) => created >= limit,
  gt: (created, limit) => created > limit,
  lte: (created, limit) => created <= limit,
  lt: (created, limit) => created < limit,
  eq: (created, limit) => created === limit,
};

/**
 * Parses a query and lists its mistakes. Different filters are combined with AND, the values of one list with OR.
 * Unknown parameters are ignored.
 */
export function readEventQuery(all: QueryTexts, style: QueryStyle): { query: EventQuery; mistakes: string[] } {
  const mistakes: string[] = [];
  const given = Object.fromEntries(Object.entries(all).filter(([name]) => style.accepted?.includes(name) ?? true));
  const page = readCursor(given.cursor, style, mistakes);
  const texts = page.texts ?? Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'cursor'));
  const tests: ((event: DcsaEvent) => boolean)[] = [];

  const isEveryContainer = style.everyContainer !== undefined && texts.equipmentReference === style.everyContainer;
  for (const [name, text] of Object.entries(texts)) {
    if (isEveryContainer && name === 'equipmentReference') continue;
    const choices = listParameters[name];
    const maxLength = textParameters[name];
    const values = choices ? text.split(',') : [wanted[name]?.(text) ?? text];
    const unknown = choices ? values.filter((value) => !choices.includes(value)) : [];
    if (unknown.length > 0) mistakes.push(`${name} has no value ${unknown.join(', ')}`);
    if (maxLength && (text.length > maxLength || text === ''))
      mistakes.push(`${name} must have 1 to ${maxLength} characters`);
    if (choices || maxLength)
      tests.push(
        (event) => readers[name]?.(event).some((value) => value !== undefined && values.includes(value)) ?? false,
      );
    if (name.startsWith('eventCreatedDateTime')) {
      const test = readCreated(name, text, style);
      if (test) tests.push(test);
      else
        mistakes.push(`${name}=${text} is not a time with one of the operators ${Object.keys(operators).join(', ')}`);
    }
  }

  const limit = texts.limit === undefined ? style.defaultLimit : Number(texts.limit);
  if (!Number.isInteger(limit) || limit < 1) mistakes.push('limit must be a whole number from 1');
  const compare = texts.sort ? readSort(style.standardSort?.(texts.sort) ?? texts.sort, style, mistakes) : null;
  const asked: RequestedNumber[] = [];
  if (texts.transportDocumentReference) asked.push({ kind: 'bl', reference: texts.transportDocumentReference });
  if (texts.carrierBookingReference) asked.push({ kind: 'booking', reference: texts.carrierBookingReference });
  if (texts.equipmentReference && !isEveryContainer)
    asked.push({ kind: 'container', reference: texts.equipmentReference });
  const offset = page.number !== null ? page.number * limit : page.offset;
  return {
    query: {
      asked,
      matches: (event) => tests.every((test) => test(event)),
      compare,
      limit,
      offset,
      atMs: page.atMs,
      texts,
    },
    mistakes,
  };
}

/** The cursor of the page at this offset of the response created at `atMs`. */
export function pageCursor(query: EventQuery, style: QueryStyle, offset: number, atMs: number): string {
  if (style.cursor === 'page') return String(offset / query.limit);
  const inner = Buffer.from(JSON.stringify(query.texts)).toString('base64url');
  return Buffer.from(`|Offset|=${offset}&limit=${query.limit}&at=${atMs}&query=${inner}`).toString('base64');
}

type Page = { offset: number; number: number | null; atMs: number | null; texts: QueryTexts | null };

function readCursor(cursor: string | undefined, style: QueryStyle, mistakes: string[]): Page {
  const first: Page = { offset: 0, number: null, atMs: null, texts: null };
  if (cursor === undefined || style.cursor === 'none') return first;
  if (style.cursor === 'page' && /^\d{1,6}$/.test(cursor)) return { ...first, number: Number(cursor) };
  const parts = /^\|Offset\|=(\d{1,9})&limit=\d{1,9}&at=(\d{1,15})&query=([\w-]+)$/.exec(
    Buffer.from(cursor, 'base64').toString(),
  );
  try {
    if (style.cursor === 'opaque' && parts?.[3]) {
      const texts: QueryTexts = JSON.parse(Buffer.from(parts[3], 'base64url').toString());
      return { offset: Number(parts[1]), number: null, atMs: Number(parts[2]), texts };
    }
  } catch {
    // Falls through: a modified cursor is treated as unknown.
  }
  mistakes.push('cursor is unknown');
  return first;
}

function readCreated(name: string, text: string, style: QueryStyle): ((event: DcsaEvent) => boolean) | null {
  const inName = name.slice('eventCreatedDateTime'.length);
  const inValue = style.operatorIn === 'value' ? /^(gte|gt|lte|lt|eq):(.+)$/.exec(text) : null;
  const word =
    inName.startsWith(':') && style.operatorIn === 'name'
      ? inName.slice(1)
      : inName === ''
        ? (inValue?.[1] ?? 'eq')
        : '';
  const operator = operators[word];
  // A plus sign that wasn't percent-encoded arrives as a space.
  const limit = Date.parse((inValue?.[2] ?? text).replace(' ', '+'));
  if (style.operatorIn === 'nowhere') return () => true;
  if (!operator || Number.isNaN(limit)) return null;
  return (event) => operator(Date.parse(event.eventCreatedDateTime), limit);
}

function readSort(text: string, style: QueryStyle, mistakes: string[]): EventQuery['compare'] {
  const keys = text.split(',').map((key) => /^(\w+)(?::(ASC|DESC))?$/.exec(key.trim()));
  if (keys.some((key) => !key?.[1] || !style.sortFields.includes(key[1]))) {
    mistakes.push(`sort must list fields among ${style.sortFields.join(', ')}, each with :ASC or :DESC`);
    return null;
  }
  return (one, other) => {
    for (const key of keys) {
      const field = key?.[1] ?? '';
      const order = compareTexts(sortText(one, field), sortText(other, field));
      if (order !== 0) return key?.[2] === 'DESC' ? -order : order;
    }
    return 0;
  };
}

function sortText(event: DcsaEvent, field: string): string {
  const text = readers[field]?.(event)[0] ?? '';
  return field.endsWith('DateTime') ? new Date(text).toISOString() : text;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function documents(event: DcsaEvent, type: 'BKG' | 'TRD'): string[] {
  return event.documentReferences
    .filter((one) => one.documentReferenceType === type)
    .map((one) => one.documentReferenceValue);
}
