import { localTime } from '../../voyages/local-time.ts';
import type { City } from '../cities.ts';
import type { Parcel } from '../parcel.ts';
import { hasQuirk, type ParcelView, type PublishedScan, pieceStatuses } from '../parcel-at.ts';
import { deliveryKinds, type ScanKind } from '../scans.ts';

/** Status and text of each kind of scan; `%` is the city. */
const words: Readonly<Record<ScanKind, [string, string]>> = {
  label: ['pre-transit', 'Shipment information received'],
  pickup: ['transit', 'Shipment picked up'],
  departed: ['transit', 'Departed Facility in %'],
  arrived: ['transit', 'Arrived at DHL Sort Facility %'],
  customs: ['transit', 'Customs clearance status updated'],
  customs_hold: ['failure', 'Shipment is on hold at customs: clearance documents are required'],
  customs_payment: ['failure', 'Shipment is on hold at customs: payment is due for duties and taxes'],
  customs_released: ['transit', 'Clearance processing complete at %'],
  delay: ['transit', 'Delay due to adverse weather conditions'],
  damage: ['failure', 'Shipment damaged'],
  address_problem: ['failure', 'Address information needed; contact DHL'],
  out_for_delivery: ['transit', 'Shipment is out with courier for delivery'],
  attempted: ['failure', 'Delivery attempted; recipient not home'],
  closed: ['failure', 'Delivery attempted; business closed'],
  refused: ['failure', 'Delivery attempted; recipient refused delivery'],
  ready: ['transit', 'Shipment is ready for collection at the locker'],
  collected: ['delivered', 'Delivered: collected by the recipient at the locker'],
  delivered: ['delivered', 'Delivered'],
  delivered_neighbour: ['delivered', 'Delivered to a neighbour'],
  left_at_door: ['delivered', 'Delivered: left at the front door'],
  return_started: ['failure', 'Shipment is being returned to shipper'],
  returned: ['delivered', 'Returned to shipper'],
};

/** DHL's instructions to the recipient. */
const nextSteps: { [kind in ScanKind]?: string } = {
  customs_hold: 'Customs needs documents about the shipment. Please contact DHL.',
  customs_payment: 'Please pay the duties and taxes so that customs can release the shipment.',
  attempted: 'Please schedule a new delivery.',
  ready: 'Please collect the shipment within seven days.',
};

/** A shipment as the Unified API returns it, newest event first. `proofUrl` is where its documents are. */
export function renderDhlShipment(
  view: ParcelView,
  { service, proofUrl }: { service: string; proofUrl: string },
): Record<string, unknown> {
  const { parcel, scans } = view;
  const events = scans.map((scan) => renderEvent(scan, parcel)).reverse();
  return {
    // A number with digits only becomes a JSON number and loses its leading zeros.
    id: /^\d{1,15}$/.test(parcel.number) ? Number(parcel.number) : parcel.number,
    service,
    origin: placeOf(parcel.origin),
    destination: destinationOf(view),
    status: events[0] ?? { statusCode: 'unknown', status: 'UNKNOWN' },
    ...expectedFields(view),
    returnFlag: pieceStatuses(view).every((status) => status === 'returned'),
    details: detailsOf(view, proofUrl),
    events,
  };
}

function expectedFields({ parcel, expectedMs, expectedFromMs }: ParcelView): Record<string, unknown> {
  if (expectedMs === null) return {};
  const { zone } = parcel.destination;
  const estimatedThrough = localTime(expectedMs, zone);
  return {
    estimatedTimeOfDelivery: estimatedThrough,
    estimatedDeliveryTimeFrame: { estimatedFrom: localTime(expectedFromMs ?? expectedMs, zone), estimatedThrough },
  };
}

function detailsOf({ parcel, scans }: ParcelView, proofUrl: string): Record<string, unknown> {
  const { pieces, recipient, neighbour } = parcel.goods;
  const kg = pieces.reduce((sum, { weightKg }) => sum + weightKg, 0);
  const cm = (value: number) => ({ value, unitText: 'cm' });
  const delivered = scans.findLast(({ kind }) => deliveryKinds.includes(kind));
  const [first] = pieces;
  const name = delivered?.kind === 'delivered_neighbour' ? neighbour : recipient;
  return {
    product: { productName: parcel.isImported ? 'EXPRESS WORLDWIDE' : 'EXPRESS DOMESTIC' },
    proofOfDeliverySignedAvailable: delivered !== undefined && delivered.kind !== 'left_at_door',
    ...(delivered === undefined
      ? {}
      : {
          proofOfDelivery: {
            timestamp: localTime(delivered.atMs, delivered.city.zone),
            documentUrl: proofUrl,
            ...(delivered.kind === 'left_at_door' ? {} : { signed: { '@type': 'Person', name } }),
          },
        }),
    totalNumberOfPieces: pieces.length,
    pieceIds: pieces.map(({ number }) => number),
    weight: { value: Number(kg.toFixed(3)), unitText: 'kg' },
    // DHL states the dimensions of a shipment of one piece only.
    ...(pieces.length > 1
      ? {}
      : { dimensions: { width: cm(first.widthCm), height: cm(first.heightCm), length: cm(first.lengthCm) } }),
  };
}

function destinationOf({ parcel, scans }: ParcelView): Record<string, unknown> {
  const { locker } = parcel.goods;
  const place = placeOf(parcel.destination);
  if (!scans.some(({ kind }) => kind === 'ready')) return place;
  return { ...place, servicePoint: { url: `https://locator.dhl.com/${locker.id}`, label: locker.name } };
}

function renderEvent({ kind, city, atMs, id, piece }: PublishedScan, parcel: Parcel): Record<string, unknown> {
  const [statusCode, text] = words[kind];
  const local = localTime(atMs, city.zone);
  const description = text.replace('%', city.name.toUpperCase());
  const { pieces } = parcel.goods;
  return {
    // European and Japanese cities keep their local time, so that a time without offset is unambiguous.
    timestamp:
      kind !== 'label' && city.country !== 'US' && hasQuirk(0.2, 'dhl offset', id) ? local.slice(0, 19) : local,
    ...(kind === 'label' ? {} : { location: placeOf(city) }),
    statusCode,
    // DHL's own example has this text with "pre-transit".
    status: kind === 'label' && hasQuirk(0.3, 'dhl text', id) ? 'DELIVERED' : statusCode.toUpperCase(),
    description: kind === 'pickup' && hasQuirk(0.3, 'dhl pickup', id) ? 'The shipment has been processed' : description,
    ...(nextSteps[kind] === undefined ? {} : { nextSteps: nextSteps[kind] }),
    ...(pieces.length > 1
      ? { pieceIds: pieces.filter((_, index) => piece === null || piece === index).map(({ number }) => number) }
      : {}),
  };
}

function placeOf(city: City): Record<string, unknown> {
  return { address: { countryCode: city.country, postalCode: city.postalCode, addressLocality: city.name } };
}
