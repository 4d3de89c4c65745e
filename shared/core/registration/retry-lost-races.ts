import { LandfallError } from '#shared/domain/errors.ts';
import { openIdentifierConstraint } from '#shared/store/registration/identifiers.ts';
import { isTransactionConflict, isUniqueViolation } from '#shared/store/store-errors.ts';

const maxAttempts = 8;

/** The reference was taken between looking and inserting; the next attempt sees who has it. */
export class ReferenceTaken extends Error {}

/** The shipment that was found is no longer the one that is meant; the next attempt finds another one, or none. */
export class ShipmentMoved extends Error {}

/**
 * Runs one registering transaction, and again when it lost to another one: who lost has waited for the winner, so the next attempt sees what
 * that one wrote. Throws LandfallError `unavailable` when it never wins.
 */
export async function retryLostRaces<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isLostRace(error)) throw error;
      if (attempt === maxAttempts) {
        const detail = 'Too many registrations of the same numbers at this moment; send the request again.';
        throw new LandfallError('unavailable', detail, { retryAfterS: 1, cause: error });
      }
    }
  }
}

/** True when another transaction was faster, so that this one may be run again. */
export function isLostRace(error: unknown): boolean {
  if (error instanceof ReferenceTaken || error instanceof ShipmentMoved) return true;
  return isUniqueViolation(error, [openIdentifierConstraint]) || isTransactionConflict(error);
}
