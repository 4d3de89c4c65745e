import { LandfallError } from '../errors.ts';

/** References that one shipment may have. */
export const maxReferences = 50;

/** The sent references, each once: the one that was sent alone is the first. */
export function allReferences(reference: string | null | undefined, list: readonly string[] | null = []): string[] {
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

/** The references that the list lacks. */
export function lackingReferences(present: readonly string[], sent: readonly string[]): string[] {
  return sent.filter((one) => !present.includes(one));
}

/** Throws LandfallError `validation_failed` when a shipment would have too many references. */
export function checkReferences(references: readonly string[]): void {
  if (references.length <= maxReferences) return;
  const detail =
    `A shipment may have at most ${maxReferences} references, including those that it has. Replace them with ` +
    'PATCH /v1/shipments/{shipment_id}.';
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/references', code: 'too_long', detail }],
  });
}
