import type { EventDetails, StatedFacts, StatedProof } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { child, children, decimal, type LenientObject, readObject, text } from '../lenient-object.ts';
import { readCount, statedFacts, valuesOf } from '../reading/stated-facts.ts';
import { readWeightKg } from '../reading/weight-kg.ts';

/** Length of the longest address of a proof (`StatedProof`) that is stored. */
const maxHandleLength = 2000;
const maxProofs = 20;

/**
 * Pieces and weight of an event. The standard has no fields for them but open `attributes`: these are the names of
 * its council's bill of lading (eBOL 1.0). A weight without a unit is not read.
 */
export function measuresOf(fields: LenientObject): {
  measures: Pick<EventDetails, 'piecesCount' | 'weightKg'>;
  unreadable: UnreadableEvent[];
} {
  const attributes = child(fields, 'attributes');
  const { values, unreadable } = valuesOf({
    piecesCount: readCount(attributes?.get('pieces'), 'pieces'),
    weightKg: readWeightKg(attributes?.get('grossweight') ?? attributes?.get('weight'), text(attributes, 'weightUnit')),
  });
  return {
    measures: {
      ...(values.piecesCount === null ? {} : { piecesCount: values.piecesCount }),
      ...(values.weightKg === null ? {} : { weightKg: values.weightKg }),
    },
    unreadable,
  };
}

/** The pieces and weight that were picked up, and the proofs of delivery. */
export function dsdcFacts(items: readonly unknown[]): StatedFacts | undefined {
  const all = items.map((item) => readObject(item)).filter((fields) => fields !== null);
  const pickups = all.filter((fields) => text(fields, 'type')?.toUpperCase() === 'PICKED_UP');
  return statedFacts({ ...(measuresOfLast(pickups) ?? {}), proof: uniqueProofs(all.flatMap(proofsOf)) });
}

function measuresOfLast(pickups: readonly LenientObject[]): Pick<EventDetails, 'piecesCount' | 'weightKg'> | null {
  const last = pickups.toSorted((left, right) => sequenceOf(left) - sequenceOf(right)).at(-1);
  return last === undefined ? null : measuresOf(last).measures;
}

/** Of the documents of an event, only the proof of delivery is about the delivery. */
function proofsOf(fields: LenientObject): StatedProof[] {
  return children(fields, 'documents').flatMap((document): StatedProof[] => {
    const url = document.get('url');
    const isProof = text(document, 'type')?.toUpperCase() === 'POD';
    if (!isProof || typeof url !== 'string' || url.length > maxHandleLength || !/^https?:\/\//i.test(url)) return [];
    return URL.canParse(url) ? [{ kind: 'document', handle: url, piece: null }] : [];
  });
}

function uniqueProofs(proofs: readonly StatedProof[]): StatedProof[] {
  return [...new Map(proofs.map((proof) => [proof.handle, proof])).values()].slice(0, maxProofs);
}

export function sequenceOf(fields: LenientObject): number {
  return decimal(fields, 'sequence') ?? -1;
}
