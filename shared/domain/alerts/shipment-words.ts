import type { CarrierTime, Place } from '../events/event.ts';
import type { ShipmentSnapshot } from '../feed/change.ts';
import { groupIdentifier, leadingIdentifier } from '../words/group-identifier.ts';
import { oneLine } from '../words/safe-text.ts';
import { statusWords } from '../words/status-words.ts';
import { type EntryFacts, maxLine, maxLines, maxTitle } from './entry.ts';

type Named = Pick<ShipmentSnapshot, 'identifiers' | 'reference' | 'carrierName'> & {
  journey: Pick<ShipmentSnapshot['journey'], 'status' | 'origin' | 'destination' | 'eta'>;
};

/** Returns the name of a shipment: the number that identifies it, or its reference. */
export function titleOf({ identifiers, reference }: Pick<Named, 'identifiers' | 'reference'>): string {
  const leading = leadingIdentifier(identifiers as Record<string, string | null>);
  const title = leading === null ? (reference ?? 'Shipment') : groupIdentifier(leading.kind, leading.value);
  return oneLine(title, maxTitle);
}

/** Reference, carrier, way, status and ETA in one line. */
export function detailOf({ reference, carrierName, journey }: Named): string {
  const way = [placeWord(journey.origin), placeWord(journey.destination)];
  const parts = [
    reference,
    carrierName,
    way.some((place) => place !== null) ? way.map((place) => place ?? '?').join(' → ') : null,
    statusWords[journey.status],
    journey.eta === null ? null : `ETA ${timeWords(journey.eta.time)}`,
  ];
  return oneLine(parts.filter((part) => part !== null && part !== '').join(' · '), maxLine);
}

/** The facts of an entry about a shipment. `at`: ISO UTC. */
export function shipmentFacts(
  shipment: Named,
  { publicId, lines, at, anchor = '' }: { publicId: string; lines: readonly string[]; at: string; anchor?: string },
): EntryFacts {
  return {
    title: titleOf(shipment),
    detail: detailOf(shipment),
    lines: listedLines(lines).map((line) => oneLine(line, maxLine)),
    path: `/shipments/${publicId}${anchor}`,
    at,
  };
}

function listedLines(lines: readonly string[]): readonly string[] {
  const others = lines.length - (maxLines - 1);
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), `and ${others} more`];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The wall-clock time at the place, `25 Apr 13:00`. */
export function timeWords({ local }: Pick<CarrierTime, 'local'>): string {
  const [, month, day, hours, minutes] = /^\d{4}-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/.exec(local) ?? [];
  const date = `${Number(day)} ${months[Number(month) - 1]}`;
  return hours === undefined ? date : `${date} ${hours}:${minutes}`;
}

/** A calendar day, `25 Apr`. */
export function dayWords(day: string): string {
  return timeWords({ local: day });
}

/** `+31 h` or `−2 d`: days from two days on. */
export function shiftWords(hours: number): string {
  const sign = hours < 0 ? '−' : '+';
  const size = Math.abs(hours);
  return size >= 48 ? `${sign}${Math.round(size / 24)} d` : `${sign}${Math.round(size)} h`;
}

function placeWord(place: Place | null): string | null {
  return place === null ? null : (place.unlocode ?? place.iata ?? place.name);
}
