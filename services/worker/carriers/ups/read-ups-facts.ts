import {
  maxStatedPieces,
  type PickupPoint,
  type ReadEvent,
  type StatedFacts,
  type StatedPiece,
  type StatedProof,
} from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, type LenientObject, readObject, text } from '../lenient-object.ts';
import { readDimensionsCm } from '../reading/dimensions-cm.ts';
import { type ReadFacts, readCount, statedFacts, statedPiece, valuesOf } from '../reading/stated-facts.ts';
import { readWeightKg } from '../reading/weight-kg.ts';
import { upsTime } from './ups-times.ts';

/** One package of a shipment with what was read of its activities. */
export type UpsPackage = { number: string; parcel: LenientObject; events: readonly ReadEvent[] };

/**
 * Reads UPS's facts on the shipment: on its packages together if UPS lists them all. The first package is the requested
 * one.
 */
export function readUpsFacts(packages: readonly UpsPackage[]): {
  facts: StatedFacts | undefined;
  unreadable: UnreadableEvent[];
} {
  const [own] = packages;
  if (own === undefined) return { facts: undefined, unreadable: [] };
  const measured = packages.map((each) => measuredPackage(each));
  const count = readCount(own.parcel.get('packagecount'), 'packageCount');
  const total = count.value ?? packages.length;
  const weights = measured.map(({ piece }) => piece.weightKg);
  const isWhole = total === packages.length && weights.every((weight) => weight !== null);
  // A single package without dimensions is the shipment itself.
  const pieces = measured
    .map(({ piece }) => piece)
    .filter((piece) => total > 1 || packages.length > 1 || piece.dimensionsCm !== null);
  const read: ReadFacts = {
    service: {
      code: text(child(own.parcel, 'service'), 'code'),
      name: text(child(own.parcel, 'service'), 'description'),
    },
    weightKg: isWhole
      ? Math.round(weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0) * 1000) / 1000
      : null,
    piecesCount: count.value === null && packages.length > 1 ? packages.length : count.value,
    pieces,
    pickupPoint: firstOf(packages, pickupPointOf),
    receivedBy: firstOf(packages, ({ parcel }) => text(child(parcel, 'deliveryInformation'), 'receivedBy')),
    leftAt: firstOf(packages, ({ parcel }) => text(child(parcel, 'deliveryInformation'), 'location')),
    proof: packages
      .slice(0, maxStatedPieces)
      .flatMap((each) => proofOf(each, packages.length > 1 ? each.number : null)),
  };
  return {
    facts: statedFacts(read),
    unreadable: [...count.unreadable, ...measured.flatMap(({ unreadable }) => unreadable)],
  };
}

function firstOf<Value>(packages: readonly UpsPackage[], read: (one: UpsPackage) => Value | null): Value | null {
  for (const each of packages) {
    const value = read(each);
    if (value !== null) return value;
  }
  return null;
}

function measuredPackage({ number, parcel }: UpsPackage): { piece: StatedPiece; unreadable: UnreadableEvent[] } {
  const weight = child(parcel, 'weight');
  const dimension = child(parcel, 'dimension');
  const { values, unreadable } = valuesOf({
    weightKg: readWeightKg(weight?.get('weight'), text(weight, 'unitOfMeasurement')),
    dimensionsCm: readDimensionsCm(
      { length: dimension?.get('length'), width: dimension?.get('width'), height: dimension?.get('height') },
      text(dimension, 'unitOfDimension'),
    ),
  });
  return { piece: statedPiece(number, values), unreadable };
}

/** The access point, with the address of the activity that took the package there. */
function pickupPointOf({ parcel, events }: UpsPackage): PickupPoint | null {
  const point = child(parcel, 'accessPointInformation');
  const written = text(point, 'pickupByDate');
  const waiting = events.find((event) => event.code === 'available_for_pickup');
  const place = waiting?.location ?? null;
  const keptUntil = written === null ? null : upsTime(written, null, { offset: null, place });
  if (keptUntil === null && (point === null || waiting === undefined)) return null;
  return {
    kind: waiting?.details?.statusDetail === 'awaiting_collection_at_locker' ? 'locker' : 'other',
    id: null,
    name: null,
    address: waiting === undefined ? null : streetOf(waiting),
    place,
    hours: null,
    keptUntil,
  };
}

function streetOf(waiting: ReadEvent): string | null {
  const address = child(child(readObject(waiting.raw), 'location'), 'address');
  const lines = ['addressLine1', 'addressLine2', 'addressLine3'].map((name) => text(address, name));
  return lines.filter((line) => line !== null).join(', ') || null;
}

/**
 * UPS sends its proofs with the package itself when it is asked for them (`returnSignature`, `returnPOD`), so that they
 * need no handle: the tracking number of the package is enough. A photo counts if UPS says that it can be viewed.
 */
function proofOf({ parcel, events }: UpsPackage, piece: string | null): StatedProof[] {
  const delivery = child(parcel, 'deliveryInformation');
  if (delivery === null || !events.some((event) => event.code === 'delivered' && event.classifier === 'actual'))
    return [];
  const photo = child(delivery, 'deliveryPhoto');
  const services = parcel.get('additionalservices');
  const isSigned =
    child(delivery, 'signature') !== null ||
    (Array.isArray(services) &&
      services.some((service) => typeof service === 'string' && service.endsWith('SIGNATURE_REQUIRED')));
  const hasPhoto =
    text(photo, 'photoCaptureInd')?.toUpperCase() === 'Y' && text(photo, 'photoDispositionCode')?.toUpperCase() === 'V';
  return [
    ...(isSigned ? [{ kind: 'signature', handle: null, piece } as const] : []),
    ...(hasPhoto ? [{ kind: 'photo', handle: null, piece } as const] : []),
    { kind: 'document', handle: null, piece },
  ];
}
