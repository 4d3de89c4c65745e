import { fsuStatusDetail } from '#shared/domain/carriers/fsu-codes.ts';
import type { EventDetails } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';
import { type Measured, notStated } from '../reading/measured.ts';
import { pieceNumber, readCount, valuesOf } from '../reading/stated-facts.ts';
import { readWeightKg } from '../reading/weight-kg.ts';
import { identifier, lastPart } from './plain-json.ts';

/**
 * Reads the details of an event beside its code, time and place: the pieces and the weight of a StatusUpdateEvent
 * (ontology 3.3), and the piece or unit load device that it is about, where the event contains it.
 */
export function eventDetails(
  fields: LenientObject,
  carrierCode: string,
): { details: EventDetails | null; unreadable: UnreadableEvent[] } {
  const { values, unreadable } = valuesOf({
    piecesCount: readCount(fields.get('recordedpiececount'), 'recordedPieceCount'),
    weightKg: readValueKg(fields, 'recordedWeight'),
  });
  const about = child(fields, 'eventFor') ?? child(fields, 'linkedObject');
  const piece = pieceNumber(text(about, 'upid'));
  const uld = uldOf(about);
  const statusDetail = fsuStatusDetail(carrierCode);
  const details: EventDetails = {
    ...(piece === null ? {} : { piece }),
    ...(statusDetail === null ? {} : { statusDetail }),
    ...(values.piecesCount === null ? {} : { piecesCount: values.piecesCount }),
    ...(values.weightKg === null ? {} : { weightKg: values.weightKg }),
    ...(uld === null ? {} : { uld }),
  };
  return { details: Object.keys(details).length === 0 ? null : details, unreadable };
}

/** A weight as a Value of the ontology. Its unit is a code of UN/ECE Recommendation 20, or an IRI that ends with one. */
export function readValueKg(object: LenientObject | null, name: string): Measured<number> {
  const own = object?.get(name.toLowerCase());
  if (own === undefined) return notStated();
  const value = child(object, name);
  return readWeightKg(value === null ? own : numberOf(value), unitOf(value));
}

/** The number of a Value, which the ontology before 3.0 calls `value`. */
export function numberOf(value: LenientObject): unknown {
  return value.get('numericalvalue') ?? value.get('value');
}

export function unitOf(value: LenientObject | null): string | null {
  const unit = identifier(value, 'unit');
  return unit === null ? null : lastPart(unit).replace(/^MeasurementUnitCode_/i, '');
}

/** `AKE12345LH`: type, serial number and owner. */
function uldOf(about: LenientObject | null): string | null {
  const serial = text(about, 'uldSerialNumber');
  if (serial === null) return null;
  const [type, owner] = [identifier(about, 'uldTypeCode'), identifier(about, 'ownerCode')].map((code) =>
    code === null ? '' : lastPart(code),
  );
  return `${type}${serial}${owner}`.replace(/\s/g, '').toUpperCase();
}
