import type {
  Dimensions,
  PickupPoint,
  ReadEvent,
  StatedFacts,
  StatedProof,
  StatedReturn,
} from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, children, type LenientObject, plainText, text } from '../lenient-object.ts';
import { readDimensionsCm } from '../reading/dimensions-cm.ts';
import { type Measured, notStated } from '../reading/measured.ts';
import { pieceNumber, readCount, statedFacts, statedPiece, valuesOf } from '../reading/stated-facts.ts';
import { readWeightKg } from '../reading/weight-kg.ts';
import { addressOf, placeOf } from './fedex-address.ts';

/** Reads FedEx's facts on a shipment beyond its scans. A track result is about one package of the shipment. */
export function readFedexFacts(
  result: LenientObject,
  events: readonly ReadEvent[],
): { facts: StatedFacts | undefined; unreadable: UnreadableEvent[] } {
  const details = child(result, 'packageDetails');
  const measures = child(details, 'weightAndDimensions');
  const { values, unreadable } = valuesOf({
    count: readCount(details?.get('count'), 'packageDetails.count'),
    originCount: originCount(result),
    ofShipment: weightOf(child(result, 'shipmentDetails')),
    ofPackage: weightOf(measures),
    dimensionsCm: dimensionsOf(measures),
  });
  const count = values.count ?? values.originCount;
  const isOne = (count ?? 1) === 1;
  const number = pieceNumber(text(child(result, 'trackingNumberInfo'), 'trackingNumber'));
  const isPiece = number !== null && (!isOne || values.dimensionsCm !== null);
  const delivery = child(result, 'deliveryDetails');
  const service = child(result, 'serviceDetail');
  const facts = statedFacts({
    service: { code: text(service, 'type', 'shortDescription'), name: text(service, 'description') },
    weightKg: values.ofShipment ?? (isOne ? values.ofPackage : null),
    piecesCount: count,
    pieces: isPiece ? [statedPiece(number, { weightKg: values.ofPackage, dimensionsCm: values.dimensionsCm })] : [],
    pickupPoint: pickupPointOf(result, events),
    receivedBy: text(delivery, 'receivedByName', 'signedByName'),
    leftAt: text(delivery, 'locationDescription'),
    proof: proofOf(result),
    returned: returnOf(result),
  });
  return { facts, unreadable };
}

function originCount(result: LenientObject): Measured<number> {
  const counts = children(result, 'pieceCounts');
  const atOrigin = counts.find((each) => text(each, 'type')?.toUpperCase() === 'ORIGIN');
  return readCount(atOrigin?.get('count'), 'pieceCounts.count');
}

/** FedEx writes a weight in kilograms and in pounds, in any order. */
function weightOf(holder: LenientObject | null): Measured<number> {
  const weights = children(holder, 'weight');
  const metric = weights.find((each) => text(each, 'unit')?.toUpperCase() === 'KG');
  const written = metric ?? weights[0];
  return written === undefined ? notStated() : readWeightKg(written.get('value'), text(written, 'unit'));
}

/** The same for dimensions. By the specification, any unit but CM means inches. */
function dimensionsOf(holder: LenientObject | null): Measured<Dimensions> {
  const listed = children(holder, 'dimensions');
  const metric = listed.find((each) => text(each, 'units')?.toUpperCase() === 'CM');
  const written = metric ?? listed[0];
  if (written === undefined) return notStated();
  const sides = { length: written.get('length'), width: written.get('width'), height: written.get('height') };
  return readDimensionsCm(sides, metric === undefined ? 'IN' : 'CM');
}

const shops = ['FEDEX_OFFICE', 'FEDEX_ONSITE', 'FEDEX_SHIPSITE', 'FEDEX_AUTHORIZED_SHIP_CENTER'];
const depots = [
  'FEDEX_EXPRESS_STATION',
  'FEDEX_FACILITY',
  'FEDEX_FREIGHT_SERVICE_CENTER',
  'FEDEX_GROUND_TERMINAL',
  'FEDEX_HOME_DELIVERY_STATION',
];

/**
 * FedEx names a location also where the recipient could have the package held there. It counts once that was requested
 * or the package waits.
 */
function pickupPointOf(result: LenientObject, events: readonly ReadEvent[]): PickupPoint | null {
  const location = child(result, 'holdAtLocation');
  const isRequested = children(result, 'customDeliveryOptions').some(
    (option) =>
      text(option, 'type')?.toUpperCase() === 'REDIRECT_TO_HOLD_AT_LOCATION' && text(option, 'status') !== null,
  );
  const waits = events.some((event) => event.code === 'available_for_pickup');
  if (location === null || (!isRequested && !waits)) return null;
  const type = text(location, 'locationType')?.toUpperCase() ?? '';
  const address = addressOf(location);
  const place = placeOf(address);
  const id = text(location, 'locationId');
  if (id === null && place === null) return null;
  const kind = shops.includes(type) ? 'shop' : depots.includes(type) ? 'depot' : 'other';
  return { kind, id, name: null, address: linesOf(address), place, hours: null, keptUntil: null };
}

function linesOf(address: LenientObject | null): string | null {
  const lines = address?.get('streetlines');
  if (!Array.isArray(lines)) return null;
  const written = lines.slice(0, 5).map((line) => (typeof line === 'string' ? plainText(line) : ''));
  return plainText(written.filter((line) => line !== '').join(', ')) || null;
}

const signatureProof = 'SIGNATURE_PROOF_OF_DELIVERY';

/** The handle is the type of the document, as FedEx's tracking documents request takes it. */
function proofOf(result: LenientObject): StatedProof[] {
  const types = children(result, 'availableImages').map((image) => text(image, 'type')?.toUpperCase());
  return types.includes(signatureProof) ? [{ kind: 'signature', handle: signatureProof, piece: null }] : [];
}

function returnOf(result: LenientObject): StatedReturn | null {
  const reasons = [...children(child(result, 'returnDetail'), 'reasonDetail'), ...children(result, 'reasonDetail')];
  const reason = reasons.map((each) => text(each, 'description', 'type')).find((each) => each !== null) ?? null;
  const identifiers = children(child(result, 'additionalTrackingInfo'), 'packageIdentifiers');
  const back = identifiers.find((each) => text(each, 'type')?.toUpperCase() === 'RETURNED_TO_SHIPPER_TRACKING_NUMBER');
  const values = back?.get('values') ?? back?.get('value');
  const written: unknown = Array.isArray(values) ? values[0] : values;
  const trackingNumber = typeof written === 'string' ? pieceNumber(plainText(written)) : null;
  return reason === null && trackingNumber === null ? null : { reason, trackingNumber, to: null };
}
