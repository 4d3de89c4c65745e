import { localTime } from '../../voyages/local-time.ts';
import { numberOf } from '../../voyages/random.ts';
import type { City } from '../cities.ts';
import { hasQuirk, type ParcelView, type PublishedScan, pieceAt } from '../parcel-at.ts';
import { attemptKinds, deliveryKinds, type ScanKind } from '../scans.ts';
import {
  addressOf,
  deliveryOf,
  holdOf,
  packageOf,
  returnNumberOf,
  returnOf,
  sumKg,
  weightsOf,
  windowOf,
} from './fedex-details.ts';

const yearMs = 365 * 86_400_000;

/** Code and text of each kind of scan, with number and reason for an exception. */
const words: Readonly<Record<ScanKind, [string, string, string?, string?]>> = {
  label: ['OC', 'Shipment information sent to FedEx'],
  pickup: ['PU', 'Picked up'],
  departed: ['DP', 'Left FedEx facility'],
  arrived: ['AA', 'At local FedEx facility'],
  customs: ['CP', 'Clearance in progress'],
  customs_hold: ['CD', 'Clearance delay', '21', 'Package held by customs: missing customs documents'],
  customs_payment: ['CD', 'Clearance delay', '72', 'Payment due for duties and taxes'],
  customs_released: ['CC', 'International shipment release - Import'],
  delay: ['DY', 'Delay', '29', 'Weather delay'],
  damage: ['SE', 'Shipment exception', '10', 'Damaged, delivery not completed'],
  address_problem: ['SE', 'Shipment exception', '03', 'Incorrect recipient address'],
  out_for_delivery: ['OD', 'On FedEx vehicle for delivery'],
  attempted: ['DE', 'Delivery exception', '08', 'Customer not available or business closed'],
  closed: ['DE', 'Delivery exception', '08', 'Business closed'],
  refused: ['DE', 'Delivery exception', '07', 'Shipment refused by recipient'],
  ready: ['HL', 'Ready for recipient pickup'],
  collected: ['DL', 'Delivered'],
  delivered: ['DL', 'Delivered'],
  delivered_neighbour: ['DL', 'Delivered'],
  left_at_door: ['DL', 'Delivered'],
  return_started: ['RS', 'Returning package to shipper', '07', 'Unable to deliver shipment, returned to shipper'],
  returned: ['RD', 'Returned to shipper'],
};

/** The Track v1 results for a number: its parcel, and sometimes an earlier one that had the number a year before. */
export function renderFedexResults(view: ParcelView): Record<string, unknown>[] {
  const result = renderResult(view);
  const { key } = view.parcel;
  if (!hasQuirk(0.25, 'fedex reused', key)) return [result];
  const former = renderResult(oneYearEarlier(view));
  return hasQuirk(0.5, 'fedex former first', key) ? [former, result] : [result, former];
}

function renderResult(whole: ParcelView): Record<string, unknown> {
  // FedEx returns the one package that has the number.
  const view = pieceAt(whole, 0);
  const { parcel, scans, shippedMs } = view;
  const { goods, origin, destination } = parcel;
  const { number } = parcel;
  const isOneOfSeveral = goods.pieces.length > 1;
  const scanEvents = scans.map(renderScan).reverse();
  return {
    trackingNumberInfo: {
      trackingNumber: number,
      trackingNumberUniqueId: `${2_460_000 + Math.floor(shippedMs / 86_400_000)}000~${number}~FX`,
      carrierCode: 'FDXE',
    },
    additionalTrackingInfo: {
      nickname: '',
      hasAssociatedShipments: isOneOfSeveral,
      packageIdentifiers: [
        { type: 'SHIPPER_REFERENCE', value: [`REF${number.slice(-6)}`], trackingNumberUniqueId: '' },
        ...(isOneOfSeveral ? [{ type: 'STANDARD_MPS', value: [parcel.number], trackingNumberUniqueId: '' }] : []),
        ...returnNumberOf(view),
      ],
    },
    latestStatusDetail: {
      code: scanEvents[0]?.eventType ?? 'OC',
      derivedCode: scanEvents[0]?.derivedStatusCode ?? 'OC',
    },
    serviceDetail: parcel.isImported
      ? { type: 'FEDEX_INTERNATIONAL_PRIORITY', description: 'FedEx International Priority', shortDescription: 'IP' }
      : { type: 'FEDEX_GROUND', description: 'FedEx Ground', shortDescription: 'FG' },
    shipperInformation: { address: addressOf(origin) },
    recipientInformation: { address: addressOf(destination) },
    dateAndTimes: datesOf(view),
    packageDetails: packageOf(whole),
    shipmentDetails: { possessionStatus: scans.length > 1, weight: weightsOf(sumKg(goods.pieces)) },
    scanEvents,
    ...windowOf(view),
    ...deliveryOf(view),
    ...holdOf(view),
    ...returnOf(view),
  };
}

function datesOf({ parcel, scans, promisedMs, expectedMs, shippedMs }: ParcelView): Record<string, string>[] {
  const { origin, destination } = parcel;
  const delivered = scans.find(({ kind }) => deliveryKinds.includes(kind));
  const pickup = scans.find(({ kind }) => kind === 'pickup');
  const attempt = scans.findLast(({ kind }) => attemptKinds.includes(kind));
  const dates: [string, number | null | undefined, City][] = [
    ['SHIP', shippedMs, origin],
    ['ACTUAL_PICKUP', pickup?.atMs, origin],
    ['COMMITMENT', promisedMs, destination],
    ['ESTIMATED_DELIVERY', expectedMs, destination],
    ['ATTEMPTED_DELIVERY', attempt?.atMs, destination],
    ['ACTUAL_DELIVERY', delivered?.atMs, destination],
  ];
  return dates.flatMap(([type, ms, city]) =>
    ms === null || ms === undefined ? [] : [{ type, dateTime: localTime(ms, city.zone) }],
  );
}

function renderScan({ kind, city, atMs, final, id }: PublishedScan): Record<string, unknown> {
  const [code, eventDescription, exceptionCode = '', exceptionDescription = ''] = words[kind];
  const eventType = kind === 'arrived' && final ? 'FD' : code;
  return {
    date: localTime(atMs, city.zone),
    eventType,
    eventDescription: eventType === 'FD' ? 'At destination sort facility' : eventDescription,
    exceptionCode,
    exceptionDescription,
    scanLocation:
      kind === 'label' ? { countryCode: city.country, residential: false } : { ...addressOf(city), residential: false },
    locationId: `${city.name.slice(0, 3).toUpperCase()}${numberOf(90, 'fedex location', city.name)}`,
    locationType: final ? 'DESTINATION_FEDEX_FACILITY' : kind === 'pickup' ? 'PICKUP_LOCATION' : 'SORT_FACILITY',
    derivedStatusCode: hasQuirk(0.5, 'fedex derived', id) ? eventType : 'IT',
    derivedStatus: 'In transit',
  };
}

/** The same journey one year earlier, complete: FedEx reuses its numbers. */
function oneYearEarlier(view: ParcelView): ParcelView {
  const startMs = view.shippedMs - (view.parcel.scans[0]?.atMs ?? 0) - yearMs;
  const scans = view.parcel.scans.map((scan, index) => ({
    ...scan,
    id: `${view.parcel.key}|former|${index}`,
    atMs: startMs + scan.atMs,
  }));
  const nothingExpected = { promisedMs: null, expectedMs: null, expectedFromMs: null };
  return { ...view, scans, ...nothingExpected, shippedMs: view.shippedMs - yearMs };
}
