import type { WireEvent } from '#shared/contract/record/shipment-parts.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { groupIdentifier } from '#shared/domain/words/group-identifier.ts';

/** A container or a piece, which has a status and events of its own. */
export type Unit = { number: string; status: string };
export type UnitKind = 'container' | 'piece';
/** The units of a shipment: its containers, otherwise its pieces. */
export type Units = { kind: UnitKind; all: readonly Unit[] };

type Event = Pick<WireEvent, 'container' | 'details'>;

export function unitsOf({ containers, pieces }: Pick<WireShipment, 'containers' | 'pieces'>): Units {
  if (containers.length > 0) return { kind: 'container', all: containers };
  return { kind: 'piece', all: pieces.map(({ tracking_number: number, status }) => ({ number, status })) };
}

/** The container or the piece that an event is about. Null: the whole shipment. */
export function unitOf({ container, details }: Event): string | null {
  return container ?? details?.piece ?? null;
}

/** More containers or pieces than this get a search. */
export const maxUnsearched = 12;

/** True when the number contains this part, in any notation. An empty text is part of every number. */
export function isNumberPart(text: string, number: string): boolean {
  return plain(number).includes(plain(text));
}

function plain(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, '').toUpperCase();
}

/** The number in groups, as people read it. */
export function unitWords(kind: UnitKind, number: string): string {
  return groupIdentifier(kind === 'container' ? 'container' : 'tracking_number', number);
}

/** The end of the number of a piece, or the whole number of a container: enough to distinguish the pieces in a line. */
export function shortUnitWords(kind: UnitKind, number: string): string {
  return kind === 'container' || number.length <= maxInLine ? unitWords(kind, number) : `piece …${number.slice(-4)}`;
}

const maxInLine = 8;

export function kindOf({ container }: Pick<Event, 'container'>): UnitKind {
  return container === null ? 'piece' : 'container';
}
