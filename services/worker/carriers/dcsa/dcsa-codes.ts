import type { EventCode, ReadEvent } from '#shared/domain/events/event.ts';
import type { StatedHold } from '#shared/domain/events/stated-free-time.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';

/** Container moves, which `settleMoves` uses to order a container's events. */
export type MoveKind = 'stuff' | 'load' | 'discharge' | 'gateIn' | 'gateOut' | 'pick' | 'drop' | 'strip';
export type EquipmentMove = { kind: MoveKind; facilityType: string | null };

/** The words of Track & Trace 3.0. Some lines already send them in 2.2. */
const newerWords: Readonly<Record<string, string>> = {
  ARRIVED: 'ARRI',
  DEPARTED: 'DEPA',
  LOADED: 'LOAD',
  DISCHARGED: 'DISC',
  GATED_IN: 'GTIN',
  GATED_OUT: 'GTOT',
  STUFFED: 'STUF',
  STRIPPED: 'STRP',
  PICKED_UP: 'PICK',
  DROPPED_OFF: 'DROP',
  AVAILABLE_FOR_PICKUP: 'AVPU',
  AVAILABLE_FOR_DROP_OFF: 'AVDO',
  CUSTOMS_SELECTED_FOR_SCAN: 'CUSS',
  CUSTOMS_SELECTED_FOR_INSPECTION: 'CUSI',
  CUSTOMS_RELEASED: 'CUSR',
  INSPECTED: 'INSP',
  RESEALED: 'RSEA',
  WAYPOINT: 'WAYP',
  CROSSED: 'CROS',
  REMOVED: 'RMVD',
};

const moves: Readonly<Record<string, MoveKind>> = {
  STUF: 'stuff',
  LOAD: 'load',
  DISC: 'discharge',
  GTIN: 'gateIn',
  GTOT: 'gateOut',
  PICK: 'pick',
  DROP: 'drop',
  STRP: 'strip',
};

const plainEquipmentCodes: Readonly<Record<string, EventCode>> = {
  STUF: 'stuffed',
  AVPU: 'available_for_pickup',
  CUSS: 'customs_inspection',
  CUSI: 'customs_hold',
  CUSR: 'customs_released',
  WAYP: 'in_transit',
  CROS: 'in_transit',
};

const shipmentCodes: Readonly<Record<string, EventCode>> = {
  'RECE/CBR': 'information_received',
  'REQS/CBR': 'information_received',
  'CONF/BKG': 'booking_confirmed',
  'CONF/CBR': 'booking_confirmed',
  'CANC/BKG': 'cancelled',
  'CANC/CBR': 'cancelled',
  'VOID/BKG': 'cancelled',
  'VOID/CBR': 'cancelled',
  'REJE/BKG': 'cancelled',
  'REJE/CBR': 'cancelled',
  'ISSU/TRD': 'document_issued',
  'SURR/TRD': 'document_issued',
  'RELS/TRD': 'document_issued',
  'HOLD/CUS': 'customs_hold',
  'HOLD/CUC': 'customs_hold',
  'RELS/CUS': 'customs_released',
  'RELS/CUC': 'customs_released',
  'CMPL/CUS': 'customs_released',
  'CMPL/CUC': 'customs_released',
};

/** True when a text is a code of an EQUIPMENT event. */
export function isEquipmentCode(code: string): boolean {
  const word = newerWords[code] ?? code;
  return Object.hasOwn(moves, word) || Object.hasOwn(plainEquipmentCodes, word);
}

/** The event code of a TRANSPORT event. A train's or truck's arrival is not the vessel's. */
export function codeOfTransport(code: string, mode: TransportMode): EventCode {
  const word = newerWords[code] ?? code;
  if (word === 'ARRI') return mode === 'rail' ? 'rail_arrived' : mode === 'road' ? 'arrived_at_facility' : 'arrived';
  if (word === 'DEPA') return mode === 'rail' ? 'rail_departed' : mode === 'road' ? 'departed_facility' : 'departed';
  return word === 'WAYP' || word === 'CROS' ? 'in_transit' : 'other';
}

/**
 * The event code of an EQUIPMENT event as far as it is known without other events, and its move. `settleMoves` assigns
 * the codes of gate moves.
 */
export function codeOfEquipment(
  code: string,
  context: { empty: boolean | null; mode: TransportMode | null; facilityType: string | null },
): { code: EventCode; move: MoveKind | null } {
  const word = newerWords[code] ?? code;
  const { mode } = context;
  if (word === 'LOAD' || word === 'DISC') {
    if (mode === 'rail') return { code: word === 'LOAD' ? 'rail_loaded' : 'rail_unloaded', move: null };
    if (mode === 'road') return { code: 'other', move: null };
    return { code: word === 'LOAD' ? 'loaded' : 'discharged', move: moves[word] ?? null };
  }
  return { code: plainEquipmentCodes[word] ?? 'other', move: moves[word] ?? null };
}

/** The event code of a SHIPMENT event about a document. Arrival notices and unknown types are kept as information. */
export function codeOfShipment(type: string, documentType: string | null): EventCode {
  return shipmentCodes[`${type}/${documentType ?? ''}`] ?? 'other';
}

/** Documents by which a line lets the cargo go: delivery order, shipment release message. */
const releaseDocuments: ReadonlySet<string> = new Set(['DEO', 'SRM']);

