import { hash } from 'node:crypto';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { CarrierContext } from './carrier.ts';

/**
 * The hash of an answer byte for byte, of what reads it and of whose answer it is; null where it is always read. Two answers with one hash give one
 * reading, for reading depends on nothing else.
 */
export function hashAnswer(
  ctx: Pick<CarrierContext, 'readerIdentity'>,
  source: string,
  texts: readonly string[],
): string | null {
  const identity = ctx.readerIdentity;
  return identity === undefined
    ? null
    : hash('sha256', JSON.stringify([identity, source, texts.length]) + texts.join('\n'));
}

/** Whether this is the answer that the record was read from, so that it need not be read again. */
export function isKnownAnswer({ polling }: Pick<RefreshSubject, 'polling'>, answerHash: string | null): boolean {
  // A reading that was forgotten is to be read in full.
  return answerHash !== null && polling.readingHash !== null && polling.answerHash === answerHash;
}
