import { questionLimits } from '#shared/core/carriers/ask-worker.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { MemoryBudget } from './open-memory-budget.ts';
import { openPermits, type Permits } from './open-permits.ts';

const maxProofs = 16;
/** Of a document of 5 MiB, while it is read from the database as hexadecimal digits and while it is sent. */
const heldBytes = 24 * 1024 ** 2;

/** For proofs of delivery, from the request until the document is sent. Each takes its memory of `memory`. */
export function openProofPermits(memory: MemoryBudget): Permits {
  const { maxOpen } = questionLimits.proof;
  const permits = openPermits({ process: maxProofs, account: maxOpen, holder: maxOpen }, (of, max) => {
    const detail = `Too many proofs of delivery are being fetched ${of} (limit ${max}). Retry in 5 s.`;
    return new LandfallError('account_busy', detail, { retryAfterS: 5 });
  });
  return {
    take: (accountId, holder) => {
      const giveBack = permits.take(accountId, holder);
      const share = memory.open(accountId);
      const free = share.hold();
      const release = () => {
        free();
        giveBack();
      };
      try {
        share.grow(heldBytes);
        return release;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}
