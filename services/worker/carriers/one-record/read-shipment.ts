import {
  type Dimensions,
  maxStatedPieces,
  type ReadEvent,
  type StatedFacts,
  type StatedPiece,
} from '#shared/domain/events/event.ts';
import { compareText } from '#shared/domain/events/event-order.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, children, type LenientObject, text } from '../lenient-object.ts';
import { readDimensionsCm } from '../reading/dimensions-cm.ts';
import { type Measured, notStated } from '../reading/measured.ts';
import { pieceNumber, statedFacts, statedPiece } from '../reading/stated-facts.ts';
import { numberOf, readValueKg, unitOf } from './event-details.ts';
import { identifier, lastPart } from './plain-json.ts';

/**
 * Facts on the whole shipment from the events and their objects. `wholes`: events about all of its pieces;
 * `deliveries`: the fields of delivery events.
 */
type Stated = {
  waybill: LenientObject | null;
  shipment: LenientObject | null;
  wholes: readonly ReadEvent[];
  deliveries: readonly LenientObject[];
};

/**
 * Service, weight, pieces and who received them. Of the pieces, those are listed that the server puts into the
 * shipment: to read each by its link would take a call per piece. The links still say how many there are.
 */
export function readShipment({ waybill, shipment, wholes, deliveries }: Stated): {
  facts: StatedFacts | undefined;
  unreadable: UnreadableEvent[];
} {
  const serviceCode = identifier(waybill, 'serviceCode');
  const weight = readValueKg(shipment, 'totalGrossWeight');
  const unreadable = [...weight.unreadable];
  const pieces = children(shipment, 'pieces')
    .slice(0, maxStatedPieces)
    .flatMap((piece): StatedPiece[] => {
      const number = pieceNumber(text(piece, 'upid'));
      if (number === null) return [];
      const weightKg = readValueKg(piece, 'grossWeight');
      const dimensionsCm = readSides(child(piece, 'dimensions'));
      unreadable.push(...weightKg.unreadable, ...dimensionsCm.unreadable);
      return [statedPiece(number, { weightKg: weightKg.value, dimensionsCm: dimensionsCm.value })];
    });
  const facts = statedFacts({
    service: serviceCode === null ? null : { code: lastPart(serviceCode).replace(/^ServiceCode_/i, ''), name: null },
    weightKg: weight.value,
    piecesCount: countOf(wholes) ?? listOf(shipment, 'pieces').length,
    pieces: pieces.length > 1 ? pieces : [],
    receivedBy: deliveries.map(receiverOf).find((name) => name !== null) ?? null,
  });
  return { facts, unreadable };
}

/** The party in the role ST (ship to) of UN/CEFACT's list, which is how a delivery names who received it. */
function receiverOf(delivery: LenientObject): string | null {
  const receiver = children(delivery, 'involvedParties').find(
    (party) => lastPart(identifier(party, 'partyRole') ?? '').toUpperCase() === 'ST',
  );
  const agent = child(receiver ?? null, 'partyDetails');
  return text(agent, 'name', 'shortName');
}

/** The number of pieces in the newest event about the whole shipment. */
function countOf(wholes: readonly ReadEvent[]): number | null {
  const counted = wholes.filter(({ details }) => details?.piecesCount !== undefined);
  const newest = [...counted].sort(
    (left, right) =>
      compareText(left.sourceCreatedAt ?? '', right.sourceCreatedAt ?? '') || compareText(left.time.at, right.time.at),
  );
  return newest.at(-1)?.details?.piecesCount ?? null;
}

function listOf(object: LenientObject | null, name: string): unknown[] {
  const own = object?.get(name);
  return Array.isArray(own) ? own : own === undefined ? [] : [own];
}

/** Each side is a Value. All have the unit of the length unless they name another. */
function readSides(dimensions: LenientObject | null): Measured<Dimensions> {
  if (dimensions === null) return notStated();
  const sideOf = (name: string): unknown => {
    const value = child(dimensions, name);
    const number = value === null ? dimensions.get(name) : numberOf(value);
    const unit = unitOf(value);
    const isBare = typeof number === 'number' || (typeof number === 'string' && /\d$/.test(number));
    return isBare && unit !== null ? `${number} ${unit}` : number;
  };
  return readDimensionsCm({ length: sideOf('length'), width: sideOf('width'), height: sideOf('height') }, null);
}
