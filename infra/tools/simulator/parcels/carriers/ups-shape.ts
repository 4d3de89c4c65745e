import { localDigits, localTime } from '../../voyages/local-time.ts';
import type { City } from '../cities.ts';
import type { Goods, Piece } from '../goods.ts';
import { hasQuirk, type ParcelView, type PublishedScan, pieceAt } from '../parcel-at.ts';
import { photoPng, proofPdf, signaturePng } from '../proof-images.ts';
import { deliveryKinds, type ScanKind } from '../scans.ts';

/** Type, number, letters and text of each kind of scan. UPS leaves out the number of rare ones. */
const words: Readonly<Record<ScanKind, [string, string | null, string, string]>> = {
  label: ['M', '003', 'MP', 'Shipper created a label, UPS has not received the package yet.'],
  pickup: ['P', '038', 'XD', 'Pickup Scan'],
  departed: ['I', '010', 'DP', 'Departed from Facility'],
  arrived: ['I', '010', 'AR', 'Arrived at Facility'],
  customs: ['I', '012', 'CE', 'Clearance in Progress'],
  customs_hold: ['X', '058', 'CI', 'Clearance information is required. Your package is held by customs.'],
  customs_payment: ['X', null, 'CP', 'Duties or taxes are due. Your package is held by customs until they are paid.'],
  customs_released: ['I', '014', 'SR', 'Your package was released by the customs agency.'],
  delay: ['X', '052', 'WX', 'Severe weather conditions have delayed delivery.'],
  damage: ['X', '059', 'DM', 'Damage has been reported. We will notify the sender.'],
  address_problem: ['X', '050', 'AD', 'The address is incomplete. We are attempting to update it.'],
  out_for_delivery: ['I', '021', 'OT', 'Out For Delivery Today'],
  attempted: ['X', '022', '48', 'The customer was not available on the first attempt.'],
  closed: ['X', null, '26', 'The business was closed when delivery was attempted.'],
  refused: ['X', null, '30', 'Delivery was attempted. The receiver refused the package.'],
  ready: ['I', '017', 'ZP', 'Your package is at a UPS Access Point locker and ready for pickup.'],
  collected: ['D', '011', 'ZC', 'DELIVERED. Picked up at the UPS Access Point.'],
  delivered: ['D', '011', 'FS', 'DELIVERED'],
  delivered_neighbour: ['D', '011', '3H', 'DELIVERED TO NEIGHBOR'],
  left_at_door: ['D', '011', 'FS', 'DELIVERED'],
  return_started: ['RS', '033', 'RS', 'Return to sender requested'],
  returned: ['D', '034', 'RT', 'Returned to Sender'],
};

/** The documents that a request asks for. Without them, UPS only says who received the package and where. */
export type UpsImages = { signature: boolean; pod: boolean };

/** The packages of a shipment as Track v1 returns them. */
export function renderUpsPackages(view: ParcelView, images: UpsImages): Record<string, unknown>[] {
  return view.parcel.goods.pieces.map((piece, index) => renderPackage(pieceAt(view, index), piece, images));
}

function renderPackage(view: ParcelView, piece: Piece, images: UpsImages): Record<string, unknown> {
  const { parcel, scans, expectedMs } = view;
  // Newest activity first.
  const activity = scans.map((scan) => renderActivity(scan, parcel.goods)).reverse();
  const ready = scans.find(({ kind }) => kind === 'ready');
  const isUnpaid = scans.at(-1)?.kind === 'customs_payment';
  const { goods, origin, destination, isImported } = parcel;
  return {
    trackingNumber: piece.number,
    ...(expectedMs === null ? {} : expectedFields(view, expectedMs)),
    ...deliveredFields(view, piece, images),
    ...(ready === undefined ? {} : { accessPointInformation: { pickupByDate: keptUntil(ready) } }),
    activity,
    currentStatus: activity[0]?.status ?? { type: 'M', code: 'MP', statusCode: '003', description: words.label[3] },
    packageAddress: [
      { type: 'ORIGIN', address: addressOf(origin) },
      { type: 'DESTINATION', address: addressOf(destination) },
    ],
    packageCount: goods.pieces.length,
    ...(parcel.variant === 'left_at_door' ? {} : { additionalServices: ['SIGNATURE_REQUIRED'] }),
    service: isImported
      ? { description: 'UPS Worldwide Saver' }
      : { code: '518', description: 'UPS Ground', levelCode: '011' },
    ...measures(piece, origin.country === 'US'),
    ...(isUnpaid ? { paymentInformation: [dutyOf(piece)] } : {}),
  };
}

/** UPS keeps a package at an access point for seven days. */
function keptUntil({ atMs, city }: PublishedScan): string {
  return localDigits(atMs + 7 * 86_400_000, city.zone).date;
}

