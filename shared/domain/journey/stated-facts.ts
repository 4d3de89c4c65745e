import {
  maxStatedPieces,
  proofKinds,
  type Reading,
  type StatedFacts,
  type StatedPiece,
  type StatedProof,
} from '../events/event.ts';
import { compareText } from '../events/event-order.ts';
import type { Proof } from '../record/shipment.ts';

/**
 * The facts after another statement: what it leaves out stays. A list of pieces replaces the one before, unless the
 * statement is `partial`; what was known of a piece stays.
 */
export function mergeFacts(
  before: StatedFacts | undefined,
  stated: StatedFacts | undefined,
  { partial }: { partial: boolean },
): StatedFacts | undefined {
  if (stated === undefined) return before;
  const known = Object.entries(stated).filter(([, value]) => value !== undefined && value !== null);
  const merged: StatedFacts = { ...before, ...Object.fromEntries(known) };
  if (merged.pieces !== undefined) merged.pieces = mergePieces(before?.pieces ?? [], merged.pieces, { partial });
  return Object.keys(merged).length === 0 ? undefined : orderedFacts(merged);
}

/** Facts in one order of their lists, each entry once. */
export function orderedFacts({ pieces, proof, ...facts }: StatedFacts): StatedFacts {
  return {
    ...facts,
    ...(pieces === undefined
      ? {}
      : { pieces: uniqueBy(pieces, pieceKey).sort((left, right) => compareText(pieceKey(left), pieceKey(right))) }),
    ...(proof === undefined
      ? {}
      : { proof: uniqueBy(proof, proofKey).sort((left, right) => compareText(proofKey(left), proofKey(right))) }),
  };
}

/** True when two statements are equal, whatever the order of their keys. */
export function isSameFacts(left: StatedFacts | undefined, right: StatedFacts | undefined): boolean {
  return isSameValue(left && orderedFacts(left), right && orderedFacts(right));
}

/**
 * A reading with at most `maxStatedPieces` pieces: those that the carrier lists, then those that events name. Events of
 * other pieces are left out; the count includes them.
 */
export function boundPieces<Read extends Pick<Reading, 'events' | 'facts'>>(reading: Read): Read {
  const listed = (reading.facts?.pieces ?? []).map(pieceKey);
  const named = reading.events.flatMap(({ details }) => details?.piece ?? []);
  const all = new Set([...listed, ...[...named].sort(compareText)]);
  if (all.size <= maxStatedPieces) return reading;
  const kept = new Set([...all].slice(0, maxStatedPieces));
  const { facts = {}, events } = reading;
  return {
    ...reading,
    events: events.filter(({ details }) => details?.piece === undefined || kept.has(details.piece)),
    facts: {
      ...facts,
      piecesCount: Math.max(facts.piecesCount ?? 0, all.size),
      ...(facts.pieces && { pieces: facts.pieces.filter((piece) => kept.has(pieceKey(piece))) }),
    },
  };
}

/** Proofs with the ids under which the record shows them: `signature`, `photo`, `signature_2`, in a stable order. */
export function identifyProofs(facts: StatedFacts | undefined): { shown: Proof; stated: StatedProof }[] {
  const counts = new Map<string, number>();
  const { proof = [] } = facts === undefined ? {} : orderedFacts(facts);
  return proof.map((stated) => {
    const { kind, piece } = stated;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return {
      shown: { id: count === 1 ? kind : `${kind}_${count}`, kind, piece, available: stated.unavailable !== true },
      stated,
    };
  });
}

function mergePieces(
  before: readonly StatedPiece[],
  stated: readonly StatedPiece[],
  { partial }: { partial: boolean },
): StatedPiece[] {
  const former = new Map(before.map((piece) => [piece.trackingNumber, piece]));
  const merged = stated.map((piece) => {
    const known = former.get(piece.trackingNumber);
    former.delete(piece.trackingNumber);
    return {
      trackingNumber: piece.trackingNumber,
      weightKg: piece.weightKg ?? known?.weightKg ?? null,
      dimensionsCm: piece.dimensionsCm ?? known?.dimensionsCm ?? null,
    };
  });
  return [...merged, ...(partial ? former.values() : [])].slice(0, maxStatedPieces);
}

function pieceKey({ trackingNumber }: StatedPiece): string {
  return trackingNumber;
}

function proofKey({ kind, piece, handle }: StatedProof): string {
  return JSON.stringify([proofKinds.indexOf(kind), piece ?? '', handle ?? '']);
}

function uniqueBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

function isSameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const names = Object.keys(left);
  const [one, other] = [left, right] as Record<string, unknown>[];
  return names.length === Object.keys(right).length && names.every((name) => isSameValue(one?.[name], other?.[name]));
}
