import { ask } from '../../api/request.ts';

/** Ends the session, and goes to the door. A full load: nothing of this person stays in memory. */
export async function signOut(): Promise<void> {
  await endSession().catch(() => undefined);
  window.location.assign('/sign-in');
}

export function endSession(): Promise<unknown> {
  return ask('POST', '/auth/sign-out', {});
}
