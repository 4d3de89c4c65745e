import { localTime, utcTime } from '../../voyages/local-time.ts';
import type { City } from '../cities.ts';
import type { Parcel } from '../parcel.ts';
import { hasQuirk, type ParcelView, type PublishedScan } from '../parcel-at.ts';
import { deliveryKinds, type ScanKind } from '../scans.ts';

/** Code and text of each kind of scan. */
const words: Readonly<Record<ScanKind, [string, string]>> = {
  label: ['GX', 'Shipping Label Created, USPS Awaiting Item'],
  pickup: ['03', 'USPS in possession of item'],
  departed: ['T1', 'Departed USPS Regional Facility'],
  arrived: ['A1', 'Arrived at USPS Regional Facility'],
  customs: ['', 'Inbound Into Customs'],
  customs_hold: ['', 'Held in Customs'],
  customs_payment: ['', 'Held in Customs'],
  customs_released: ['', 'Inbound Out of Customs'],
  delay: ['', 'In Transit, Arriving Late, Weather Delay'],
  damage: ['', 'Processing Exception, Damaged'],
  // Its code 22 is a return to the sender.
  address_problem: ['', 'Insufficient Address'],
  out_for_delivery: ['OF', 'Out for Delivery'],
  attempted: ['02', 'Notice Left (No Authorized Recipient Available)'],
  closed: ['51', 'Business Closed'],
  refused: ['04', 'Refused'],
  ready: ['16', 'Available for Pickup'],
  collected: ['01', 'Delivered, Individual Picked Up at Post Office'],
  delivered: ['01', 'Delivered, Left with Individual'],
  delivered_neighbour: ['01', 'Delivered, Neighbor as Requested'],
  left_at_door: ['01', 'Delivered, Front Door/Porch'],
  return_started: ['09', 'Return to Sender'],
  returned: ['01', 'Delivered, To Original Sender'],
};

const categories: { [kind in ScanKind]?: string } = {
  label: 'Pre-Shipment',
  out_for_delivery: 'Out for Delivery',
  attempted: 'Delivery Attempt: Action Needed',
  closed: 'Delivery Attempt: Action Needed',
  ready: 'Available for Pickup',
  refused: 'Alert',
  customs_hold: 'Alert',
  damage: 'Alert',
  address_problem: 'Alert',
  return_started: 'Alert',
};

/** A package as Tracking v3 returns it with details: booleans as text, HTML in texts, newest scan first. */
export function renderUspsPackage(view: ParcelView): Record<string, unknown> {
  const { parcel, scans } = view;
  const last = scans.at(-1);
  const kind = last?.kind ?? 'label';
  const [, status] = words[kind];
  return {
    destinationCity: parcel.destination.name.toUpperCase(),
    destinationState: parcel.destination.state,
    destinationZIP: parcel.destination.postalCode,
    emailEnabled: 'true',
    ...expectedFields(view),
    kahalaIndicator: 'false',
    mailClass: 'USPS Ground Advantage<SUP>&#153;</SUP>',
    mailType: 'DM',
    originCity: parcel.origin.name.toUpperCase(),
    originState: parcel.origin.state,
    originZIP: parcel.origin.postalCode,
    proofOfDeliveryEnabled: 'false',
    RRAMEnabled: 'false',
    RREEnabled: 'false',
    services: ['USPS Tracking<SUP>&#174;</SUP>'],
    serviceTypeCode: '001',
    status,
    statusCategory: categories[kind] ?? (status.startsWith('Delivered') ? 'Delivered' : 'In Transit'),
    tableCode: 'T',
    ...(kind === 'ready'
      ? { returnDateNotice: localTime((last?.atMs ?? 0) + 15 * 86_400_000, 'UTC').slice(0, 10) }
      : {}),
    trackingEvents: scans.map((scan) => renderScan(scan, parcel)).reverse(),
    trackingNumber: parcel.number,
  };
}

function renderScan({ kind, city, atMs, id }: PublishedScan, parcel: Parcel): Record<string, unknown> {
  const [eventCode, eventType] = words[kind];
  const local = localTime(atMs, city.zone);
  const isFacility = (kind === 'departed' || kind === 'arrived') && hasQuirk(0.5, 'usps facility', id);
  return {
    eventType,
    eventTimestamp: local.slice(0, 19),
    GMTTimestamp: utcTime(atMs),
    // The documentation's example has one digit for the hour.
    GMTOffset: hasQuirk(0.2, 'usps offset', id) ? local.slice(19).replace(/^([+-])0/, '$1') : local.slice(19),
    eventCountry: null,
    ...placeOf(city, isFacility),
    firm: null,
    name: deliveryKinds.includes(kind) && kind !== 'left_at_door' ? parcel.goods.recipient : null,
    authorizedAgent: 'false',
    eventCode: eventCode === '' ? null : eventCode,
    additionalProp: null,
  };
}

function placeOf(city: City, isFacility: boolean): Record<string, string | null> {
  if (isFacility) {
    const eventCity = `${city.name.toUpperCase()} ${city.state} DISTRIBUTION CENTER`;
    return { eventCity, eventState: null, eventZIP: null };
  }
  return { eventCity: city.name.toUpperCase(), eventState: city.state, eventZIP: city.postalCode };
}

function expectedFields({ parcel, promisedMs, expectedMs, expectedFromMs }: ParcelView): Record<string, unknown> {
  if (expectedMs === null) return {};
  const { zone } = parcel.destination;
  const expected = localTime(expectedMs, zone);
  const from = localTime(expectedFromMs ?? expectedMs, zone);
  return {
    expectedDeliveryTimeStamp: `${localTime(promisedMs ?? expectedMs, zone).slice(0, 10)}T00:00:00Z`,
    predictedDeliveryDate: expected.slice(0, 10),
    // The window is one of the predicted day.
    predictedDeliveryWindowStartTime: from.slice(0, 10) === expected.slice(0, 10) ? from.slice(11, 16) : null,
    predictedDeliveryWindowEndTime: expected.slice(11, 16),
  };
}
