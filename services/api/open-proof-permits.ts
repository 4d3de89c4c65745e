import { questionLimits } from '#shared/core/carriers/ask-worker.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { openPermits, type Permits } from './open-permits.ts';

/** Documents that a process may hold at a time: 16 of 5 MiB are 80 MiB. */
const maxProofs = 16;

/** For proofs of delivery, from the request until the document is sent. */
export function openProofPermits(): Permits {
  const { maxOpen } = questionLimits.proof;
  return openPermits({ process: maxProofs, account: maxOpen, holder: maxOpen }, (of, max) => {
    const detail = `Too many proofs of delivery are being fetched ${of} (limit ${max}). Retry in 5 s.`;
    return new LandfallError('account_busy', detail, { retryAfterS: 5 });
  });
}
