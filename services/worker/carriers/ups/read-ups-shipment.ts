import { maxStatedPieces, type Reading } from '#shared/domain/events/event.ts';
import { type LenientObject, text } from '../lenient-object.ts';
import { joinPieces } from '../reading/parcel-reading.ts';
import { pieceNumber } from '../reading/stated-facts.ts';
import { readUpsFacts } from './read-ups-facts.ts';
import { readUpsPackage } from './read-ups-package.ts';

/**
 * Parses the packages of one shipment; the first is the requested one. Several are pieces, and each activity
 * is about its own. A package without a number of its own can't be distinguished from the others and is left out.
 */
export function readUpsShipment(
  packages: readonly LenientObject[],
  { number, source }: { number: string; source: string },
): Reading {
  const byNumber = new Map<string, LenientObject>();
  packages.forEach((parcel, index) => {
    const own = pieceNumber(text(parcel, 'trackingNumber')) ?? (index === 0 ? number : null);
    if (own !== null && !byNumber.has(own)) byNumber.set(own, parcel);
  });
  const pieces = [...byNumber].map(([own, parcel]) => ({
    number: own,
    parcel,
    reading: readUpsPackage(parcel, source),
  }));
  const { facts, unreadable } = readUpsFacts(
    pieces.map(({ number: own, parcel, reading }) => ({ number: own, parcel, events: reading.events })),
  );
  const [only] = pieces;
  const reading =
    pieces.length === 1 && only !== undefined
      ? { ...only.reading, ...(facts === undefined ? {} : { facts }) }
      : joinPieces(pieces.slice(0, maxStatedPieces), facts, source);
  return { ...reading, unreadable: [...reading.unreadable, ...unreadable] };
}
