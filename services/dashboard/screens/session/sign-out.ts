import { call } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { forgetDrafts } from '../../parts/hooks/use-draft.ts';

/** Ends the session and opens the sign-in page with a full load, which clears all data from memory. */
export async function signOut(): Promise<void> {
  forgetDrafts();
  await endSession().catch(() => undefined);
  window.location.assign('/sign-in');
}

export function endSession(): Promise<unknown> {
  return call('signOut');
}

/** Pages without a session. */
const publicPaths = ['/sign-in', '/claim', '/invite', '/reset'];

let isLeaving = false;

/**
 * After a session has ended: opens the sign-in page with a full load, and returns here afterwards. Every request of the
 * page fails then, and each further load would abort the one before.
 */
export function leaveWhenSignedOut(error: unknown): void {
  if (isLeaving || !(error instanceof ProblemError) || error.code !== 'not_signed_in') return;
  const { pathname, search, hash } = window.location;
  if (publicPaths.includes(pathname)) return;
  isLeaving = true;
  window.location.assign(`/sign-in?${new URLSearchParams({ to: pathname + search + hash, ended: 'true' })}`);
}

/** Continues with a new session. A full load clears data of another user from memory. */
export function enter(to: string): void {
  window.location.assign(to);
}
