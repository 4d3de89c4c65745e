import type { StatedFacts, StatedProof } from '../tracking/event.ts';
import type { Proof } from './shipment.ts';

/** TEMPORARY until the fold of facts is merged. */
export function identifyProofs(facts: StatedFacts | undefined): { shown: Proof; stated: StatedProof }[] {
  const counts = new Map<string, number>();
  return (facts?.proof ?? []).map((stated) => {
    const { kind, piece } = stated;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return { shown: { id: count === 1 ? kind : `${kind}_${count}`, kind, piece, available: true }, stated };
  });
}
