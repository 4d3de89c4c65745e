import type { Identifiers } from '../shipments/shipment.ts';

type Demonstration = { carrier: string; reference: string; identifiers: { mbl: string } };

/**
 * The shipments of a first start, which exist at the simulated carriers only. Numbers that end in 0 to 4 complete their
 * simulated journey in a minute; the others take real time.
 */
export const demonstrationShipments: readonly Demonstration[] = [
  { carrier: 'MAEU', reference: 'demo-1', identifiers: { mbl: 'MAEU240117001' } },
  { carrier: 'MAEU', reference: 'demo-2', identifiers: { mbl: 'MAEU240117002' } },
  { carrier: 'HLCU', reference: 'demo-3', identifiers: { mbl: 'HLCUHAM240117003' } },
  { carrier: 'MSCU', reference: 'demo-4', identifiers: { mbl: 'MEDUAB240117' } },
  { carrier: 'ONEY', reference: 'demo-5', identifiers: { mbl: 'ONEYTYOF24011700' } },
  { carrier: 'EGLV', reference: 'demo-6', identifiers: { mbl: 'EGLV240117005678' } },
];

/**
 * Whether a shipment is one of the demonstration. Its number alone could be a real one, so the reference has to match
 * too: without it, the shipment is the client's own.
 */
export function isDemonstration(shipment: { identifiers: Identifiers; reference: string | null }): boolean {
  return demonstrationShipments.some(
    ({ reference, identifiers }) => shipment.reference === reference && shipment.identifiers.mbl === identifiers.mbl,
  );
}
