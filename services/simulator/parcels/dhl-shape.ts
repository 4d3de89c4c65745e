import { localTime } from '../voyages/local-time.ts';
import type { City } from './cities.ts';
import type { ScanKind } from './parcel.ts';
import { hasQuirk, type ParcelView, type PublishedScan } from './parcel-at.ts';

/** Status and text of each kind of scan; `%` is the city. */
const words: Readonly<Record<ScanKind, [string, string]>> = {
  label: ['pre-transit', 'Shipment information received'],
  pickup: ['transit', 'Shipment picked up'],
  departed: ['transit', 'Departed Facility in %'],
  arrived: ['transit', 'Arrived at DHL Sort Facility %'],
  customs: ['transit', 'Customs clearance status updated'],
  customs_hold: ['failure', 'Shipment is on hold at customs'],
  customs_released: ['transit', 'Clearance processing complete at %'],
  delay: ['transit', 'Delay due to adverse weather conditions'],
  damage: ['failure', 'Shipment damaged'],
  address_problem: ['failure', 'Address information needed; contact DHL'],
  out_for_delivery: ['transit', 'Shipment is out with courier for delivery'],
  attempted: ['failure', 'Delivery attempted; recipient not home'],
  delivered: ['delivered', 'Delivered'],
  return_started: ['failure', 'Shipment is being returned to shipper'],
  returned: ['delivered', 'Returned to shipper'],
};

/** A shipment as the Unified API returns it, newest event first. */
export function renderDhlShipment(view: ParcelView, service: string): Record<string, unknown> {
  const { parcel, scans, expectedMs } = view;
  const events = scans.map(renderEvent).reverse();
  const expected =
    expectedMs === null ? {} : { estimatedTimeOfDelivery: localTime(expectedMs, parcel.destination.zone) };
  return {
    // A number with digits only becomes a JSON number and loses its leading zeros.
    id: /^\d{1,15}$/.test(parcel.number) ? Number(parcel.number) : parcel.number,
    service,
    origin: placeOf(parcel.origin),
    destination: placeOf(parcel.destination),
    status: events[0] ?? { statusCode: 'unknown', status: 'UNKNOWN' },
    ...expected,
    details: { product: { productName: 'EXPRESS WORLDWIDE' }, totalNumberOfPieces: 1 },
    events,
  };
}

function renderEvent({ kind, city, atMs, id }: PublishedScan): Record<string, unknown> {
  const [statusCode, text] = words[kind];
  const local = localTime(atMs, city.zone);
  const description = text.replace('%', city.name.toUpperCase());
  return {
    // European and Japanese cities keep their local time, so that a time without offset is unambiguous.
    timestamp:
      kind !== 'label' && city.country !== 'US' && hasQuirk(0.2, 'dhl offset', id) ? local.slice(0, 19) : local,
    ...(kind === 'label' ? {} : { location: placeOf(city) }),
    statusCode,
    // DHL's own example has this text with "pre-transit".
    status: kind === 'label' && hasQuirk(0.3, 'dhl text', id) ? 'DELIVERED' : statusCode.toUpperCase(),
    description: kind === 'pickup' && hasQuirk(0.3, 'dhl pickup', id) ? 'The shipment has been processed' : description,
  };
}

function placeOf(city: City): Record<string, unknown> {
  return { address: { countryCode: city.country, postalCode: city.postalCode, addressLocality: city.name } };
}
