import { type InputMistake, joinDetails, LandfallError } from '../errors.ts';

/** References that one shipment may have. */
export const maxReferences = 50;

/** The sent references, each once: the one that was sent alone is the first. */
export function allReferences(reference: string | null | undefined, list?: readonly string[] | null): string[] {
  return [...new Set([...(reference ? [reference] : []), ...(list ?? [])])];
}

type Sent = {
  reference?: string | null | undefined;
  references?: readonly string[] | null | undefined;
  referencesAdd?: readonly string[] | undefined;
};

/**
 * The references after an update. A list replaces all of them. A reference alone becomes the first one, in place of the
 * former first one unless it was among the others; null removes the first one.
 */
export function mergeReferences(present: readonly string[], sent: Sent): string[] {
  return [...new Set([...replaced(present, sent), ...(sent.referencesAdd ?? [])])];
}

function replaced(present: readonly string[], { reference, references }: Sent): readonly string[] {
  if (references !== undefined) return allReferences(reference, references);
  if (reference === undefined) return present;
  const kept = reference !== null && present.includes(reference) ? present : present.slice(1);
  return allReferences(reference, kept);
}

export function hasReferences(present: readonly string[], sent: readonly string[]): boolean {
  return sent.every((one) => present.includes(one));
}

/** The mistake of a shipment that would have too many references. Empty: it would not. */
export function referenceMistakes(references: readonly string[]): InputMistake[] {
  if (references.length <= maxReferences) return [];
  const detail =
    `A shipment may have at most ${maxReferences} references, including \`reference\` and those that it has. Replace ` +
    'them with PATCH /v1/shipments/{shipment_id}.';
  return [{ pointer: '/references', code: 'too_long', detail }];
}

/** Throws LandfallError `validation_failed` when a shipment would have too many references. */
export function checkReferences(references: readonly string[]): void {
  const mistakes = referenceMistakes(references);
  if (mistakes.length > 0) throw new LandfallError('validation_failed', joinDetails(mistakes), { mistakes });
}
