import { call } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';

/** Ends the session, and goes to the door. A full load: nothing of this person stays in memory. */
export async function signOut(): Promise<void> {
  await endSession().catch(() => undefined);
  window.location.assign('/sign-in');
}

export function endSession(): Promise<unknown> {
  return call('signOut');
}

/** Pages that are there for who is not signed in. */
const outside = ['/sign-in', '/claim', '/invite', '/reset'];

/** A session that ended while its page was open: to the door, and back here afterwards. A full load, so that nothing of it stays. */
export function leaveWhenSignedOut(error: unknown): void {
  if (!(error instanceof ProblemError) || error.code !== 'not_signed_in') return;
  const { pathname, search } = window.location;
  if (!outside.includes(pathname)) window.location.assign(`/sign-in?${new URLSearchParams({ to: pathname + search })}`);
}

/** Goes in with the session that was just made. A full load: what another person left in memory is not theirs to see. */
export function enter(to: string): void {
  window.location.assign(to);
}
