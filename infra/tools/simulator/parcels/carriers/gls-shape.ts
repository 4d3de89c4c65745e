import { localTime } from '../../voyages/local-time.ts';
import type { ParcelView, PublishedScan } from '../parcel-at.ts';
import type { ScanKind } from '../scans.ts';

/**
 * Code, text and parcel status of each kind of scan. GLS publishes only some codes outside its API; the codes that start
 * with `SIM` are the simulator's own.
 */
const words: Readonly<Record<ScanKind, [string, string, string]>> = {
  label: ['INTIAL.PREADVICE', 'The parcel data was entered into the GLS IT system.', 'PREADVICE'],
  pickup: ['INTIAL.NORMAL', 'The parcel was handed over to GLS.', 'INTRANSIT'],
  departed: ['OUTBOD.NORMAL', 'The parcel has left the parcel center.', 'INTRANSIT'],
  arrived: ['INBOUD.NORMAL', 'The parcel has reached the parcel center.', 'INWAREHOUSE'],
  customs: ['SIM.CUSTOMS', 'The parcel is in transit.', 'INTRANSIT'],
  customs_hold: ['SIM.CUSTOMS', 'The parcel is in transit.', 'INTRANSIT'],
  customs_payment: ['SIM.CUSTOMS', 'The parcel is in transit.', 'INTRANSIT'],
  customs_released: ['SIM.CUSTOMS', 'The parcel is in transit.', 'INTRANSIT'],
  delay: ['SIM.DELAY', 'The parcel is delayed by the weather.', 'INTRANSIT'],
  damage: ['SIM.DAMAGE', 'The parcel was damaged.', 'INWAREHOUSE'],
  address_problem: ['SIM.ADDRESS', 'The address is being checked.', 'INWAREHOUSE'],
  out_for_delivery: ['OUTDEL.NORMAL', 'The parcel is expected to be delivered during the day.', 'INDELIVERY'],
  attempted: ['SIM.ABSENT', 'The parcel could not be delivered as the consignee was absent.', 'NOTDELIVERED'],
  closed: ['SIM.CLOSED', 'The parcel could not be delivered as the business was closed.', 'NOTDELIVERED'],
  refused: ['SIM.REFUSED', 'The parcel could not be delivered as it was refused.', 'NOTDELIVERED'],
  ready: ['DELIVD.PARCELSHOP', 'The parcel has been delivered at the ParcelShop.', 'DELIVEREDPS'],
  collected: ['DELIVD.NORMAL', 'The parcel has been collected.', 'DELIVERED'],
  delivered: ['DELIVD.NORMAL', 'The parcel has been delivered.', 'DELIVERED'],
  delivered_neighbour: ['DELIVD.NORMAL', 'The parcel has been delivered to a neighbour.', 'DELIVERED'],
  left_at_door: ['DELIVD.NORMAL', 'The parcel has been delivered.', 'DELIVERED'],
  return_started: ['SIM.RETURN', 'The parcel is returned to the shipper.', 'NOTDELIVERED'],
  returned: ['SIM.RETURNED', 'The parcel was returned to the shipper.', 'FINAL'],
};

/** A parcel as Track And Trace V1 returns it, newest event first. `unitno` lacks the check digit of longer numbers. */
export function renderGlsParcel({ parcel, scans, shippedMs }: ParcelView, requested: string): Record<string, unknown> {
  const last = scans.at(-1);
  return {
    requested,
    unitno: requested.length === 12 ? requested.slice(0, -1) : requested,
    status: words[last?.kind ?? 'label'][2],
    statusDateTime: timeOf(last?.atMs ?? shippedMs, last?.city.zone ?? parcel.origin.zone),
    events: scans.map(renderScan).reverse(),
  };
}

function renderScan({ kind, city, atMs }: PublishedScan): Record<string, unknown> {
  const [code, description] = words[kind];
  const isData = kind === 'label';
  return {
    code,
    city: isData ? '' : city.name,
    postalCode: isData ? '' : city.postalCode,
    country: city.country,
    description,
    eventDateTime: timeOf(atMs, city.zone),
  };
}

/** GLS writes the offset without a colon: `2024-10-07T10:46:14+0200`. */
function timeOf(atMs: number, zone: string): string {
  return localTime(atMs, zone).replace(/:(\d{2})$/, '$1');
}
