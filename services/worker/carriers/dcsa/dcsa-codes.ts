import type { EventCode } from '#shared/domain/events/event.ts';
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
