import {
  type Dimensions,
  maxStatedPieces,
  type PickupPoint,
  type Service,
  type StatedFacts,
  type StatedPiece,
  type StatedProof,
  type StatedReturn,
} from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { type Measured, notStated, readNumber, unreadable } from './measured.ts';

/** Facts that a connector read. Null and empty lists: the carrier does not state them. */
export type ReadFacts = {
  service?: Service | null;
  weightKg?: number | null;
  piecesCount?: number | null;
  pieces?: readonly StatedPiece[];
  pickupPoint?: PickupPoint | null;
  receivedBy?: string | null;
  leftAt?: string | null;
  proof?: readonly StatedProof[];
  returned?: StatedReturn | null;
};

/**
 * The facts without those that are not stated, which then leave what was stated before. Undefined: none is stated. Of
 * more than 200 pieces the first are kept, and the count says how many there are.
 */
export function statedFacts(read: ReadFacts): StatedFacts | undefined {
  const { service, weightKg, piecesCount, pickupPoint, receivedBy, leftAt, returned } = read;
  const pieces = uniquePieces(read.pieces ?? []);
  const proof = read.proof ?? [];
  const count = piecesCount ?? (pieces.length > maxStatedPieces ? pieces.length : null);
  const facts: StatedFacts = {
    ...(service && (service.code !== null || service.name !== null) ? { service } : {}),
    ...(weightKg ? { weightKg } : {}),
    ...(count ? { piecesCount: count } : {}),
    ...(pieces.length > 0 ? { pieces: pieces.slice(0, maxStatedPieces) } : {}),
    ...(pickupPoint ? { pickupPoint } : {}),
    ...(receivedBy ? { receivedBy } : {}),
    ...(leftAt ? { leftAt } : {}),
    ...(proof.length > 0 ? { proof: [...proof] } : {}),
    ...(returned ? { returned } : {}),
  };
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** A piece's number: upper case, without spaces. Null: it has none. */
export function pieceNumber(written: string | null): string | null {
  return written?.replace(/\s/g, '').toUpperCase() || null;
}

export function statedPiece(
  trackingNumber: string,
  measured: { weightKg?: number | null; dimensionsCm?: Dimensions | null } = {},
): StatedPiece {
  return { trackingNumber, weightKg: measured.weightKg ?? null, dimensionsCm: measured.dimensionsCm ?? null };
}

function uniquePieces(pieces: readonly StatedPiece[]): StatedPiece[] {
  const byNumber = new Map<string, StatedPiece>();
  for (const piece of pieces) {
    const known = byNumber.get(piece.trackingNumber);
    byNumber.set(piece.trackingNumber, {
      trackingNumber: piece.trackingNumber,
      weightKg: known?.weightKg ?? piece.weightKg,
      dimensionsCm: known?.dimensionsCm ?? piece.dimensionsCm,
    });
  }
  return [...byNumber.values()];
}

const maxCount = 1_000_000;

/** Reads a count. Zero, which carriers' systems fill in, counts as not stated. */
export function readCount(written: unknown, name: string): Measured<number> {
  if (written === null || written === undefined || written === '') return notStated();
  const number = typeof written === 'string' || typeof written === 'number' ? readNumber(String(written)) : null;
  if (number === null || 'reason' in number || number.unit !== null)
    return unreadable({ [name]: written }, `${name} is not a number`);
  if (number.amount === 0) return notStated();
  if (!Number.isInteger(number.amount) || number.amount < 0 || number.amount > maxCount)
    return unreadable({ [name]: written }, `${name} is out of range`);
  return { value: number.amount, unreadable: [] };
}

/** Takes the values out of what was measured and collects what was set aside. */
export function valuesOf<Read extends Record<string, Measured<unknown>>>(
  read: Read,
): { values: { [Name in keyof Read]: Read[Name]['value'] }; unreadable: UnreadableEvent[] } {
  const values = Object.fromEntries(Object.entries(read).map(([name, { value }]) => [name, value]));
  return {
    values: values as { [Name in keyof Read]: Read[Name]['value'] },
    unreadable: Object.values(read).flatMap(({ unreadable }) => unreadable),
  };
}