/** American packages are measured in pounds and inches. */
function measures(piece: Piece, isAmerican: boolean): Record<string, unknown> {
  const length = (cm: number): string => (isAmerican ? cm / 2.54 : cm).toFixed(2);
  return {
    weight: isAmerican
      ? { unitOfMeasurement: 'LBS', weight: (piece.weightKg / 0.453_592_37).toFixed(2) }
      : { unitOfMeasurement: 'KGS', weight: piece.weightKg.toFixed(2) },
    dimension: {
      length: length(piece.lengthCm),
      width: length(piece.widthCm),
      height: length(piece.heightCm),
      unitOfDimension: isAmerican ? 'IN' : 'CM',
    },
  };
}

function dutyOf({ number, weightKg }: Piece): Record<string, unknown> {
  return { type: 'ICOD', amount: (weightKg * 4).toFixed(2), currency: 'EUR', id: `${number}D`, paid: false };
}

function renderActivity({ kind, city, atMs, id }: PublishedScan, { locker }: Goods): Record<string, unknown> {
  const [type, statusCode, code, description] = words[kind];
  const local = localDigits(atMs, city.zone);
  const gmt = localDigits(atMs, 'UTC');
  // UPS omits leading zeros of the GMT time, and sometimes the offset.
  const offset = hasQuirk(0.2, 'ups offset', id) ? {} : { gmtOffset: local.offset };
  return {
    location: {
      address: {
        ...(kind === 'ready' ? { addressLine1: locker.street } : {}),
        ...(kind === 'label' ? { countryCode: city.country, country: city.country } : addressOf(city)),
      },
      slic: '4009',
    },
    status: {
      type,
      description,
      simplifiedTextDescription: description,
      code,
      ...(statusCode === null ? {} : { statusCode }),
    },
    date: local.date,
    time: local.time,
    gmtDate: gmt.date,
    ...offset,
    gmtTime: String(Number(gmt.time)),
  };
}

function expectedFields(view: ParcelView, expectedMs: number): Record<string, unknown> {
  const { zone } = view.parcel.destination;
  const { date, time } = localDigits(expectedMs, zone);
  const from = localDigits(view.expectedFromMs ?? expectedMs, zone);
  // Both ends of a window are on the date of the delivery.
  const startTime = from.date === date ? from.time : '000000';
  const type = expectedMs === view.promisedMs ? 'SDD' : 'RDD';
  return { deliveryDate: [{ type, date }], deliveryTime: { type: 'EDW', startTime, endTime: time } };
}

function deliveredFields(view: ParcelView, piece: Piece, images: UpsImages): Record<string, unknown> {
  const delivered = view.scans.find(({ kind }) => deliveryKinds.includes(kind));
  if (delivered === undefined) return {};
  const { date, time } = localDigits(delivered.atMs, delivered.city.zone);
  const { recipient, neighbour, locker } = view.parcel.goods;
  const isPhotographed = delivered.kind === 'left_at_door';
  const receivedBy = { delivered: recipient, delivered_neighbour: neighbour, collected: recipient };
  const location = {
    delivered: 'Reception',
    delivered_neighbour: 'Neighbor',
    left_at_door: 'Front Door',
    collected: locker.name,
  };
  const manner = delivered.kind as keyof typeof location;
  return {
    deliveryDate: [{ type: 'DEL', date }],
    deliveryTime: { type: 'DEL', endTime: time },
    deliveryInformation: {
      location: location[manner],
      ...(manner === 'left_at_door' ? {} : { receivedBy: receivedBy[manner] }),
      ...(isPhotographed ? { deliveryPhoto: photoOf(piece) } : {}),
      ...(images.signature && !isPhotographed
        ? { signature: { image: signaturePng(piece.number).toString('base64') } }
        : {}),
      ...(images.pod ? { pod: { content: proofOf(view, piece, delivered) } } : {}),
    },
  };
}

function photoOf({ number }: Piece): Record<string, unknown> {
  return {
    isNonPostalCodeCountry: false,
    photo: photoPng(number).toString('base64'),
    photoCaptureInd: 'Y',
    photoDispositionCode: 'V',
  };
}

function proofOf(view: ParcelView, { number }: Piece, { atMs, city }: PublishedScan): string {
  const lines = ['Proof of Delivery', `Tracking Number: ${number}`, `Delivered On: ${localTime(atMs, city.zone)}`];
  return proofPdf([...lines, `Received By: ${view.parcel.goods.recipient}`]).toString('base64');
}

function addressOf(city: City): Record<string, string> {
  return {
    city: city.name,
    ...(city.state === null ? {} : { stateProvince: city.state }),
    countryCode: city.country,
    country: city.country,
  };
}
