/** The outcome of one call with credentials. `nothing_to_verify`: there are none to try. */
export const checkOutcomes = [
  'accepted',
  'refused',
  'wrong_address',
  'rate_limited',
  'unreachable',
  'unreadable_answer',
  'nothing_to_verify',
] as const;
export type CheckOutcome = (typeof checkOutcomes)[number];

/** The credentials that were tried: those of the request, or the account's stored ones. */
export type CheckedCredentials = 'entered' | 'stored';

/** `message`: the outcome, as a sentence without any credentials. `httpStatus` null: no response was received. */
export type CheckAnswer = {
  outcome: CheckOutcome;
  message: string;
  httpStatus: number | null;
  durationMs: number;
  /** Milliseconds until another check makes sense. Null: unknown or not limited. */
  retryAfterMs: number | null;
};

/** A finished check. `checkedAt` is ISO UTC. */
export type CredentialCheck = CheckAnswer & { carrier: string; credentials: CheckedCredentials; checkedAt: string };
