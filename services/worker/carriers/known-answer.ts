import { hash } from 'node:crypto';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { CarrierContext } from './carrier.ts';

/**
 * Hash of a response (byte for byte), of the build that parses it and of its source. Equal hashes mean equal readings,
 * because parsing depends on nothing else. Null where every response is parsed.
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

/** Whether the record's last reading came from an identical response, which then isn't parsed again. */
export function isKnownAnswer({ polling }: Pick<RefreshSubject, 'polling'>, answerHash: string | null): boolean {
  // Without a stored reading, the response is parsed in full.
  return answerHash !== null && polling.readingHash !== null && polling.answerHash === answerHash;
}
