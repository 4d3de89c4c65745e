import { localTime } from '../../voyages/local-time.ts';
import type { City } from '../cities.ts';
import type { Piece } from '../goods.ts';
import type { ParcelView, PublishedScan } from '../parcel-at.ts';
import { attemptKinds, deliveryKinds, type ScanKind } from '../scans.ts';

type Fields = Record<string, unknown>;

/** The window in which the delivery is expected. FedEx sends an empty one where it expects none. */
export function windowOf({ parcel, expectedMs, expectedFromMs }: ParcelView): Fields {
  if (expectedMs === null) return { estimatedDeliveryTimeWindow: { window: {} } };
  const { zone } = parcel.destination;
  const window = { begins: localTime(expectedFromMs ?? expectedMs, zone), ends: localTime(expectedMs, zone) };
  return { estimatedDeliveryTimeWindow: { description: '', type: 'ESTIMATED_DELIVERY', window } };
}

/** The first piece with the count of its shipment. */
export function packageOf({ parcel, scans }: ParcelView): Fields {
  const { pieces } = parcel.goods;
  const { weightKg, lengthCm, widthCm, heightCm } = pieces[0];
  const isOpen = (piece: number) =>
    !scans.some((scan) => (scan.piece === null || scan.piece === piece) && deliveryKinds.includes(scan.kind));
  const inches = (cm: number) => Math.round(cm / 2.54);
  return {
    packagingDescription: { type: 'YOUR_PACKAGING', description: 'Package' },
    physicalPackagingType: 'PACKAGE',
    sequenceNumber: '1',
    count: String(pieces.length),
    ...(pieces.length > 1 ? { undeliveredCount: String(pieces.filter((_piece, piece) => isOpen(piece)).length) } : {}),
    weightAndDimensions: {
      weight: weightsOf(weightKg),
      dimensions: [
        { length: inches(lengthCm), width: inches(widthCm), height: inches(heightCm), units: 'IN' },
        { length: lengthCm, width: widthCm, height: heightCm, units: 'CM' },
      ],
    },
    packageContent: [],
  };
}

/** A weight in both of FedEx's units. */
export function weightsOf(kg: number): Fields[] {
  return [
    { unit: 'LB', value: (kg / 0.453_592_37).toFixed(1) },
    { unit: 'KG', value: kg.toFixed(2) },
  ];
}

export function sumKg(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { weightKg }) => sum + weightKg, 0);
}

/** Place of delivery for each kind of handover. */
const locations: { [kind in ScanKind]?: [type: string, description: string] } = {
  delivered: ['RECEPTIONIST_OR_FRONT_DESK', 'Receptionist/Front Desk'],
  delivered_neighbour: ['OTHER', 'Neighbor'],
  left_at_door: ['RESIDENCE', 'Left at front door'],
  collected: ['FEDEX_LOCATION', 'FedEx locker'],
};

/** Attempts, and once it is delivered who received it, where, and which document proves it. */
export function deliveryOf({ parcel, scans }: ParcelView): Fields {
  const delivered = scans.find(({ kind }) => deliveryKinds.includes(kind));
  const attempts = scans.filter(({ kind }) => attemptKinds.includes(kind)).length;
  const deliveryDetails = {
    deliveryAttempts: String(attempts),
    deliveryOptionEligibilityDetails: [{ option: 'RESCHEDULE', eligibility: 'INELIGIBLE' }],
  };
  if (delivered === undefined) return { deliveryDetails };
  const { recipient, neighbour } = parcel.goods;
  const [locationType, locationDescription] = locations[delivered.kind] ?? ['OTHER', ''];
  const name = delivered.kind === 'delivered_neighbour' ? neighbour : recipient;
  const isSigned = delivered.kind !== 'left_at_door';
  return {
    deliveryDetails: {
      ...deliveryDetails,
      actualDeliveryAddress: addressOf(parcel.destination),
      locationType,
      locationDescription,
      ...(isSigned ? { receivedByName: name, signedByName: name } : {}),
    },
    ...(isSigned ? { availableImages: [{ size: 'LARGE', type: 'SIGNATURE_PROOF_OF_DELIVERY' }] } : {}),
  };
}

/** The location that holds the parcel for its recipient. */
export function holdOf({ parcel, scans }: ParcelView): Fields {
  const ready = scans.find(({ kind }) => kind === 'ready');
  if (ready === undefined) return {};
  const { locker } = parcel.goods;
  const until = localTime(ready.atMs + 5 * 86_400_000, ready.city.zone).slice(0, 10);
  return {
    holdAtLocation: {
      locationId: `LCK${locker.id}`,
      locationType: 'FEDEX_ONSITE',
      locationContactAndAddress: {
        contact: { companyName: locker.name },
        address: { ...addressOf(parcel.destination), streetLines: [locker.street] },
      },
    },
    customDeliveryOptions: [{ type: 'REDIRECT_TO_HOLD_AT_LOCATION', status: 'HELD', description: '' }],
    serviceCommitMessage: {
      type: 'HELD_PACKAGE_AVAILABLE_FOR_RECIPIENT_PICKUP_WITH_ADDRESS',
      message: `Shipment is available for pickup at ${locker.name}: ${locker.street}. It is held until ${until}.`,
    },
  };
}

/** Returns the reason for the return. */
export function returnOf({ scans }: ParcelView): Fields {
  if (!isReturning(scans)) return {};
  const isRefused = scans.some(({ kind }) => kind === 'refused');
  const reason = isRefused
    ? { type: 'REJECTED', description: 'Refused by recipient' }
    : { type: 'OTHER', description: 'Unable to deliver' };
  return { returnDetail: { authorizationName: '', reasonDetail: [reason] } };
}

/** The number of the return, as an identifier of the package. */
export function returnNumberOf({ parcel, scans }: ParcelView): Fields[] {
  if (!isReturning(scans)) return [];
  const type = 'RETURNED_TO_SHIPPER_TRACKING_NUMBER';
  return [{ type, value: [parcel.goods.returnNumber], trackingNumberUniqueId: '' }];
}

function isReturning(scans: readonly PublishedScan[]): boolean {
  return scans.some(({ kind }) => kind === 'return_started');
}

/** An address in FedEx's fields. */
export function addressOf(city: City): Record<string, string> {
  return {
    city: city.name.toUpperCase(),
    ...(city.state === null ? {} : { stateOrProvinceCode: city.state }),
    countryCode: city.country,
    postalCode: city.postalCode,
  };
}
