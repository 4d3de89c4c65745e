import { LandfallError } from '#shared/domain/errors.ts';
import { openIdentifierConstraint } from '#shared/store/registration/identifiers.ts';
import { referenceConstraint } from '#shared/store/registration/registrations.ts';
import { isTransactionConflict, isUniqueViolation } from '#shared/store/store-errors.ts';

const maxAttempts = 8;

/** The shipment changed after it was found and no longer matches. The next attempt finds another one, or none. */
export class ShipmentMoved extends Error {}

/**
 * Runs a transaction, and again when it lost a race to another one: the loser has waited for the winner, so its next
 * attempt sees what the winner wrote. Throws LandfallError `unavailable` after 8 lost races.
 */
export async function retryLostRaces<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isLostRace(error)) throw error;
      if (attempt === maxAttempts) {
        const detail = 'Too many concurrent registrations of the same numbers. Retry the request.';
        throw new LandfallError('unavailable', detail, { retryAfterS: 1, cause: error });
      }
    }
  }
}

/** True for a conflict with a concurrent transaction. Running this one again resolves it. */
export function isLostRace(error: unknown): boolean {
  if (error instanceof ShipmentMoved) return true;
  // Another transaction took the reference or the number between the search and the write.
  return isUniqueViolation(error, [referenceConstraint, openIdentifierConstraint]) || isTransactionConflict(error);
}
