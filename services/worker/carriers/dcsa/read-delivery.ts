import type {
  DeliveryReader,
  NamedNumbers,
  PushedItem,
  ReadOutcome,
} from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { sourceOf } from '../call-carrier.ts';
import { children, readObject, text } from '../lenient-object.ts';
import { readJsonOrNull } from '../read-json.ts';
import type { DcsaDialect } from './dialect.ts';
import { sourceName } from './dialect.ts';
import { mapDcsaEvent } from './map-dcsa-event.ts';
import { type MappedEvent, settleMoves } from './settle-moves.ts';
import { toStandardEvent } from './standard-event.ts';

/** Parses the deliveries of a line's subscription with the engine that parses its responses. */
export function createDeliveryReader(dialect: DcsaDialect, simulated: boolean): DeliveryReader {
  return {
    source: sourceOf({ settings: { simulated } }, sourceName(dialect)),
    readBody: (body) => readBody(body, dialect),
    readEvents: (raws) => readEvents(raws, dialect),
  };
}

/**
 * The standard specifies an array of events (DCSA Track & Trace 2.2, subscriptions). A wrapper around the array and a
 * single event are accepted too.
 */
function readBody(body: string, dialect: DcsaDialect): PushedItem[] | null {
  const parsed = readJsonOrNull(body);
  const list = listOf(parsed, dialect);
  return list === null ? null : list.map((raw) => ({ raw, named: namedNumbers(raw, dialect) }));
}

function listOf(parsed: unknown, dialect: DcsaDialect): unknown[] | null {
  if (Array.isArray(parsed)) return parsed;
  const object = readObject(parsed, dialect.keyAliases);
  for (const key of dialect.listKeys) {
    const list = object?.get(key.toLowerCase());
    if (Array.isArray(list)) return list;
  }
  return text(readObject(toStandardEvent(parsed)), 'eventType') === null ? null : [parsed];
}

/** An event that can't be mapped may still name its shipment. It is then recorded as unreadable with that shipment. */
function namedNumbers(raw: unknown, dialect: DcsaDialect): NamedNumbers {
  const fields = readObject(toStandardEvent(raw), dialect.keyAliases);
  const named: NamedNumbers = { bookings: [], bills: [], containers: [] };
  const document = (type: string | null, number: string | null): void => {
    if (number === null) return;
    if (type?.toUpperCase() === 'BKG') named.bookings.push(number);
    if (type?.toUpperCase() === 'TRD') named.bills.push(number);
  };
  for (const reference of children(fields, 'documentReferences')) {
    document(text(reference, 'documentReferenceType'), text(reference, 'documentReferenceValue'));
  }
  document(text(fields, 'documentTypeCode'), text(fields, 'documentID'));
  const container = text(fields, 'equipmentReference');
  if (container !== null) named.containers.push(container);
  for (const reference of children(fields, 'references')) {
    const number = text(reference, 'referenceValue');
    if (text(reference, 'referenceType')?.toUpperCase() === 'EQ' && number !== null) named.containers.push(number);
  }
  return named;
}

function readEvents(raws: readonly unknown[], dialect: DcsaDialect): ReadOutcome[] {
  const outcomes = raws.map((raw) => mapDcsaEvent(raw, dialect));
  const settled = settleMoves(outcomes.filter((outcome): outcome is MappedEvent => !('reason' in outcome))).values();
  return outcomes.map((outcome) =>
    'reason' in outcome ? { reason: outcome.reason } : (settled.next().value ?? outcome.event),
  );
}