/**
 * The hold of the line that a SHIPMENT event states: `HOLD` and `RELS` say that the cargo can't go on, and that it is
 * allowed to move. Customs holds follow from the event's code. Null: it states none.
 */
export function lineHoldOf(type: string, documentType: string | null): StatedHold | null {
  if (documentType === null || !releaseDocuments.has(documentType)) return null;
  return type === 'HOLD' || type === 'RELS' ? { type: 'line', status: type === 'HOLD' ? 'active' : 'released' } : null;
}

/**
 * A mapped event. `move` is set where the meaning depends on the container's other events; `settleMoves` then assigns
 * the code.
 */
export type MappedEvent = { event: ReadEvent; move: EquipmentMove | null };

type Voyage = { firstLoadMs: number; stuffedMs: number; endMs: number; endPlaces: ReadonlySet<string> };

/**
 * Assigns the codes of gate moves, pick-ups, drop-offs and strippings. The standard has one code for "gate in" and one
 * for "gate out"; only the container's other events show whether it was empty. The result doesn't depend on the order
 * of the events.
 */
export function settleMoves(mapped: readonly MappedEvent[]): ReadEvent[] {
  const byContainer = Map.groupBy(mapped, ({ event }) => event.container ?? '');
  const voyages = new Map([...byContainer].map(([container, events]) => [container, readVoyage(events, mapped)]));
  return mapped.map(({ event, move }) => {
    if (move === null) return event;
    const voyage = voyages.get(event.container ?? '');
    return voyage ? { ...event, code: settle(event, move, voyage) } : event;
  });
}

/** When the container was stuffed, first loaded and last discharged. Infinity where its events don't state it. */
function readVoyage(events: readonly MappedEvent[], all: readonly MappedEvent[]): Voyage {
  const latestOf = (kind: MoveKind) => latestWord(events.filter(({ move }) => move?.kind === kind));
  const timesOf = (kind: MoveKind): number[] => latestOf(kind).map(timeOf);
  const loads = timesOf('load');
  const lastLoadMs = Math.max(...loads);
  const discharges = latestOf('discharge');
  // Some lines report the vessel's arrival but no discharge. A discharge followed by a loading is a transshipment.
  const arrivals = discharges.length > 0 ? discharges : latestWord(all.filter(({ event }) => event.code === 'arrived'));
  const lastArrivals = arrivals.filter((event) => timeOf(event) >= lastLoadMs);
  const ends = lastArrivals.map(timeOf);
  return {
    firstLoadMs: Math.min(...loads),
    stuffedMs: Math.min(...timesOf('stuff')),
    endMs: loads.length > 0 ? Math.min(...ends) : ends.length > 0 ? Math.max(...ends) : Number.POSITIVE_INFINITY,
    endPlaces: new Set(lastArrivals.map(placeOf)),
  };
}

/** The events without plans and estimates for places where the actual event is known. */
function latestWord(mapped: readonly MappedEvent[]): ReadEvent[] {
  const events = mapped.map(({ event }) => event);
  const done = new Set(events.filter(({ classifier }) => classifier === 'actual').map(placeOf));
  return events.filter((event) => event.classifier === 'actual' || !done.has(placeOf(event)));
}

function timeOf(event: ReadEvent): number {
  return Date.parse(event.time.at);
}

function placeOf(event: ReadEvent): string {
  return event.location?.unlocode ?? event.location?.name ?? '';
}

function isReturn({ facilityType }: EquipmentMove, atMs: number, { firstLoadMs, stuffedMs }: Voyage): boolean {
  const isDepot = facilityType === 'DEPO' || facilityType === 'OFFD';
  const beginMs = Math.min(firstLoadMs, stuffedMs);
  return isDepot && (Number.isFinite(beginMs) ? atMs > beginMs : true);
}

function settle(event: ReadEvent, move: NonNullable<MappedEvent['move']>, voyage: Voyage): EventCode {
  const atMs = timeOf(event);
  const { empty } = event;
  const isAfter = atMs >= voyage.endMs;
  const isBefore = !isAfter && atMs <= voyage.firstLoadMs;
  switch (move.kind) {
    case 'gateOut':
      if (empty === true) return isBefore && atMs <= voyage.stuffedMs ? 'gate_out_empty' : 'other';
      return isAfter ? 'gate_out_full' : 'other';
    case 'gateIn':
      // A depot takes empty containers back: before the cargo is loaded, they only leave it.
      if (empty === true) return isAfter || isReturn(move, atMs, voyage) ? 'gate_in_empty' : 'other';
      return isBefore && (empty === false || Number.isFinite(voyage.firstLoadMs)) ? 'gate_in_full' : 'other';
    case 'drop':
      if (empty === true) return isBefore ? 'gate_out_empty' : 'other';
      if (empty !== false || isBefore) return 'other';
      // Some lines keep a planned delivery when the vessel is delayed beyond it.
      return isAfter || (event.classifier !== 'actual' && voyage.endPlaces.has(placeOf(event))) ? 'delivered' : 'other';
    case 'pick':
      return empty === false && isBefore ? 'picked_up' : 'other';
    case 'strip':
      return isAfter && move.facilityType === 'CLOC' ? 'delivered' : 'other';
    default:
      return event.code;
  }
}
