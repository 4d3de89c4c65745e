/** Something that happens on a journey of the simulator, in words that belong to no message standard. */
export type Move =
  | 'collected'
  | 'picked empty'
  | 'gated in full'
  | 'put on vessel'
  | 'vessel left'
  | 'vessel came'
  | 'taken off vessel'
  | 'gated out full'
  | 'given back empty'
  | 'held by customs'
  | 'cleared by customs'
  | 'put on train'
  | 'train left'
  | 'train came'
  | 'taken off train'
  | 'came to terminal'
  | 'left terminal'
  | 'on its way'
  | 'late'
  | 'tried in vain'
  | 'handed over'
  | 'booked'
  | 'received'
  | 'listed'
  | 'flown out'
  | 'flown in'
  | 'off the plane'
  | 'papers notified';

/** The event that each of them is. */
export const eventOf: Readonly<Record<Move, string>> = {
  collected: 'picked_up',
  'picked empty': 'gate_out_empty',
  'gated in full': 'gate_in_full',
  'put on vessel': 'loaded',
  'vessel left': 'departed',
  'vessel came': 'arrived',
  'taken off vessel': 'discharged',
  'gated out full': 'gate_out_full',
  'given back empty': 'gate_in_empty',
  'held by customs': 'customs_hold',
  'cleared by customs': 'customs_released',
  'put on train': 'rail_loaded',
  'train left': 'rail_departed',
  'train came': 'rail_arrived',
  'taken off train': 'rail_unloaded',
  'came to terminal': 'arrived_at_facility',
  'left terminal': 'departed_facility',
  'on its way': 'in_transit',
  late: 'delayed',
  'tried in vain': 'delivery_attempted',
  'handed over': 'delivered',
  booked: 'booking_confirmed',
  received: 'received_from_shipper',
  listed: 'manifested',
  'flown out': 'departed',
  'flown in': 'arrived',
  'off the plane': 'received_from_flight',
  'papers notified': 'consignee_notified',
};

/** Place of an event: a port by its UN/LOCODE, an airport, or a city of a state. `zone`: IANA. */
export type Spot =
  | { port: string; zone: string }
  | { airport: string; zone: string }
  | { city: string; state: string; country: string; zone: string };

export type Statement = {
  move: Move;
  atMs: number;
  spot: Spot;
  container: string | null;
  vessel: { imo: string; name: string; voyage: string } | null;
  flight: string | null;
  /** When the vessel is expected at its next port, as the same message says. */
  next?: { atMs: number; spot: Spot };
};

/** The kinds of messages. */
export const kinds = ['214', '315', '322', 'IFTSTA', 'FSU'] as const;
export type Kind = (typeof kinds)[number];

/** A shipment with all that happens to it. `number`: that by which its messages name it. */
export type Truth = { kind: Kind; number: string; registration: object; statements: Statement[] };
