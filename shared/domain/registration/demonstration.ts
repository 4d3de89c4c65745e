import type { TransportMode } from '../events/transport-mode.ts';
import type { FreeTimeTerm } from '../free-time/terms.ts';
import type { IdentifierKey, Identifiers } from '../record/shipment.ts';

type Demonstration = {
  /** The simulated sources push its events. Absent: a simulated carrier is polled. */
  pushed?: true;
  transportMode: TransportMode;
  carrier: string;
  reference: string;
  identifiers: { [key in IdentifierKey]?: string };
};

/**
 * The shipments of a first start, which exist at the simulated carriers only. Numbers that end in 0 to 4 complete their
 * simulated journey in a minute; the others take real time. With the default seed, the parcels are a shipment of three
 * pieces that have parted, one that is delivered within a minute and signed for, and one on its way within a window of two hours.
 * Events of a rail shipment and of an own truck, which is on its way, are pushed.
 */
export const demonstrationShipments: readonly Demonstration[] = [
  ocean('MAEU', 'demo-1', 'MAEU240117001'),
  parcel('ups', 'demo-2', '1Z999AA10124021116'),
  ocean('HLCU', 'demo-3', 'HLCUHAM240117003'),
  ocean('MSCU', 'demo-4', 'MEDUAB240117'),
  parcel('fedex', 'demo-5', '771224011892'),
  parcel('dhl', 'demo-6', '2401173235'),
  { ...pushed('rail', 'BNSF', 'demo-7'), identifiers: { waybill: 'DEMO24011702' } },
  { ...pushed('road', 'OWN', 'demo-8'), identifiers: { bol: 'DEMO24011708' } },
];

/** The key of the simulated railway, terminal and truck. Each start replaces it. */
export const demonstrationKey = { name: 'Demo: railway, terminal and truck', scopes: ['events:write'] } as const;

/** The account's free-time terms of a first start, so that clocks of demurrage and detention run. */
export const demonstrationTerms: readonly FreeTimeTerm[] = [
  term('demurrage', 'discharged', 4),
  term('detention', 'gate_out_full', 5),
  { ...term('demurrage', 'rail_unloaded', 2), carrier: 'BNSF' },
];

/** True for a row of terms of the demonstration, as it was stored at the first start. */
export function isDemonstrationTerm(row: FreeTimeTerm): boolean {
  return demonstrationTerms.some((own) => canonical(own) === canonical(row));
}

/**
 * True for a shipment of the demonstration. Its number alone could be a real one, so the reference has to match too:
 * without it, the shipment is the client's own.
 */
export function isDemonstration(shipment: { identifiers: Identifiers; reference: string | null }): boolean {
  return demonstrationShipments.some(
    ({ reference, identifiers }) =>
      shipment.reference === reference &&
      Object.entries(identifiers).every(([key, number]) => shipment.identifiers[key as IdentifierKey] === number),
  );
}

function pushed(transportMode: TransportMode, carrier: string, reference: string) {
  return { pushed: true, transportMode, carrier, reference } as const;
}

function term(kind: FreeTimeTerm['kind'], startEvent: FreeTimeTerm['startEvent'], freeDays: number): FreeTimeTerm {
  return {
    kind,
    carrier: null,
    place: null,
    country: null,
    equipment: null,
    freeDays,
    startEvent,
    firstDay: 'next_day',
    counting: 'calendar',
    chargedDays: 'calendar',
    calendarCountry: null,
    rates: [
      { fromDay: 1, amount: 95 },
      { fromDay: 4, amount: 160 },
    ],
    currency: 'USD',
    validFrom: null,
    validTo: null,
  };
}

/** The same text for the same values, in whatever order their fields are. */
function canonical(row: FreeTimeTerm): string {
  const { rates, ...fields } = row;
  const steps = rates.map(({ fromDay, amount }) => [fromDay, amount]);
  return JSON.stringify([Object.entries(fields).sort(), steps]);
}

function ocean(carrier: string, reference: string, mbl: string): Demonstration {
  return { transportMode: 'ocean', carrier, reference, identifiers: { mbl } };
}

function parcel(carrier: string, reference: string, number: string): Demonstration {
  return { transportMode: 'parcel', carrier, reference, identifiers: { tracking_number: number } };
}
