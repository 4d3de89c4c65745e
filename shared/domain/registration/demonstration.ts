import type { IdentifierKey, Identifiers } from '../shipments/shipment.ts';
import type { TransportMode } from '../shipments/transport-mode.ts';

type Demonstration = {
  transportMode: TransportMode;
  carrier: string;
  reference: string;
  identifiers: { [key in IdentifierKey]?: string };
};

/**
 * The shipments of a first start, which exist at the simulated carriers only. Numbers that end in 0 to 4 complete their
 * simulated journey in a minute; the others take real time. With the default seed, the parcels are a shipment of three
 * pieces that have parted, one that is delivered within a minute and signed for, and one on its way within a window of two hours.
 */
export const demonstrationShipments: readonly Demonstration[] = [
  ocean('MAEU', 'demo-1', 'MAEU240117001'),
  parcel('ups', 'demo-2', '1Z999AA10124021116'),
  ocean('HLCU', 'demo-3', 'HLCUHAM240117003'),
  ocean('MSCU', 'demo-4', 'MEDUAB240117'),
  parcel('fedex', 'demo-5', '771224011892'),
  parcel('dhl', 'demo-6', '2401173235'),
];

/** Those of earlier releases, which an upgraded installation may still have. */
const formerShipments: readonly Demonstration[] = [
  ocean('MAEU', 'demo-2', 'MAEU240117002'),
  ocean('ONEY', 'demo-5', 'ONEYTYOF24011700'),
  ocean('EGLV', 'demo-6', 'EGLV240117005678'),
];

/**
 * Whether a shipment is one of the demonstration. Its number alone could be a real one, so the reference has to match
 * too: without it, the shipment is the client's own.
 */
export function isDemonstration(shipment: { identifiers: Identifiers; reference: string | null }): boolean {
  return [...demonstrationShipments, ...formerShipments].some(
    ({ reference, identifiers }) =>
      shipment.reference === reference &&
      Object.entries(identifiers).every(([key, number]) => shipment.identifiers[key as IdentifierKey] === number),
  );
}

function ocean(carrier: string, reference: string, mbl: string): Demonstration {
  return { transportMode: 'ocean', carrier, reference, identifiers: { mbl } };
}

function parcel(carrier: string, reference: string, number: string): Demonstration {
  return { transportMode: 'parcel', carrier, reference, identifiers: { tracking_number: number } };
}
