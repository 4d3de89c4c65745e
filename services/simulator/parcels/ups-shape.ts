import { localDigits } from '../voyages/local-time.ts';
import type { City } from './cities.ts';
import type { ScanKind } from './parcel.ts';
import { hasQuirk, type ParcelView, type PublishedScan } from './parcel-at.ts';

/** Type, number, letters and text of each kind of scan. */
const words: Readonly<Record<ScanKind, [string, string, string, string]>> = {
  label: ['M', '003', 'MP', 'Shipper created a label, UPS has not received the package yet.'],
  pickup: ['P', '038', 'XD', 'Pickup Scan'],
  departed: ['I', '010', 'DP', 'Departed from Facility'],
  arrived: ['I', '010', 'AR', 'Arrived at Facility'],
  customs: ['I', '012', 'CE', 'Clearance in Progress'],
  customs_hold: ['X', '058', 'CI', 'Clearance information is required. Your package is held by customs.'],
  customs_released: ['I', '014', 'SR', 'Your package was released by the customs agency.'],
  delay: ['X', '052', 'WX', 'Severe weather conditions have delayed delivery.'],
  damage: ['X', '059', 'DM', 'Damage has been reported. We will notify the sender.'],
  address_problem: ['X', '050', 'AD', 'The address is incomplete. We are attempting to update it.'],
  out_for_delivery: ['I', '021', 'OT', 'Out For Delivery Today'],
  attempted: ['X', '022', '48', 'The customer was not available on the first attempt.'],
  delivered: ['D', '011', 'FS', 'DELIVERED'],
  return_started: ['RS', '033', 'RS', 'Return to sender requested'],
  returned: ['D', '034', 'RT', 'Returned to Sender'],
};

/** A package as Track v1 returns it, newest activity first. */
export function renderUpsPackage(view: ParcelView): Record<string, unknown> {
  const { parcel, scans, expectedMs } = view;
  const activity = scans.map(renderActivity).reverse();
  return {
    trackingNumber: parcel.number,
    ...(expectedMs === null ? {} : expectedFields(view, expectedMs)),
    ...deliveredFields(scans),
    activity,
    currentStatus: activity[0]?.status ?? { type: 'M', code: 'MP', statusCode: '003', description: words.label[3] },
    packageAddress: [
      { type: 'ORIGIN', address: addressOf(parcel.origin) },
      { type: 'DESTINATION', address: addressOf(parcel.destination) },
    ],
    packageCount: 1,
    service: { code: '518', description: 'UPS Ground', levelCode: '011' },
  };
}

function renderActivity({ kind, city, atMs, id }: PublishedScan): Record<string, unknown> {
  const [type, statusCode, code, description] = words[kind];
  const local = localDigits(atMs, city.zone);
  const gmt = localDigits(atMs, 'UTC');
  // UPS omits leading zeros of the GMT time, and sometimes the offset.
  const offset = hasQuirk(0.2, 'ups offset', id) ? {} : { gmtOffset: local.offset };
  return {
    location: {
      address: kind === 'label' ? { countryCode: city.country, country: city.country } : addressOf(city),
      slic: '4009',
    },
    status: { type, description, simplifiedTextDescription: description, code, statusCode },
    date: local.date,
    time: local.time,
    gmtDate: gmt.date,
    ...offset,
    gmtTime: String(Number(gmt.time)),
  };
}

function expectedFields(view: ParcelView, expectedMs: number): Record<string, unknown> {
  const { date, time } = localDigits(expectedMs, view.parcel.destination.zone);
  const startTime = localDigits(expectedMs - 2 * 3_600_000, view.parcel.destination.zone).time;
  const type = expectedMs === view.promisedMs ? 'SDD' : 'RDD';
  return { deliveryDate: [{ type, date }], deliveryTime: { type: 'EDW', startTime, endTime: time } };
}

function deliveredFields(scans: readonly PublishedScan[]): Record<string, unknown> {
  const delivered = scans.find((scan) => scan.kind === 'delivered');
  if (!delivered) return {};
  const { date, time } = localDigits(delivered.atMs, delivered.city.zone);
  return { deliveryDate: [{ type: 'DEL', date }], deliveryTime: { type: 'DEL', endTime: time } };
}

function addressOf(city: City): Record<string, string> {
  return {
    city: city.name,
    ...(city.state === null ? {} : { stateProvince: city.state }),
    countryCode: city.country,
    country: city.country,
  };
}
