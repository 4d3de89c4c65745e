import { ProblemError } from '../../api/problem-error.ts';

/** Pages that are there for who is not signed in. */
const outside = ['/sign-in', '/claim', '/invite', '/reset'];

/** A session that ended while its page was open: to the door, and back here afterwards. A full load, so that nothing of it stays. */
export function leaveWhenSignedOut(error: unknown): void {
  if (!(error instanceof ProblemError) || error.code !== 'not_signed_in') return;
  const { pathname, search } = window.location;
  if (!outside.includes(pathname)) window.location.assign(`/sign-in?${new URLSearchParams({ to: pathname + search })}`);
}
